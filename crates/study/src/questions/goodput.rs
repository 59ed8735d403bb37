//! Saturated goodput: the question, and its answer as printed by `--json`.

use std::collections::BTreeMap;

use airlag_kinds::calls::request::Call;
use airlag_rig::carry::Extent;
use airlag_rig::floor::Cycle;
use airlag_rig::kind::Kind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bench::{Bound, Settings};
use crate::answers::floor::{Floor, Part};
use crate::answers::latency::Latency;
use crate::error::Error;
use crate::goodput::{Goodput, goodput};
use crate::question::Answered;

/// Saturated goodput of a link.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "GoodputQuestion")]
pub struct Question {
    /// Link profile.
    pub link: String,
    /// Payload, bytes, or number of items for a call with items.
    #[serde(default = "size")]
    pub size: usize,
    /// Number of measured messages. Before these, a tenth as many are sent to fill the queues.
    #[serde(default = "count")]
    pub count: u64,
    /// Random seed.
    #[serde(default = "seed")]
    pub seed: u64,
    /// Constants that differ from the profile.
    #[serde(default)]
    pub settings: Settings,
    /// Messages, or RPC calls of one method.
    #[serde(default)]
    pub traffic: Carried,
}

pub(crate) const fn size() -> usize {
    128
}

pub(crate) const fn count() -> u64 {
    1_000
}

pub(crate) const fn seed() -> u64 {
    1
}

/// Traffic of a saturated link or of an offered load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Carried {
    /// Messages one way.
    #[default]
    Trigger,
    /// Calls that echo a text.
    RpcEcho,
    /// Calls that read bytes from the peripheral.
    RpcRead,
    /// Calls that write bytes to the peripheral.
    RpcWrite,
    /// Calls that stream items from the peripheral.
    RpcStream,
    /// Calls that upload items to the peripheral.
    RpcUpload,
}

impl Carried {
    /// Returns the call. `None` for messages.
    #[must_use]
    pub const fn call(self) -> Option<Call> {
        match self {
            Self::Trigger => None,
            Self::RpcEcho => Some(Call::Echo),
            Self::RpcRead => Some(Call::FlashRead),
            Self::RpcWrite => Some(Call::DataWrite),
            Self::RpcStream => Some(Call::CounterStream),
            Self::RpcUpload => Some(Call::CounterUpload),
        }
    }
}

/// Saturated goodput of a link: the sender always has a message ready.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Saturated {
    /// Link profile.
    pub link: String,
    /// Payload, bytes, or number of items for a call with items.
    pub size: usize,
    /// Random seed.
    pub seed: u64,
    /// Constants that differ from the profile, as given.
    pub settings: Settings,
    /// Delivered user data, kbit/s. For a link that sends in bursts, only whole bursts are counted.
    pub goodput_kbps: f64,
    /// Upper bound of the goodput from the formulas of the link, kbit/s.
    pub ceiling_kbps: Option<f64>,
    /// Messages that arrived during the measurement.
    pub delivered: u64,
    /// Messages that did not arrive although a later one did.
    pub lost: u64,
    /// Duration of the measurement, ns.
    pub elapsed_ns: u64,
    /// Messages, or RPC calls of one method.
    pub traffic: Carried,
}

impl Saturated {
    pub(crate) fn new(
        link: &str,
        size: usize,
        seed: u64,
        settings: &Settings,
        traffic: Carried,
        found: &Goodput,
    ) -> Self {
        Self {
            link: link.to_owned(),
            size,
            seed,
            settings: settings.clone(),
            goodput_kbps: found.kbps(),
            ceiling_kbps: found.ceiling_kbps(),
            delivered: found.delivered,
            lost: found.lost,
            elapsed_ns: found.elapsed_ns,
            traffic,
        }
    }
}

/// Saturated goodput of a link, with its time budget.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Goodput")]
pub struct Answer {
    /// Saturated goodput.
    #[serde(flatten)]
    pub saturated: Saturated,
    /// Interval between consecutive arrivals, ns. Null for fewer than two messages.
    pub gap_ns: Option<Latency>,
    /// Time by activity, largest first.
    pub spent: Vec<Part>,
    /// Named events, with counts.
    pub incidents: BTreeMap<&'static str, u32>,
    /// Derivation of the upper bound.
    pub ceiling: Ceiling,
}

/// Shortest possible cycle of an endless stream, from which the upper bound of the goodput follows.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Ceiling {
    /// Messages per cycle.
    pub messages: u64,
    /// Lower bound of the duration of a cycle.
    #[serde(flatten)]
    pub takes: Floor,
    /// Properties of real links of this kind that affect goodput and are not modelled.
    pub without: &'static [&'static str],
}

impl Ceiling {
    fn of(cycle: &Cycle, kind: Kind) -> Self {
        Self { messages: cycle.messages, takes: Floor::from(&cycle.takes), without: kind.without() }
    }
}

/// Measures the saturated goodput of a link.
///
/// # Errors
///
/// [`Error`] for an unknown profile or setting. The errors of [`goodput`](crate::goodput()) are
/// returned too.
pub fn answer(question: &Question) -> Result<Answered<Answer>, Error> {
    let Question { link, size, count, seed, settings, traffic } = question;
    let Bound { profile, .. } = Bound::of(link, settings)?;
    let extent =
        Extent { spans: true, exchange: traffic.call().map(Call::traffic), ..Extent::of(*count) };
    let found = goodput(&profile, *size, *seed, extent)?;
    let spent = found.spent.iter().map(|&(label, ns)| Part::of(label, ns as i64)).collect();
    Ok(Answered::plain(Answer {
        saturated: Saturated::new(link, *size, *seed, settings, *traffic, &found),
        gap_ns: Latency::of(&found.gaps_ns),
        spent,
        incidents: found.incidents,
        ceiling: Ceiling::of(&found.ceiling, profile.kind),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traffic_is_called_as_its_call() {
        let all = [
            Carried::RpcEcho,
            Carried::RpcRead,
            Carried::RpcWrite,
            Carried::RpcStream,
            Carried::RpcUpload,
        ];
        for (carried, call) in all.into_iter().zip(Call::ALL) {
            assert_eq!(carried.call(), Some(call));
            let name = serde_json::to_value(carried).expect("a word");
            assert_eq!(name, call.name());
        }
    }
}
