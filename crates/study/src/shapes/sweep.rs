//! A sweep.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::answers::setting::Setting;

/// A configuration: all runs that differ only in their random seed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Configuration {
    /// Number of the configuration in the dataset.
    pub configuration: u64,
    /// Link profile.
    pub link: String,
    /// Payload, bytes. Null if the link has no messages.
    pub size: Option<u64>,
    /// Parameters by name, each value in the unit of its parameter. An invalid value is the text that was
    /// given.
    pub settings: BTreeMap<String, Setting>,
    /// Number of replications.
    pub runs: u64,
    /// Reason why the link cannot be run with these settings. Null if it can.
    pub problem: Option<String>,
    /// Triggers of all replications.
    pub triggers: u64,
    /// Completed transfers of all replications.
    pub delivered: u64,
    /// Lost transfers of all replications.
    pub lost: u64,
    /// Means of the other results over the replications, by column of the dataset. Null if no replication has
    /// the result.
    pub means: BTreeMap<String, Option<f64>>,
}

/// Summary of a dataset.
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
    /// Number of replications per configuration. With a stop criterion, the largest number.
    pub replications: u64,
    /// Number of rows in the dataset.
    pub runs: u64,
    /// Number of rows that were complete before this command started.
    pub before: u64,
    /// Number of rows whose combination of settings cannot be run.
    pub problems: u64,
    /// Whether all runs are complete.
    pub complete: bool,
    /// The first 1000 configurations.
    pub table: Vec<Configuration>,
}
