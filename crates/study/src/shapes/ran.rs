//! Entries of `airlag run --json` and `airlag explain --json`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::answers::run::VirtualRun;
use crate::questions::explain::Answer as ExplainedRun;
use crate::questions::trains::{Answer, Explanation};

/// One entry of `airlag run`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Ran {
    /// A run.
    Run(Box<VirtualRun>),
    /// Trains of back-to-back messages.
    Trains(Box<Answer>),
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
