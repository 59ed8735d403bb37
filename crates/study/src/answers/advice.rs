//! Recommended changes of a link, with their measured effect.

mod steps;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::charge::Ends;
use super::difference::Difference;
use crate::{advice, alignment};
pub use steps::{Kind, Step};

/// Latency quantile that the advice should reduce.
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

/// Charge and current of one end of a link, before and after a change.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ChangedCharge {
    /// Charge that a message adds to the idle charge, nC: before, after.
    pub marginal_nc: [f64; 2],
    /// Idle current, nA: before, after.
    pub idle_na: [f64; 2],
}

/// A set of parameter changes, and their measured effect.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Change {
    /// Parameters to set, in the syntax of --set.
    pub settings: BTreeMap<&'static str, &'static str>,
    /// Median latency, ns.
    pub p50_ns: Difference,
    /// 99 % quantile of the latency, ns.
    pub p99_ns: Difference,
    /// Delivery ratio. Null if no outcome is known.
    pub delivery: Option<Difference>,
    /// Lower bound of the latency with these settings, ns.
    pub floor_ns: u64,
    /// Disadvantages of the change, in words.
    pub costs: Vec<String>,
    /// Charge and current by end. An end without current data is absent.
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

/// A trigger that follows a transmission of its link after a fixed offset.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Alignment {
    /// Time from the start of a transmission to the trigger, ns.
    pub offset_ns: u64,
    /// Median latency with triggers at random times, then with aligned triggers, ns.
    pub p50_ns: [f64; 2],
    /// 99 % quantile of the latency with triggers at random times, then with aligned triggers, ns.
    pub p99_ns: [f64; 2],
}

impl From<alignment::Alignment> for Alignment {
    fn from(found: alignment::Alignment) -> Self {
        let alignment::Alignment { offset, p50_ns, p99_ns } = found;
        Self { offset_ns: offset.as_ns(), p50_ns, p99_ns }
    }
}

/// Recommended changes, with their measured effect.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Advice {
    /// Quantile of the latency to reduce.
    #[serde(rename = "for")]
    pub aim: Aim,
    /// Single changes without a cost, largest gain first.
    pub single: Vec<Change>,
    /// Single changes with a cost, largest gain first.
    pub trades: Vec<Change>,
    /// Cumulative changes. The first entry is the best single change. Each further entry adds the best
    /// further change.
    pub combined: Vec<Change>,
    /// Effect of a trigger that is aligned with the transmissions of the link. Null if the link does not
    /// transmit on its own schedule, or if the gain is below 10 %.
    pub alignment: Option<Alignment>,
    /// Number of runs that were made to find the advice.
    pub tried: usize,
    /// Number of these runs that measured the selected changes again, with the seed of the explained run.
    pub measured: usize,
    /// Random seed of the runs from which the changes were selected.
    pub choice_seed: u64,
    /// The advice in words, best first. Lists only the best value of each parameter.
    pub steps: Vec<Step>,
}

impl Advice {
    /// Builds the advice for an aim. `floor_ns` is the lower bound of the link's latency.
    #[must_use]
    pub fn of(
        aim: Aim,
        found: &advice::Advice,
        alignment: Option<alignment::Alignment>,
        floor_ns: u64,
    ) -> Self {
        let list = |changes: &[advice::Change]| changes.iter().map(Change::from).collect();
        let advice = Self {
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
        Self { steps: steps::of(&advice, floor_ns), ..advice }
    }
}
