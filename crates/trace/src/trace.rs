//! A capture in memory: per channel, when its level changed and when nobody was looking.

use crate::current::Current;

/// A stretch of one channel without a gap. Levels alternate at every edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// First instant observed, ns on the trace's clock.
    pub begin_ns: i64,
    /// Last instant observed, ns on the trace's clock. An edge may lie exactly on it.
    pub end_ns: i64,
    /// Level from `begin_ns` until the first edge; `true` is high.
    pub initial: bool,
    /// Instants of the level changes, ns, ascending, all within `begin_ns..=end_ns`.
    pub edges_ns: Vec<i64>,
}

impl Segment {
    /// Level after the edge at `index`; the first edge leaves `initial`.
    #[must_use]
    pub fn level_after(&self, index: usize) -> bool {
        self.initial ^ index.is_multiple_of(2)
    }

    /// Level at the end of the segment.
    #[must_use]
    pub fn final_level(&self) -> bool {
        self.initial ^ !self.edges_ns.len().is_multiple_of(2)
    }
}

/// One wire of the capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Name as the file gives it.
    pub name: String,
    /// What was observed, in time order; more than one where the capture has gaps.
    pub segments: Vec<Segment>,
}

impl Channel {
    /// Number of level changes over all segments.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.segments.iter().map(|s| s.edges_ns.len()).sum()
    }
}

/// Everything a capture file says about its digital channels.
///
/// Times are integer nanoseconds on the capture's own clock. Files that carry wall-clock stamps
/// set `epoch_unix_ns`, and their first instant is 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// Wall-clock time of instant 0, ns since 1970-01-01T00:00:00Z, if the file tells.
    pub epoch_unix_ns: Option<i64>,
    /// Samples per second, if the file tells.
    pub sample_rate_hz: Option<f64>,
    /// Channels in file order, or in the order they were selected.
    pub channels: Vec<Channel>,
    /// Current of one supply, where an instrument measured it on the same clock.
    pub current: Option<Current>,
}

impl Trace {
    /// First instant observed on any channel; 0 for a trace without channels.
    #[must_use]
    pub fn begin_ns(&self) -> i64 {
        let begins = self.channels.iter().flat_map(|c| c.segments.first()).map(|s| s.begin_ns);
        begins.min().unwrap_or(0)
    }

    /// Last instant observed on any channel; 0 for a trace without channels.
    #[must_use]
    pub fn end_ns(&self) -> i64 {
        let ends = self.channels.iter().flat_map(|c| c.segments.last()).map(|s| s.end_ns);
        ends.max().unwrap_or(0)
    }
}
