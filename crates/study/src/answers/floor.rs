//! Lower bound of the latency, and time per activity.

use airlag_rig::floor;
use schemars::JsonSchema;
use serde::Serialize;

use super::words::words;
use crate::timeline::{Class, Label};

words! {
    /// Kind of activity: fixture (the measurement setup), medium, answer (of the other end), radio
    /// (change of state), bus, work (of a processor), wait (for a clock), or other (unknown).
    SliceClass: Class::ALL.iter().map(|class| class.as_str()).collect();
}

/// One term of a lower bound: of a latency, or of the cycle of a saturated link.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Term {
    /// Name of the activity, such as `air`.
    pub name: String,
    /// Number of times that the term occurs.
    pub count: u64,
    /// Duration of each occurrence, ns.
    pub each_ns: u64,
    /// Document, formula or constant from which the duration follows.
    pub source: &'static str,
}

/// Lower bound of the latency, without software cost and loss.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Floor {
    /// Sum of the terms, ns.
    pub ns: u64,
    /// Terms whose sum is the lower bound: times on the medium, and gaps that the hardware or the protocol
    /// requires.
    pub terms: Vec<Term>,
}

impl From<&floor::Floor> for Floor {
    fn from(found: &floor::Floor) -> Self {
        let term = |one: &floor::Term| Term {
            name: one.name.clone(),
            count: one.count,
            each_ns: one.each_ns,
            source: one.source,
        };
        Self { ns: found.ns(), terms: found.terms().iter().map(term).collect() }
    }
}

/// Time spent on one activity.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Part {
    /// Name of the activity, such as `air`.
    pub name: &'static str,
    /// Kind of activity.
    pub class: SliceClass,
    /// Duration, ns.
    pub ns: i64,
}

impl Part {
    /// Time spent on `label`.
    #[must_use]
    pub const fn of(label: Label, ns: i64) -> Self {
        Self { name: label.name, class: SliceClass(label.class.as_str()), ns }
    }
}
