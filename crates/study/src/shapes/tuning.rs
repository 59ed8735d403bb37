//! Tuned links, and global sensitivity indices.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::answers::law::Region;

/// The 95 % confidence interval: low, high, in the unit. An unbounded side is null.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Interval(pub [Option<f64>; 2]);

/// Direction of a limit.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(rename = "LimitBound")]
pub enum Bound {
    /// No more than the limit.
    #[serde(rename = "at most")]
    AtMost,
    /// No less than the limit.
    #[serde(rename = "at least")]
    AtLeast,
}

/// A limit on a metric.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Limit {
    /// Name of the metric, such as `p99`.
    pub metric: String,
    /// Direction of the limit.
    pub bound: Bound,
    /// The limit, in the unit.
    pub value: f64,
    /// Unit. Empty for a share.
    pub unit: String,
}

/// A parameter that differs from the profile.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Turned {
    /// Name of the parameter.
    pub name: String,
    /// Value in the profile. Null if the profile does not have the parameter.
    pub profile: Option<String>,
    /// Value in the syntax of `--set`.
    pub value: String,
    /// Cost that no metric shows. Empty if there is none.
    pub gives_up: String,
}

/// A metric of a setting.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Metric {
    /// Name of the metric.
    pub name: String,
    /// Unit. Empty for a share.
    pub unit: String,
    /// Value, in the unit. Null if too few messages arrive.
    pub value: Option<f64>,
    /// The 95 % confidence interval.
    pub interval95: Interval,
}

/// A setting measured on fresh seeds.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "TunedSetting")]
pub struct Setting {
    /// All settings, in the syntax of `--set`.
    pub settings: BTreeMap<String, String>,
    /// Parameters that differ from the profile.
    pub turned: Vec<Turned>,
    /// Metrics. Empty if the link cannot be run with this setting.
    pub metrics: Vec<Metric>,
    /// Reason why the setting is not returned. Null means that it meets every limit at 95 %
    /// confidence.
    pub refused: Option<String>,
}

/// A setting that was tried during the search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Tried {
    /// All settings, in the syntax of `--set`.
    pub settings: BTreeMap<String, String>,
    /// Value of each objective and limit, in its unit.
    pub values: BTreeMap<String, Option<f64>>,
    /// Whether the setting met the limits during the search.
    pub kept: bool,
    /// Reason why the link cannot be run with this setting. Null if it can.
    pub refused: Option<String>,
}

/// The outcome of tuning a link.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Tuned {
    /// Link profile.
    pub link: String,
    /// Payload, bytes. Null if the link has no messages.
    pub size: Option<u64>,
    /// Random seed.
    pub seed: u64,
    /// Metrics to minimise.
    pub minimise: Vec<String>,
    /// Metrics to maximise.
    pub maximise: Vec<String>,
    /// Limits that the settings must meet.
    pub limits: Vec<Limit>,
    /// Region whose regulatory limits all settings meet. Null without such a requirement.
    pub region: Option<Region>,
    /// Number of messages per run.
    pub count: u64,
    /// Number of runs of the search.
    pub runs: u64,
    /// Number of seeds on which the selected settings are re-measured.
    pub fresh_seeds: u64,
    /// Number of combinations of values in the parameter space. Null means infinite.
    pub combinations: Option<u64>,
    /// Results of the unchanged link.
    pub untuned: Setting,
    /// The best setting, or the Pareto front. Empty means that no setting meets the limits.
    pub found: Vec<Setting>,
    /// Selected settings that do not meet the limits at 95 % confidence on fresh seeds.
    pub turned_down: Vec<Setting>,
    /// Settings in the order tried.
    pub tried: Vec<Tried>,
}

/// Share of the variance of a metric that a parameter explains.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Index {
    /// Name of the parameter, or `chance` for the random seed.
    pub name: String,
    /// First-order index: without interactions.
    pub first: f64,
    /// The 95 % confidence interval of this index.
    pub first_interval95: [f64; 2],
    /// Total index: with all interactions.
    pub total: f64,
    /// The 95 % confidence interval of this index.
    pub total_interval95: [f64; 2],
}

/// Variation of a metric over the parameter space, and the share of each parameter.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Indexed {
    /// Name of the metric, such as `p99`.
    pub metric: String,
    /// Unit. Empty for a share.
    pub unit: String,
    /// Mean of the metric over the parameter space, in the unit.
    pub mean: f64,
    /// Standard deviation of the metric over the parameter space, in the unit. 0 for a constant metric.
    pub standard_deviation: f64,
    /// Indices of each parameter, largest total index first. Empty if the metric is constant.
    pub indices: Vec<Index>,
}

/// Sobol sensitivity indices of each parameter over the whole parameter space.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Indices {
    /// Link profile.
    pub link: String,
    /// Payload, bytes. Null if the link has no messages.
    pub size: Option<u64>,
    /// Random seed.
    pub seed: u64,
    /// Range of each parameter.
    pub over: BTreeMap<String, String>,
    /// Changed profile parameters, by name. Values are text in the syntax of `--set`.
    pub settings: BTreeMap<String, String>,
    /// Number of messages per run.
    pub count: u64,
    /// Number of runs.
    pub runs: u64,
    /// Results for each metric.
    pub metrics: Vec<Indexed>,
}
