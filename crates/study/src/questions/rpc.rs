//! The questions of calls, and their answers as `--json` prints them.

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
    /// Constants that differ from the profile.
    #[serde(default)]
    pub settings: Settings,
    /// Link profile in place of that of the platform.
    #[serde(default)]
    pub link: Option<String>,
    /// Each improvement by itself, and all together.
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
    /// Published result for this platform and its link; null: none.
    pub published: Option<f64>,
    /// Measured result; null if a call failed.
    pub measured: Option<f64>,
    /// Unit of both.
    pub unit: RpcUnit,
    /// Whether constants of the link are calibrated on this benchmark.
    pub fitted: bool,
    /// Calls, without those to warm up.
    pub calls: usize,
    /// Calls of these that were answered.
    pub answered: usize,
    /// Latency of a call; null: measured only all together.
    pub latency_ns: Option<Latency>,
    /// Constants that differ from the profile, as given.
    pub settings: Settings,
    /// The improvement, with `--gains`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<&'static str>,
}

words! {
    /// A central: three with published results, a chip, and a computer with an adapter.
    RpcPlatform: PLATFORMS.map(|platform| platform.name).to_vec();
    /// Unit of a benchmark. A KiB is what the article calls KB.
    RpcUnit: vec!["KiB/s", "ms/call", "ms/item"];
}

/// A platform by its name.
fn platform(name: &str) -> Result<Platform, Error> {
    let found = PLATFORMS.into_iter().find(|platform| platform.name == name);
    found.ok_or_else(|| Error::NoPlatform { name: name.to_owned() })
}

/// A benchmark with these settings; `as_is` if the link is the one that was published.
fn row(platform: &Platform, found: &Measured, settings: &Settings, as_is: bool) -> Row {
    Row {
        platform: RpcPlatform(platform.name),
        benchmark: found.benchmark.name(),
        // A figure is of the link it was published for.
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

/// Runs the six benchmarks over the link of a platform, or over another; with each improvement, if
/// asked for.
///
/// # Errors
///
/// [`Error::NoPlatform`], those of a run, and a profile or a setting that does not exist.
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

/// The platforms whose figures were published, and those that could have some.
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
    /// Published result by benchmark; null: none.
    pub published: BTreeMap<&'static str, Option<f64>>,
    /// Unit by benchmark.
    pub units: BTreeMap<&'static str, RpcUnit>,
    /// Benchmarks on which constants of its link are calibrated.
    pub fitted_on: Vec<&'static str>,
    /// Where the article and physics disagree; null: nowhere.
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
