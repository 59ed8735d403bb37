//! A sweep.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::answers::setting::Setting;

/// All runs that differ only in their random seed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Configuration {
    /// Its number, as in the dataset.
    pub configuration: u64,
    /// Link profile.
    pub link: String,
    /// Payload, bytes; null where there is no message.
    pub size: Option<u64>,
    /// Parameters that are set, in the unit of each; a value that cannot be set, as given.
    pub settings: BTreeMap<String, Setting>,
    /// Number of replications.
    pub runs: u64,
    /// Why the link cannot be run with these settings; null: it can.
    pub problem: Option<String>,
    /// Triggers of all replications.
    pub triggers: u64,
    /// Completed transfers of all replications.
    pub delivered: u64,
    /// Lost transfers of all replications.
    pub lost: u64,
    /// Means over the replications of the other results, by column of the dataset; null where no
    /// replication has it.
    pub means: BTreeMap<String, Option<f64>>,
}

/// A dataset, and its contents.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Swept {
    /// Name of the sweep.
    pub name: String,
    /// Folder of the dataset.
    pub folder: String,
    /// Link profiles.
    pub links: Vec<String>,
    /// Number of configurations.
    pub configurations: u64,
    /// Replications of each; the largest number where an interval decides when to stop.
    pub replications: u64,
    /// Rows of the dataset.
    pub runs: u64,
    /// Rows of these that were already complete.
    pub before: u64,
    /// Rows of combinations that cannot be run.
    pub problems: u64,
    /// Whether all runs are complete.
    pub complete: bool,
    /// The first 1000 configurations.
    pub table: Vec<Configuration>,
}
