//! Interface between readers and users of a capture: rows of levels in time order, one row per instant of
//! change.
//!
//! Readers of formats that store all channels together (CSV, VCD, sigrok) stream the rows of a file directly
//! into a [`Sink`]. The triggers and completions in a file of gigabytes can therefore be paired without
//! storing the file in memory. [`Recorder`] is a sink that stores everything. [`replay`](crate::replay())
//! converts the stored data back to rows.

use crate::error::Problem;
use crate::memory::{Held, MemoryLimit};
use crate::trace::{Channel, Segment, Trace};

/// Memory per stored edge, bytes.
pub(crate) const EDGE_BYTES: usize = size_of::<i64>();
/// Memory per stored segment without its edges, bytes.
pub(crate) const SEGMENT_BYTES: usize = size_of::<Segment>();

/// Largest number of channels of a row, one bit each.
pub const MAX_CHANNELS: usize = 64;

/// Properties of a capture that a reader passes before the first row.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// Names of the selected channels, bit 0 first.
    pub names: Vec<String>,
    /// Wall-clock time of instant 0, ns since 1970, where recorded.
    pub epoch_unix_ns: Option<i64>,
    /// Sample rate, Hz, where recorded.
    pub sample_rate_hz: Option<f64>,
}

/// Levels of all selected channels from an instant on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Instant, ns on the clock of the trace.
    pub at_ns: i64,
    /// Bit `i` is the level of channel `i`, 0 if unknown.
    pub levels: u64,
    /// Bit `i` is set while channel `i` is observed, and clear in a gap.
    pub known: u64,
}

/// Receives a capture in time order: `header`, then `row` once for the initial state and once per
/// change, then `end`.
pub trait Sink {
    /// Receives the header. Called once, before all rows.
    fn header(&mut self, header: Header);
    /// Receives a row. Calls have ascending `at_ns`. A row without a change is permitted and has no
    /// effect.
    fn row(&mut self, row: Row);
    /// Receives the end of the observation. Called once, after all rows.
    fn end(&mut self, at_ns: i64);
    /// Returns the problem that prevents further rows, if any. Readers call this method after every
    /// block of rows, and stop if it returns a problem.
    fn refusal(&self) -> Option<Problem> {
        None
    }
}

/// A sink that stores every edge.
#[derive(Debug, Default)]
pub struct Recorder {
    trace: Trace,
    held: Held,
    known: u64,
    levels: u64,
}

impl Recorder {
    /// A recorder with a memory limit.
    #[must_use]
    pub fn within(memory: MemoryLimit) -> Self {
        Self { held: Held::within(memory), ..Self::default() }
    }

    /// Returns the finished trace.
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
