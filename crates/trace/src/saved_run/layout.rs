//! Description of the edges of a run: JSON in the file's metadata, entry `trace`.
//!
//! ```json
//! {"epoch_unix_ns": null, "sample_rate_hz": 250000000.0, "channels":
//!   [{"name": "trigger", "begin_end_initial_edges": [[0, 9000000, false, 2]]}]}
//! ```
//!
//! In the entry `trace`, each segment of a channel is stored as its start and end in ns, its initial level
//! and its number of edges. If the current was measured, `trace` also contains the key `current` with the
//! name of the supply, the peak current in nA, and the number of knots (stored points of the charge) of each
//! stretch (part of the measurement without a gap). All entries of the metadata other than `trace` belong to
//! the caller. Of the caller's entries, only `format` is read here.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::FORMAT;
use crate::current::{Current, Stretch};
use crate::trace::{Channel, Segment, Trace};

/// Largest distance of an instant from 0, ns, so that the difference of two fits into 64 bits.
const FARTHEST_NS: i64 = 1 << 62;
/// Largest number of channels, because `edge_channel` has 8 bits.
const MOST_CHANNELS: usize = 256;

/// Channels and segments of the edges in a file.
#[derive(Serialize, Deserialize)]
pub(super) struct Layout {
    epoch_unix_ns: Option<i64>,
    sample_rate_hz: Option<f64>,
    channels: Vec<Wire>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    current: Option<Metered>,
}

/// Description of a measured current: the supply, the peak, and the number of knots of each stretch.
#[derive(Serialize, Deserialize)]
struct Metered {
    supply: String,
    peak_na: u64,
    knots: Vec<u64>,
}

#[derive(Serialize, Deserialize)]
struct Wire {
    name: String,
    begin_end_initial_edges: Vec<(i64, i64, bool, u64)>,
}

#[derive(Deserialize)]
struct Version {
    format: Option<Value>,
}

#[derive(Deserialize)]
struct Evidence {
    // A missing entry differs from null.
    #[serde(default, deserialize_with = "given")]
    trace: Option<Option<Layout>>,
}

fn given<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<Layout>>, D::Error> {
    Option::deserialize(from).map(Some)
}

impl Layout {
    /// Describes a trace.
    pub fn of(trace: &Trace) -> Self {
        let wire = |channel: &Channel| Wire {
            name: channel.name.clone(),
            begin_end_initial_edges: channel
                .segments
                .iter()
                .map(|s| (s.begin_ns, s.end_ns, s.initial, s.edges_ns.len() as u64))
                .collect(),
        };
        let Trace { epoch_unix_ns, sample_rate_hz, ref channels, ref current } = *trace;
        let current = current.as_ref().map(|current| Metered {
            supply: current.supply.clone(),
            peak_na: current.peak_na,
            knots: current.stretches.iter().map(|of| of.at_ns.len() as u64).collect(),
        });
        let channels = channels.iter().map(wire).collect();
        Self { epoch_unix_ns, sample_rate_hz, channels, current }
    }

    /// Reads the layout from the metadata of a run. Returns `None` for a table of latencies.
    ///
    /// # Errors
    /// A phrase that describes the problem.
    pub fn read(metadata: &str) -> Result<Option<Self>, String> {
        if !metadata.trim_start().starts_with('{') {
            return Err("not a JSON table; expected the table of a run".into());
        }
        let no_json = |_| String::from("not JSON as airlag writes it");
        let Version { format } = serde_json::from_str(metadata).map_err(no_json)?;
        if format.as_ref().and_then(Value::as_u64) != Some(FORMAT) {
            let found = format.unwrap_or_default().to_string();
            let found: String = found.chars().take(20).collect();
            return Err(format!(
                "run format {found} is unknown; this version of airlag reads {FORMAT}"
            ));
        }
        let Evidence { trace } = serde_json::from_str(metadata)
            .map_err(|_| "`trace` is not how airlag describes edges".to_owned())?;
        let layout = trace.ok_or("`trace` is missing")?;
        layout.map(Self::checked).transpose()
    }

    fn checked(self) -> Result<Self, String> {
        let wrong = |key: &str, right: &str| Err(format!("`{key}` is not {right}"));
        let near = |ns: i64| (-FARTHEST_NS..=FARTHEST_NS).contains(&ns);
        if self.channels.len() > MOST_CHANNELS {
            return wrong("channels", &format!("at most {MOST_CHANNELS} channels"));
        }
        if !self.epoch_unix_ns.is_none_or(near) {
            return wrong("epoch_unix_ns", "an instant within 146 years of 0");
        }
        if !self.sample_rate_hz.is_none_or(|rate_hz| rate_hz > 0.0 && rate_hz < 1e18) {
            return wrong("sample_rate_hz", "a rate in Hz");
        }
        for (index, Wire { begin_end_initial_edges: stretches, .. }) in
            self.channels.iter().enumerate()
        {
            let mut before_ns = -FARTHEST_NS;
            for &(begin_ns, end_ns, ..) in stretches {
                if begin_ns < before_ns || end_ns < begin_ns || !near(end_ns) {
                    return wrong(&format!("channels[{index}]"), "stretches in time order");
                }
                before_ns = end_ns;
            }
        }
        Ok(self)
    }

    /// Declared number of edges.
    pub fn edges(&self) -> u64 {
        let stretches = self.channels.iter().flat_map(|wire| &wire.begin_end_initial_edges);
        stretches.fold(0, |sum, &(.., edges)| sum.saturating_add(edges))
    }

    /// Returns the channels, still without edges. Memory for all edges is allocated, so the caller must have
    /// checked their declared number.
    pub fn filling(self) -> Filling {
        let stretch = |(begin_ns, end_ns, initial, edges): (i64, i64, bool, u64)| {
            let edges = usize::try_from(edges).unwrap_or(0);
            let edges_ns = Vec::with_capacity(edges);
            (Segment { begin_ns, end_ns, initial, edges_ns }, edges)
        };
        let wires = self.channels.into_iter().map(|wire| {
            let stretches = wire.begin_end_initial_edges.into_iter().map(stretch).collect();
            FillingWire { name: wire.name, stretches, at: 0 }
        });
        Filling {
            epoch_unix_ns: self.epoch_unix_ns,
            sample_rate_hz: self.sample_rate_hz,
            wires: wires.collect(),
        }
    }

    /// Declared number of knots. `None` without a current.
    pub fn knots(&self) -> Option<u64> {
        let knots = &self.current.as_ref()?.knots;
        Some(knots.iter().fold(0, |sum, &count| sum.saturating_add(count)))
    }

    /// Returns the current with these times and charges. `None` if their number differs from
    /// [`Layout::knots`], or they are not in time order.
    pub fn current(&self, at_ns: &[i64], charge_fc: &[i64]) -> Option<Current> {
        let Metered { supply, peak_na, knots } = self.current.as_ref()?;
        let (mut at_ns, mut charge_fc, mut stretches) = (at_ns, charge_fc, Vec::new());
        let near = |ns: &i64| (-FARTHEST_NS..=FARTHEST_NS).contains(ns);
        if !at_ns.is_sorted_by(|one, next| one < next) || !at_ns.iter().all(near) {
            return None;
        }
        for &count in knots {
            let count = usize::try_from(count).ok()?;
            let (instants, later) = at_ns.split_at_checked(count)?;
            let (charges, more) = charge_fc.split_at_checked(count)?;
            (at_ns, charge_fc) = (later, more);
            stretches.push(Stretch { at_ns: instants.to_vec(), charge_fc: charges.to_vec() });
        }
        let (is_whole, supply) = (at_ns.is_empty() && charge_fc.is_empty(), supply.clone());
        is_whole.then_some(Current { supply, peak_na: *peak_na, stretches })
    }
}

/// A trace that is being filled with edges.
pub(super) struct Filling {
    epoch_unix_ns: Option<i64>,
    sample_rate_hz: Option<f64>,
    wires: Vec<FillingWire>,
}

struct FillingWire {
    name: String,
    stretches: Vec<(Segment, usize)>,
    /// Index of the segment for the next edge, unless it is full.
    at: usize,
}

impl Filling {
    /// Appends an edge to its channel. Returns `None` if the layout declares no such edge.
    #[inline]
    pub fn push(&mut self, channel: i32, at_ns: i64) -> Option<()> {
        let wire = self.wires.get_mut(usize::try_from(channel).ok()?)?;
        loop {
            let (segment, edges) = wire.stretches.get_mut(wire.at)?;
            if segment.edges_ns.len() == *edges {
                wire.at += 1;
                continue;
            }
            let last_ns = segment.edges_ns.last().copied().unwrap_or(segment.begin_ns);
            if at_ns < last_ns || at_ns > segment.end_ns {
                return None;
            }
            segment.edges_ns.push(at_ns);
            return Some(());
        }
    }

    /// Returns the complete trace, or `None` if edges are missing.
    pub fn finish(self) -> Option<Trace> {
        let channel = |FillingWire { name, stretches, .. }: FillingWire| {
            let whole = |(segment, edges): (Segment, usize)| {
                (segment.edges_ns.len() == edges).then_some(segment)
            };
            let segments = stretches.into_iter().map(whole).collect::<Option<_>>()?;
            Some(Channel { name, segments })
        };
        let channels = self.wires.into_iter().map(channel).collect::<Option<_>>()?;
        let Self { epoch_unix_ns, sample_rate_hz, .. } = self;
        Some(Trace { epoch_unix_ns, sample_rate_hz, channels, current: None })
    }
}
