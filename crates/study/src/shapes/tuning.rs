//! A tuned link, and sensitivity indices over a whole space.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::answers::law::Region;

/// The 95 % confidence interval: low, high, in the unit. Null where it is not bounded.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Interval(pub [Option<f64>; 2]);

/// On which side of a limit a metric has to be.
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

/// A constraint on a setting.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Limit {
    /// The metric.
    pub metric: String,
    /// On which side of the limit it has to be.
    pub bound: Bound,
    /// The limit, in the unit.
    pub value: f64,
    /// Unit; empty for a share.
    pub unit: String,
}

/// A parameter that differs from the profile.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Turned {
    /// The parameter.
    pub name: String,
    /// Value of the profile; null where it has none.
    pub profile: Option<String>,
    /// Value as `--set` takes it.
    pub value: String,
    /// Cost that no metric shows; empty: none.
    pub gives_up: String,
}

/// A metric of a setting.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Metric {
    /// Name of the metric.
    pub name: String,
    /// Unit; empty for a share.
    pub unit: String,
    /// Value, in the unit; null where too few messages arrive.
    pub value: Option<f64>,
    /// The 95 % confidence interval.
    pub interval95: Interval,
}

/// A setting measured on fresh seeds.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "TunedSetting")]
pub struct Setting {
    /// All that is set, as `--set` takes it.
    pub settings: BTreeMap<String, String>,
    /// Differences from the profile.
    pub turned: Vec<Turned>,
    /// Metrics; empty where it cannot be run.
    pub metrics: Vec<Metric>,
    /// Why it is not returned; null: it meets every limit at 95 % confidence.
    pub refused: Option<String>,
}

/// A setting that was tried during the search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Tried {
    /// All that is set, as `--set` takes it.
    pub settings: BTreeMap<String, String>,
    /// Value of each objective and limit, in its unit.
    pub values: BTreeMap<String, Option<f64>>,
    /// Whether it met the limits then.
    pub kept: bool,
    /// Why it cannot be run; null where it can.
    pub refused: Option<String>,
}

/// The outcome of tuning a link.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Tuned {
    /// Link profile.
    pub link: String,
    /// Payload, bytes; null where there is no message.
    pub size: Option<u64>,
    /// Random seed.
    pub seed: u64,
    /// Metrics to minimise.
    pub minimise: Vec<String>,
    /// Metrics to maximise.
    pub maximise: Vec<String>,
    /// Constraints.
    pub limits: Vec<Limit>,
    /// Region with whose rules it complies; null: none.
    pub region: Option<Region>,
    /// Messages of each run.
    pub count: u64,
    /// Runs of the search.
    pub runs: u64,
    /// Seeds on which the selected settings are re-measured.
    pub fresh_seeds: u64,
    /// Number of settings in the space; null: infinite.
    pub combinations: Option<u64>,
    /// The link as it is.
    pub untuned: Setting,
    /// The best setting, or the Pareto front; empty: no setting meets the limits.
    pub found: Vec<Setting>,
    /// Selected settings that do not hold at 95 % confidence on fresh seeds.
    pub turned_down: Vec<Setting>,
    /// Settings in the order tried.
    pub tried: Vec<Tried>,
}

/// Share of the variance of a metric that a parameter explains.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Index {
    /// The parameter; `chance` for the random seed.
    pub name: String,
    /// First-order index: by itself.
    pub first: f64,
    /// Its 95 % confidence interval.
    pub first_interval95: [f64; 2],
    /// Total index: with all interactions.
    pub total: f64,
    /// Its 95 % confidence interval.
    pub total_interval95: [f64; 2],
}

/// A metric over a whole space.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Indexed {
    /// The metric.
    pub metric: String,
    /// Unit; empty for a share.
    pub unit: String,
    /// Mean over the space.
    pub mean: f64,
    /// Standard deviation over the space; 0: constant.
    pub standard_deviation: f64,
    /// Parameters, the largest total index first; empty where the metric is constant.
    pub indices: Vec<Index>,
}

/// Sensitivity indices of each parameter over a whole space.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Indices {
    /// Link profile.
    pub link: String,
    /// Payload, bytes; null where there is no message.
    pub size: Option<u64>,
    /// Random seed.
    pub seed: u64,
    /// Range of each parameter.
    pub over: BTreeMap<String, String>,
    /// Constants that differ from the profile.
    pub settings: BTreeMap<String, String>,
    /// Messages of each run.
    pub count: u64,
    /// Number of runs.
    pub runs: u64,
    /// Each metric.
    pub metrics: Vec<Indexed>,
}
