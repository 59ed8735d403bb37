//! Entries of `airlag run --json` and `airlag explain --json`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::answers::charge::Charge;
use crate::answers::run::{Run, VirtualRun};
use crate::questions::explain::Answer as ExplainedRun;
use crate::questions::matching::Candidate;
use crate::questions::trains::{Answer, Explanation};

/// One entry of `airlag run`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Ran {
    /// A run.
    Run(Box<VirtualRun>),
    /// Trains of back-to-back messages.
    Trains(Box<Answer>),
    /// A run of a real bench.
    Real(Box<RealRun>),
}

/// A run of a real bench, compared with the virtual bench.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RealRun {
    /// The run.
    #[serde(flatten)]
    pub run: Run,
    /// Name of the run, and of its file.
    pub name: String,
    /// Repetition, counted from 1.
    pub repetition: u64,
    /// Whether a signal ended the run before all messages were sent. Such a run is not compared with the
    /// virtual bench.
    pub interrupted: bool,
    /// Counters of the boards after the run: for each end, value by name. Null without boards that have a
    /// firmware image of airlag.
    pub counters: Option<BTreeMap<String, BTreeMap<String, u64>>>,
    /// Comparison with the link profile. Null if run and profile cannot be compared.
    pub r#match: Option<Candidate>,
    /// Charge and current on the virtual bench. Null without a measured current.
    pub virtual_charge: Option<Charge>,
}

/// One entry of `airlag explain`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Explained {
    /// A run.
    Run(Box<ExplainedRun>),
    /// Trains of back-to-back messages.
    Trains(Box<Explanation>),
}
