//! A sweep as a function from run number to run, without a list of runs.
//!
//! Configurations are numbered link by link, from 0. Within a link, the payload varies fastest, and the last
//! axis of the sweep file varies next fastest. Each configuration is run at most `most` times, with different
//! seeds. Each of these runs is a replication. Run `c * most + r` is replication `r` of configuration `c`.

use serde::Serialize;
use serde_json::{Map, Value};

use super::super::duration::parse;
use super::axis::Axis;
use super::columns::Column;
use super::stop::Stop;
use crate::answers::law::Region;
use crate::questions::bench::Settings;

/// Stimulus options that an axis may set besides parameters of a profile.
pub(super) const STIMULUS: [&str; 5] = ["count", "period", "phase", "traffic", "places"];
/// Axis name of the payload.
pub(super) const SIZE: &str = "size";
/// Default number of triggers.
const COUNT: u64 = 1000;

/// Settings of a run, as text, by name.
pub type Sets = Vec<(String, String)>;

/// The configurations of one link.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Link profile.
    pub link: String,
    /// Axes. The last one varies fastest.
    pub(super) axes: Vec<Axis>,
}

impl Block {
    /// Number of configurations.
    #[must_use]
    pub fn many(&self) -> u64 {
        self.axes.iter().map(Axis::many).fold(1, u64::saturating_mul)
    }

    /// Names of everything that is set.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.axes.iter().flat_map(|axis| axis.names()).collect()
    }

    pub(super) fn at(&self, mut place: u64) -> Sets {
        let mut parts = Vec::new();
        for axis in self.axes.iter().rev() {
            parts.push(axis.at(place % axis.many()));
            place /= axis.many();
        }
        parts.into_iter().rev().flatten().collect()
    }

    /// The settings that are parameters of the profile.
    pub(super) fn parameters(&self, sets: Sets) -> Settings {
        sets.into_iter().filter(|(name, _)| is_parameter(name)).collect()
    }
}

fn is_parameter(name: &str) -> bool {
    name != SIZE && !STIMULUS.contains(&name)
}

/// Seeds of the runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Seeds {
    /// One seed per replication.
    Listed(Vec<u64>),
    /// Consecutive seeds from a first one. If paired, all configurations use the same seeds for
    /// their replications, so that chance does not affect their differences.
    From { first: u64, paired: bool },
}

/// A sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Name of the sweep.
    pub name: String,
    /// Configurations by link.
    pub blocks: Vec<Block>,
    /// Number of replications per configuration. With `stop`, the largest number.
    pub most: u64,
    /// Criterion to stop before that number.
    pub stop: Option<Stop>,
    /// Region whose regulatory limits runs are checked against.
    pub region: Option<Region>,
    /// Whether every transfer is written.
    pub transfers: bool,
    /// Whether an unsupported combination yields a row without results. Otherwise it ends the sweep.
    pub keep_impossible: bool,
    /// Columns of the settings.
    pub columns: Vec<Column>,
    /// Canonical definition of the sweep. Equal definitions give equal rows.
    pub asked: Map<String, Value>,
    /// Digest of the points of a design.
    pub digest: Option<String>,
    pub(super) seeds: Seeds,
}

/// One run of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Task {
    /// Link profile.
    pub link: String,
    /// Payload, bytes.
    pub size: Option<u64>,
    /// Number of triggers.
    pub count: u64,
    /// Time between triggers, ns.
    pub period_ns: Option<i64>,
    /// Phase of the triggers.
    pub phase: String,
    /// Random seed.
    pub seed: u64,
    /// Parameters as text, in the order of the file.
    pub settings: Map<String, Value>,
    /// Traffic at each trigger.
    pub traffic: String,
    /// Number of simulated locations.
    pub places: Option<u64>,
}

impl Plan {
    /// Number of configurations.
    #[must_use]
    pub fn configurations(&self) -> u64 {
        self.blocks.iter().map(Block::many).fold(0, u64::saturating_add)
    }

    /// Link and settings of a configuration. Returns `None` beyond the last one.
    #[must_use]
    pub fn sets(&self, configuration: u64) -> Option<(&str, Sets)> {
        let mut first = 0;
        for block in &self.blocks {
            let many = block.many();
            if configuration < first + many {
                return Some((&block.link, block.at(configuration - first)));
            }
            first += many;
        }
        None
    }

    /// Task of run number `run`. Returns `None` beyond the last one.
    #[must_use]
    pub fn task(&self, run: u64) -> Option<Task> {
        let (configuration, replication) = (run / self.most, run % self.most);
        let (link, sets) = self.sets(configuration)?;
        let seed = match &self.seeds {
            Seeds::Listed(roots) => roots[replication as usize],
            Seeds::From { first, paired } => {
                let nth = if *paired { replication } else { run };
                // Seeds wrap around after the largest.
                (u128::from(*first) + u128::from(nth)) as u64 & super::super::LARGEST_SEED
            }
        };
        let text = |name: &str| sets.iter().find(|(known, _)| known == name).map(|(_, text)| text);
        let number = |name: &str| text(name).and_then(|text| text.parse().ok());
        let word = |name: &str, usual: &str| text(name).map_or(usual, String::as_str).to_owned();
        Some(Task {
            link: link.to_owned(),
            size: number(SIZE),
            count: number("count").unwrap_or(COUNT),
            period_ns: text("period").and_then(|text| parse(text).ok()),
            phase: word("phase", "uniform"),
            seed,
            traffic: word("traffic", "trigger"),
            places: number("places"),
            settings: sets
                .iter()
                .filter(|(name, _)| is_parameter(name))
                .map(|(name, text)| (name.clone(), Value::from(text.as_str())))
                .collect(),
        })
    }
}
