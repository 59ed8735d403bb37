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
    /// Payload, bytes. For `rpc-stream` and `rpc-upload`: number of items per call.
    #[serde(default = "size")]
    pub size: usize,
    /// Number of measured messages. A warm-up with a tenth as many messages fills the queues before the
    /// measurement.
    #[serde(default = "count")]
    pub count: u64,
    /// Random seed.
    #[serde(default = "seed")]
    pub seed: u64,
    /// Profile parameters to change, by name. Values are text in the syntax of `--set`.
    #[serde(default)]
    pub settings: Settings,
    /// Traffic that saturates the link: one-way messages, or remote procedure calls of one method.
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
    /// Payload, bytes. For `rpc-stream` and `rpc-upload`: number of items per call.
    pub size: usize,
    /// Random seed.
    pub seed: u64,
    /// Changed profile parameters, by name. Values are text in the syntax of `--set`.
    pub settings: Settings,
    /// Delivered user data, kbit/s. For a link that sends in bursts, only whole bursts are counted.
    pub goodput_kbps: f64,
    /// Upper bound of the goodput, computed from frame durations and mandatory gaps, kbit/s. Null if these
    /// take no time.
    pub ceiling_kbps: Option<f64>,
    /// Messages that arrived during the measurement.
    pub delivered: u64,
    /// Messages that did not arrive although a later one did.
    pub lost: u64,
    /// Duration of the measurement, ns: from the first arrival after the warm-up to the last arrival.
    pub elapsed_ns: u64,
    /// Traffic that saturates the link: one-way messages, or remote procedure calls of one method.
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
    /// Part of the measured time that each activity took, longest first.
    pub spent: Vec<Part>,
    /// Events that the link model counts, such as `retry`: number of occurrences by name.
    pub incidents: BTreeMap<&'static str, u32>,
    /// Derivation of `ceiling_kbps`.
    pub ceiling: Ceiling,
}

/// Shortest possible cycle of an endless stream of messages. It gives the upper bound of the goodput.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Ceiling {
    /// Number of messages that the link sends in one cycle. A cycle lasts from the start of one group of
    /// messages to the start of the next group.
    pub messages: u64,
    /// Lower bound of the duration of a cycle.
    #[serde(flatten)]
    pub takes: Floor,
    /// Features of real links of this kind that change the goodput, but that airlag does not simulate, such
    /// as rate control.
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
