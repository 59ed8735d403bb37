//! A capture in memory: level changes and gaps by channel.

use crate::current::Current;

/// A stretch of one channel without a gap. Levels alternate at every edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// First observed instant, ns on the clock of the trace.
    pub begin_ns: i64,
    /// Last observed instant, ns on the clock of the trace. An edge may occur exactly at this
    /// instant.
    pub end_ns: i64,
    /// Level from `begin_ns` until the first edge; `true` is high.
    pub initial: bool,
    /// Instants of the level changes, ns, ascending, all within `begin_ns..=end_ns`.
    pub edges_ns: Vec<i64>,
}

impl Segment {
    /// Level after the edge at `index`. The first edge ends `initial`.
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

/// A channel of the capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Name in the file.
    pub name: String,
    /// Observed segments in time order. More than one if the capture has gaps.
    pub segments: Vec<Segment>,
}

impl Channel {
    /// Number of edges in all segments.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.segments.iter().map(|s| s.edges_ns.len()).sum()
    }
}

/// The digital channels of a capture.
///
/// Times are integer nanoseconds on the clock of the capture. With wall-clock timestamps, `epoch_unix_ns` is
/// set. The first instant is then 0 in a capture file; instruments and joined captures start later.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// Wall-clock time of instant 0, ns since 1970-01-01T00:00:00Z, where recorded.
    pub epoch_unix_ns: Option<i64>,
    /// Sample rate, Hz, where recorded.
    pub sample_rate_hz: Option<f64>,
    /// Channels in the order of the file or of the selection.
    pub channels: Vec<Channel>,
    /// Current of one supply, measured on the same clock. `None` without a measured current.
    pub current: Option<Current>,
}

impl Trace {
    /// First observed instant of any channel. 0 without channels.
    #[must_use]
    pub fn begin_ns(&self) -> i64 {
        let begins = self.channels.iter().flat_map(|c| c.segments.first()).map(|s| s.begin_ns);
        begins.min().unwrap_or(0)
    }

    /// Last observed instant of any channel. 0 without channels.
    #[must_use]
    pub fn end_ns(&self) -> i64 {
        let ends = self.channels.iter().flat_map(|c| c.segments.last()).map(|s| s.end_ns);
        ends.max().unwrap_or(0)
    }
}
