//! Space-filling designs: several parameters set together.
//!
//! A library of the caller draws the points. They are a Sobol sequence (I. M. Sobol) with the
//! scrambling of A. B. Owen, a Halton sequence (J. H. Halton), or Latin hypercubes. All are seeded.

use std::sync::Arc;

use serde_json::Value;

use super::super::LARGEST_SEED;
use super::super::table::{one_of, only, refused, whole};
use super::axis::{Axis, texts};
use super::range::Range;
use crate::error::Error;

const KEYS: [&str; 4] = ["kind", "points", "seed", "over"];
/// Kinds of designs. The first is the default.
const KINDS: [&str; 3] = ["sobol", "halton", "latin-hypercube"];
/// Largest number of points of a design. Each takes 8 B per parameter.
const MOST_POINTS: u64 = 1 << 20;

/// Request for the points of a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Design {
    /// Kind of design: `sobol`, `halton` or `latin-hypercube`.
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
    /// Positions from 0 to 1, point by point.
    pub shares: Arc<Vec<f64>>,
    /// Digest of the points, because another version of a library may draw different points.
    pub digest: String,
}

/// Function that draws the points of a design.
pub type Draw<'a> = &'a dyn Fn(Design) -> Result<Points, Error>;

/// Values of one parameter of a design.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Over {
    /// A range.
    Range(Range),
    /// A list.
    Among(Vec<String>),
}

impl Over {
    /// Value at a position from 0 to less than 1.
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

/// Reads a design. Returns it with the digest of its points.
pub(super) fn read(
    link: &str,
    given: &Value,
    at: &str,
    draw: Draw<'_>,
) -> Result<(Axis, String), Error> {
    let table = given.as_object();
    let table = table.ok_or_else(|| {
        refused(format!("{at}a design must be a table with kind, points and over"))
    })?;
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
            "{at}{points} points of a Sobol sequence are not balanced; write {} or {above}",
            above / 2
        )));
    }
    let ranges = ranges.as_object().filter(|ranges| !ranges.is_empty()).ok_or_else(|| {
        refused(format!("{at}`over` must be a table of ranges, such as range = {{from=1, to=50}}"))
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
