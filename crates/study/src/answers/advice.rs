//! What to change on a link, and the measured effect.

mod steps;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::charge::Ends;
use super::difference::Difference;
use crate::{advice, alignment};
pub use steps::{Kind, Step};

/// Quantile that a change is to reduce.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Aim {
    /// The median.
    Median,
    /// The 99 % quantile.
    #[default]
    Tail,
}

impl From<Aim> for advice::Aim {
    fn from(aim: Aim) -> Self {
        match aim {
            Aim::Median => Self::Median,
            Aim::Tail => Self::Tail,
        }
    }
}

/// What an end draws, before and after a change.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ChangedCharge {
    /// Charge that a message adds, nC: before, after.
    pub marginal_nc: [f64; 2],
    /// Idle current, nA: before, after.
    pub idle_na: [f64; 2],
}

/// Settings, and their measured effect.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Change {
    /// Parameters to set, as --set takes them.
    pub settings: BTreeMap<&'static str, &'static str>,
    /// Median, ns.
    pub p50_ns: Difference,
    /// 99 % quantile, ns.
    pub p99_ns: Difference,
    /// Delivery ratio. Null where no outcome is known.
    pub delivery: Option<Difference>,
    /// Least time of a message with these settings, ns.
    pub floor_ns: u64,
    /// What the gain costs, in words.
    pub costs: Vec<String>,
    /// By end. An end without current data is absent.
    pub charges: Ends<ChangedCharge>,
}

impl From<&advice::Change> for Change {
    fn from(found: &advice::Change) -> Self {
        let charges = found.charges.iter().map(|one| {
            let (marginal_nc, idle_na) = (one.marginal_nc, one.idle_na);
            (one.end, ChangedCharge { marginal_nc, idle_na })
        });
        Self {
            settings: found.settings.iter().map(|one| (one.name, one.value)).collect(),
            p50_ns: (&found.p50).into(),
            p99_ns: (&found.p99).into(),
            delivery: found.delivery.as_ref().map(Difference::from),
            floor_ns: found.floor_ns,
            costs: found.costs.iter().map(ToString::to_string).collect(),
            charges: Ends::of(charges),
        }
    }
}

/// A trigger that comes a fixed time after a transmission of its link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Alignment {
    /// From the beginning of a transmission to the trigger, ns.
    pub offset_ns: u64,
    /// Median, ns: at any moment, aligned.
    pub p50_ns: [f64; 2],
    /// 99 % quantile, ns: at any moment, aligned.
    pub p99_ns: [f64; 2],
}

impl From<alignment::Alignment> for Alignment {
    fn from(found: alignment::Alignment) -> Self {
        let alignment::Alignment { offset, p50_ns, p99_ns } = found;
        Self { offset_ns: offset.as_ns(), p50_ns, p99_ns }
    }
}

/// What to change, and the measured effect.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Advice {
    /// Quantile to reduce.
    #[serde(rename = "for")]
    pub aim: Aim,
    /// Single changes without a cost, the largest gain first.
    pub single: Vec<Change>,
    /// Single changes with a cost, the largest gain first.
    pub trades: Vec<Change>,
    /// The best change, then with the best one added, and so on.
    pub combined: Vec<Change>,
    /// What an aligned trigger gains. Null where the link has no schedule of its own, or it gains less than a
    /// tenth.
    pub alignment: Option<Alignment>,
    /// Number of runs in all.
    pub tried: usize,
    /// Number of these runs that measured what had been selected, with the seed of the run.
    pub measured: usize,
    /// Seed of the runs from which it was selected.
    pub choice_seed: u64,
    /// The same in words, the best first: of the values of one parameter the best one.
    pub steps: Vec<Step>,
}

impl Advice {
    /// Advice for an aim on a link whose least time of a message is `floor_ns`.
    #[must_use]
    pub fn of(
        aim: Aim,
        found: &advice::Advice,
        alignment: Option<alignment::Alignment>,
        floor_ns: u64,
    ) -> Self {
        let list = |changes: &[advice::Change]| changes.iter().map(Change::from).collect();
        let told = Self {
            aim,
            single: list(&found.single),
            trades: list(&found.trades),
            combined: list(&found.combined),
            alignment: alignment.map(Alignment::from),
            tried: found.tried,
            measured: found.measured,
            choice_seed: found.choice_seed,
            steps: Vec::new(),
        };
        Self { steps: steps::of(&told, floor_ns), ..told }
    }
}
