//! The least time that messages take, and time spent on one thing.

use airlag_rig::floor;
use schemars::JsonSchema;
use serde::Serialize;

use super::words::words;
use crate::timeline::{Class, Label};

words! {
    /// Kind of activity: the bench itself (fixture), the medium, the answer of the other end, a
    /// radio that changes its state, a bus, a processor (work), a clock to wait for, or unknown
    /// (other).
    SliceClass: Class::ALL.iter().map(|class| class.as_str()).collect();
}

/// One contribution to the least time.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Term {
    /// What takes the time.
    pub name: String,
    /// How often.
    pub count: u64,
    /// Time of each, ns.
    pub each_ns: u64,
    /// Document, formula or constant that it follows from.
    pub source: &'static str,
}

/// Least time of a message, with no software cost and no loss.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Floor {
    /// Sum of the terms, ns.
    pub ns: u64,
    /// Time on the medium, and gaps that the hardware or the protocol requires.
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

/// Time spent on one thing.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Part {
    /// On what.
    pub name: &'static str,
    /// Kind of activity.
    pub class: SliceClass,
    /// How long, ns.
    pub ns: i64,
}

impl Part {
    /// Time spent on `label`.
    #[must_use]
    pub const fn of(label: Label, ns: i64) -> Self {
        Self { name: label.name, class: SliceClass(label.class.as_str()), ns }
    }
}
