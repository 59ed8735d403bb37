//! Benchmarks of remote procedure calls: the questions, and their answers as printed by `--json`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bench::{Bound, Settings};
use super::goodput::seed;
use crate::answers::latency::Latency;
use crate::answers::words::words;
use crate::error::Error;
use crate::question::Answered;
use crate::rpc::gains::{GAINS, Gain, gains};
use crate::rpc::published::{PLATFORMS, Platform};
use crate::rpc::{Benchmark, Measured, benchmarks};

/// The benchmarks of a platform.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "RpcBenchQuestion")]
pub struct Question {
    /// The platform.
    pub platform: String,
    /// Random seed.
    #[serde(default = "seed")]
    pub seed: u64,
    /// Profile parameters to change, by name. Values are text in the syntax of `--set`.
    #[serde(default)]
    pub settings: Settings,
    /// Link profile. Absent means the profile of the platform.
    #[serde(default)]
    pub link: Option<String>,
    /// Whether to measure each improvement alone, and all together.
    #[serde(default)]
    pub gains: bool,
}

/// A benchmark on one platform.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "RpcBenchmark")]
pub struct Row {
    /// The platform.
    pub platform: RpcPlatform,
    /// Name of the benchmark.
    pub benchmark: &'static str,
    /// Published result for this platform and its link. Null if there is none.
    pub published: Option<f64>,
    /// Measured result. Null if a call failed.
    pub measured: Option<f64>,
    /// Unit of both results.
    pub unit: RpcUnit,
    /// Whether constants of the link are calibrated on this benchmark.
    pub fitted: bool,
    /// Number of measured calls, without warm-up calls.
    pub calls: usize,
    /// Number of measured calls with a response.
    pub answered: usize,
    /// Latency of a call. Null if only the total time of all calls was measured.
    pub latency_ns: Option<Latency>,
    /// Changed profile parameters, by name. Values are text in the syntax of `--set`.
    pub settings: Settings,
    /// Improvement that this row measures. Absent without `--gains`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<&'static str>,
}

words! {
    /// Central of the connection: one of three with published results, a chip, or a computer with an adapter.
    RpcPlatform: PLATFORMS.map(|platform| platform.name).to_vec();
    /// Unit of a benchmark. A KiB is 1024 bytes. The article writes KB.
    RpcUnit: vec!["KiB/s", "ms/call", "ms/item"];
}

/// Finds a platform by name.
fn platform(name: &str) -> Result<Platform, Error> {
    let found = PLATFORMS.into_iter().find(|platform| platform.name == name);
    found.ok_or_else(|| Error::NoPlatform { name: name.to_owned() })
}

/// Builds a row of the answer. `as_is` is true if the link is the published one.
fn row(platform: &Platform, found: &Measured, settings: &Settings, as_is: bool) -> Row {
    Row {
        platform: RpcPlatform(platform.name),
        benchmark: found.benchmark.name(),
        // A published figure applies only to the link as it was published.
        published: platform.published(found.benchmark).filter(|_| as_is),
        measured: found.result,
        unit: RpcUnit(found.benchmark.unit()),
        fitted: as_is && platform.fitted_on.contains(&found.benchmark),
        calls: found.calls,
        answered: found.answered,
        latency_ns: found.latency.as_ref().map(Latency::from),
        settings: settings.clone(),
        gain: None,
    }
}

/// Runs the six benchmarks over the link of a platform, or over another link. Optionally repeats them with
/// each improvement.
///
/// # Errors
///
/// [`Error::NoPlatform`] for an unknown platform, and [`Error`] for an unknown profile or setting.
/// Errors of a run are returned too.
pub fn answer(question: &Question) -> Result<Answered<Vec<Row>>, Error> {
    let Question { seed, settings, link, .. } = question;
    let platform = platform(&question.platform)?;
    let own = platform.link();
    let Bound { profile, .. } = Bound::of(link.as_deref().unwrap_or(&own), settings)?;
    let as_is = settings.is_empty() && link.is_none();
    if !question.gains {
        let found = benchmarks(&profile, *seed)?;
        let rows = found.iter().map(|one| row(&platform, one, settings, as_is));
        return Ok(Answered::plain(rows.collect()));
    }
    let rows = |(gain, all): (Gain, Vec<Measured>)| {
        let as_is = as_is && gain == GAINS[0];
        let mut changed = settings.clone();
        changed.extend(gain.settings.iter().map(|&(key, to)| (key.to_owned(), to.to_owned())));
        let row =
            |one: &Measured| Row { gain: Some(gain.name), ..row(&platform, one, &changed, as_is) };
        all.iter().map(row).collect::<Vec<_>>()
    };
    Ok(Answered::plain(gains(&profile, *seed)?.into_iter().flat_map(rows).collect()))
}

/// Question for the platforms, with and without published results.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "RpcPlatformsQuestion")]
pub struct Platforms {}

/// A platform and its published results.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "PublishedPlatform")]
pub struct Published {
    /// The platform.
    pub name: RpcPlatform,
    /// Its link profile.
    pub link: String,
    /// Published result by benchmark. Null if there is none.
    pub published: BTreeMap<&'static str, Option<f64>>,
    /// Unit by benchmark.
    pub units: BTreeMap<&'static str, RpcUnit>,
    /// Benchmarks on which constants of its link are calibrated.
    pub fitted_on: Vec<&'static str>,
    /// Contradiction between the published figures and the timing of the link. Null if there is
    /// none.
    pub disagrees: Option<&'static str>,
}

/// Lists the platforms.
#[must_use]
pub fn platforms() -> Answered<Vec<Published>> {
    let by_name = |platform: &Platform| Published {
        name: RpcPlatform(platform.name),
        link: platform.link(),
        published: Benchmark::ALL
            .iter()
            .map(|&one| (one.name(), platform.published(one)))
            .collect(),
        units: Benchmark::ALL.iter().map(|one| (one.name(), RpcUnit(one.unit()))).collect(),
        fitted_on: platform.fitted_on.iter().map(|one| one.name()).collect(),
        disagrees: platform.disagrees,
    };
    Answered::plain(PLATFORMS.iter().map(by_name).collect())
}
