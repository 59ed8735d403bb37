//! Where readers pour a capture: rows of levels in time order, one row per instant of change.
//!
//! Formats that keep all channels together (CSV, VCD, sigrok) stream straight into a [`Sink`], so
//! that gigabytes can be paired without being held. [`Recorder`] is the sink that keeps
//! everything; [`replay`](crate::replay()) turns what it kept back into rows.

use crate::error::Problem;
use crate::memory::{Held, MemoryLimit};
use crate::trace::{Channel, Segment, Trace};

/// What an edge takes that is kept.
pub(crate) const EDGE_BYTES: usize = size_of::<i64>();
/// What a segment takes that is kept, without its edges.
pub(crate) const SEGMENT_BYTES: usize = size_of::<Segment>();

/// Most channels a row can carry; one bit each.
pub const MAX_CHANNELS: usize = 64;

/// What is known before the first row.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// Selected channels, bit 0 first.
    pub names: Vec<String>,
    /// Wall-clock time of instant 0, ns since 1970, if the file tells.
    pub epoch_unix_ns: Option<i64>,
    /// Samples per second, if the file tells.
    pub sample_rate_hz: Option<f64>,
}

/// The state of all selected channels from one instant on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Instant, ns on the trace's clock.
    pub at_ns: i64,
    /// Level of channel `i` in bit `i`; 0 where not known.
    pub levels: u64,
    /// Bit `i` is set while channel `i` is observed; clear inside a gap.
    pub known: u64,
}

/// Receives a capture in time order: `header`, then `row` once for the initial state and once per
/// change, then `end`.
pub trait Sink {
    /// Called once, first.
    fn header(&mut self, header: Header);
    /// Called with ascending `at_ns`. A row that changes nothing is allowed and means nothing.
    fn row(&mut self, row: Row);
    /// Called once, last: the instant observation stopped.
    fn end(&mut self, at_ns: i64);
    /// Why it takes no more rows, if so. Readers ask after every block of rows, and stop.
    fn refusal(&self) -> Option<Problem> {
        None
    }
}

/// A sink that keeps every edge.
#[derive(Debug, Default)]
pub struct Recorder {
    trace: Trace,
    held: Held,
    known: u64,
    levels: u64,
}

impl Recorder {
    /// A recorder that holds at most this much.
    #[must_use]
    pub fn within(memory: MemoryLimit) -> Self {
        Self { held: Held::within(memory), ..Self::default() }
    }

    /// The finished trace.
    #[must_use]
    pub fn into_trace(self) -> Trace {
        self.trace
    }

    #[cold]
    fn open(&mut self, channel: usize, at_ns: i64, initial: bool) {
        let segment = Segment { begin_ns: at_ns, end_ns: at_ns, initial, edges_ns: Vec::new() };
        self.held.push(&mut self.trace.channels[channel].segments, segment, SEGMENT_BYTES);
    }

    fn close(&mut self, channel: usize, at_ns: i64) {
        if let Some(open) = self.trace.channels[channel].segments.last_mut() {
            open.end_ns = at_ns;
        }
    }
}

impl Sink for Recorder {
    fn header(&mut self, header: Header) {
        self.trace = Trace {
            epoch_unix_ns: header.epoch_unix_ns,
            sample_rate_hz: header.sample_rate_hz,
            channels: header
                .names
                .into_iter()
                .map(|name| Channel { name, segments: Vec::new() })
                .collect(),
            current: None,
        };
        (self.known, self.levels) = (0, 0);
    }

    #[inline(always)]
    fn row(&mut self, row: Row) {
        let Row { at_ns, levels, known } = row;
        let mut changed = (levels ^ self.levels) | (known ^ self.known);
        while changed != 0 {
            let channel = changed.trailing_zeros() as usize;
            let bit = 1u64 << channel;
            changed &= changed - 1;
            match (self.known & bit != 0, known & bit != 0) {
                (true, true) => {
                    if let Some(open) = self.trace.channels[channel].segments.last_mut() {
                        self.held.push(&mut open.edges_ns, at_ns, EDGE_BYTES);
                    }
                }
                (false, true) => self.open(channel, at_ns, levels & bit != 0),
                (true, false) => self.close(channel, at_ns),
                (false, false) => {}
            }
        }
        (self.known, self.levels) = (known, levels & known);
    }

    fn end(&mut self, at_ns: i64) {
        for channel in 0..self.trace.channels.len() {
            if self.known & (1 << channel) != 0 {
                self.close(channel, at_ns);
            }
        }
    }

    fn refusal(&self) -> Option<Problem> {
        self.held.refusal()
    }
}
