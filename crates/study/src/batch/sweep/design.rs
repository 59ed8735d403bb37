//! Parameters that are set together, over points that fill a space evenly.
//!
//! The points are drawn by the caller, who has a library for it: I. M. Sobol's sequence, scrambled
//! after A. B. Owen; J. H. Halton's; Latin hypercubes. Each is seeded.

use std::sync::Arc;

use serde_json::Value;

use super::super::LARGEST_SEED;
use super::super::table::{one_of, only, refused, whole};
use super::axis::{Axis, texts};
use super::range::Range;
use crate::error::Error;

const KEYS: [&str; 4] = ["kind", "points", "seed", "over"];
/// Kinds of designs; the first is the default.
const KINDS: [&str; 3] = ["sobol", "halton", "latin-hypercube"];
/// Most points of a design: they are kept as numbers, 8 B a point and parameter.
const MOST_POINTS: u64 = 1 << 20;

/// The points of a design to be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Design {
    /// Kind of the points: `sobol`, `halton` or `latin-hypercube`.
    pub kind: &'static str,
    /// Number of parameters.
    pub dimensions: usize,
    /// Number of points.
    pub points: u64,
    /// Random seed.
    pub seed: u64,
}

/// The points of a design.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// Shares of the way from 0 to 1, point by point.
    pub shares: Arc<Vec<f64>>,
    /// Digest of them: another version of a library may draw others.
    pub digest: String,
}

/// Draws the points of a design.
pub type Draw<'a> = &'a dyn Fn(Design) -> Result<Points, Error>;

/// The values of one parameter of a design.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Over {
    /// Of a range.
    Range(Range),
    /// Of a list.
    Among(Vec<String>),
}

impl Over {
    /// The value at this share of the way, from 0 to less than 1.
    pub(super) fn at(&self, share: f64) -> String {
        match self {
            Self::Range(range) => range.at(share),
            Self::Among(values) => {
                let nth = (share * values.len() as f64) as usize;
                values[nth.min(values.len() - 1)].clone()
            }
        }
    }

    pub(super) fn ends(&self) -> Vec<String> {
        match self {
            Self::Range(range) => vec![range.at(0.0), range.at(1.0)],
            Self::Among(values) => values.clone(),
        }
    }
}

/// A design, and the digest of its points.
pub(super) fn read(
    link: &str,
    given: &Value,
    at: &str,
    draw: Draw<'_>,
) -> Result<(Axis, String), Error> {
    let table = given.as_object();
    let table = table
        .ok_or_else(|| refused(format!("{at}a design is a table with kind, points and over")))?;
    only(table, &KEYS, at)?;
    let needed = |key: &str| {
        table
            .get(key)
            .ok_or_else(|| refused(format!("{at}no `{key}`; a design has kind, points and over")))
    };
    let (points, ranges) = (needed("points")?, needed("over")?);
    let kind = table.get("kind").map_or(Ok(KINDS[0]), |kind| one_of(kind, at, "kind", &KINDS))?;
    let points = whole(points, at, "points", 1, MOST_POINTS)?;
    let seed = table.get("seed").map_or(Ok(1), |seed| whole(seed, at, "seed", 0, LARGEST_SEED))?;
    if kind == KINDS[0] && !points.is_power_of_two() {
        let above = points.next_power_of_two();
        return Err(refused(format!(
            "{at}{points} points of Sobol's sequence are not balanced; write {} or {above}",
            above / 2
        )));
    }
    let ranges = ranges.as_object().filter(|ranges| !ranges.is_empty()).ok_or_else(|| {
        refused(format!("{at}`over` is a table of ranges, such as range = {{from=1, to=50}}"))
    })?;
    let one = |(name, value): (&String, &Value)| {
        let of = match value {
            Value::Object(range) => Over::Range(Range::read(link, name, range, at)?),
            list => Over::Among(texts(name, list, at)?),
        };
        Ok((name.clone(), of))
    };
    let over = ranges.iter().map(one).collect::<Result<Vec<_>, Error>>()?;
    let Points { shares, digest } = draw(Design { kind, dimensions: over.len(), points, seed })?;
    Ok((Axis::Design { over, many: points, shares }, digest))
}
