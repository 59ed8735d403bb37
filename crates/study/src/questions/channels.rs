//! `airlag channels`: activity on each channel of a capture. The channels of a sniffer recording are its
//! streams, with a pulse for each frame.

use airlag_stats::sniff::Sniff;
use airlag_trace::{ReadOptions, Survey, replay};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::question::{Answered, Given};

/// Options for a capture. The capture is passed separately.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ChannelsQuestion")]
pub struct Question {
    /// Name of the capture.
    pub source: String,
}

/// One channel of a capture, or one stream of a sniffer recording.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Wire {
    /// Index from 0. `--trigger` and `--completion` accept it instead of the name.
    pub position: usize,
    /// Name of the channel.
    pub name: String,
    /// First observed level: true for high. Null if the level was never observed.
    pub initial: Option<bool>,
    /// Number of edges.
    pub edges: u64,
    /// Number of rising edges.
    pub rises: u64,
    /// Rising edges per second of observation.
    pub rate_hz: Option<f64>,
    /// Share of the time for which the channel is high.
    pub high: Option<f64>,
    /// Shortest complete high pulse, ns.
    pub shortest_high_ns: Option<i64>,
    /// Shortest complete low pulse, ns.
    pub shortest_low_ns: Option<i64>,
}

/// The channels of a capture.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Channels")]
pub struct Answer {
    /// The file that was read.
    pub source: String,
    /// Time from the first to the last observed instant, ns.
    pub duration_ns: i64,
    /// Sample rate, Hz. Null if the capture does not state it.
    pub sample_rate_hz: Option<f64>,
    /// The channels, in the order of the capture.
    pub channels: Vec<Wire>,
}

/// Counts the edges of every channel without storing them.
///
/// # Errors
///
/// [`Error::Capture`] if the input cannot be used.
pub fn answer(question: &Question, given: Given<'_>) -> Result<Answered<Answer>, Error> {
    let mut found = Survey::default();
    match given {
        Given::Capture(input, memory) if input.format().has_packets() => {
            replay(&Sniff::read(input, memory)?.edges(), &mut found);
        }
        Given::Capture(input, memory) => {
            input.read_into(&ReadOptions { memory, ..ReadOptions::default() }, &mut found)?;
        }
        Given::Trace(trace) => replay(trace, &mut found),
        _ => return Err(Error::Question { cause: "expected a capture or its edges".to_owned() }),
    }
    let duration_ns = found.begin_ns.map_or(0, |begin_ns| found.end_ns - begin_ns);
    let wires = found.wires.into_iter().enumerate().map(|(position, wire)| {
        let seen = (wire.observed_ns > 0).then_some(wire.observed_ns as f64);
        Wire {
            position,
            name: wire.name,
            initial: wire.initial,
            edges: wire.rises + wire.falls,
            rises: wire.rises,
            rate_hz: seen.map(|seen| wire.rises as f64 / seen * 1e9),
            high: seen.map(|seen| wire.high_ns as f64 / seen),
            shortest_high_ns: wire.shortest_high_ns,
            shortest_low_ns: wire.shortest_low_ns,
        }
    });
    let channels = wires.collect();
    let (source, sample_rate_hz) = (question.source.clone(), found.sample_rate_hz);
    Ok(Answered::plain(Answer { source, duration_ns, sample_rate_hz, channels }))
}
