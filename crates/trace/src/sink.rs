//! Where readers pour a capture: rows of levels in time order, one row per instant of change.
//!
//! Formats that keep all channels together (CSV, VCD, sigrok) stream straight into a [`Sink`], so
//! that gigabytes can be paired without being held. [`Recorder`] is the sink that keeps
//! everything; [`replay`] turns what it kept back into rows.

use crate::trace::{Channel, Segment, Trace};

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
}

/// A sink that keeps every edge.
#[derive(Debug, Default)]
pub struct Recorder {
    trace: Trace,
    known: u64,
    levels: u64,
}

impl Recorder {
    /// The finished trace.
    #[must_use]
    pub fn into_trace(self) -> Trace {
        self.trace
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
        };
        (self.known, self.levels) = (0, 0);
    }

    #[inline]
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
                        open.edges_ns.push(at_ns);
                    }
                }
                (false, true) => self.trace.channels[channel].segments.push(Segment {
                    begin_ns: at_ns,
                    end_ns: at_ns,
                    initial: levels & bit != 0,
                    edges_ns: Vec::new(),
                }),
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
}

/// Next thing that happens on one channel during [`replay`].
struct Cursor<'a> {
    channel: &'a Channel,
    segment: usize,
    /// 0 is the segment's begin, `1..=edges` its edges, `edges + 1` its end.
    step: usize,
}

impl Cursor<'_> {
    fn next_ns(&self) -> Option<i64> {
        let segment = self.channel.segments.get(self.segment)?;
        Some(match self.step {
            0 => segment.begin_ns,
            n if n <= segment.edges_ns.len() => segment.edges_ns[n - 1],
            _ => segment.end_ns,
        })
    }

    /// Moves past the current step and says what holds after it: `None` is "not observed".
    fn advance(&mut self) -> Option<bool> {
        let segment = &self.channel.segments[self.segment];
        let step = self.step;
        self.step += 1;
        if step > segment.edges_ns.len() {
            (self.segment, self.step) = (self.segment + 1, 0);
            return None;
        }
        Some(if step == 0 { segment.initial } else { segment.level_after(step - 1) })
    }
}

/// Pours a trace into a sink, merging the channels by time.
///
/// # Panics
/// When the trace has more than [`MAX_CHANNELS`] channels; the readers never build one.
pub fn replay<S: Sink>(trace: &Trace, sink: &mut S) {
    assert!(trace.channels.len() <= MAX_CHANNELS, "a row carries {MAX_CHANNELS} channels");
    sink.header(Header {
        names: trace.channels.iter().map(|c| c.name.clone()).collect(),
        epoch_unix_ns: trace.epoch_unix_ns,
        sample_rate_hz: trace.sample_rate_hz,
    });
    let end_ns = trace.end_ns();
    let mut cursors: Vec<Cursor> =
        trace.channels.iter().map(|channel| Cursor { channel, segment: 0, step: 0 }).collect();
    let (mut levels, mut known) = (0u64, 0u64);
    while let Some(at_ns) = cursors.iter().filter_map(Cursor::next_ns).min() {
        for (index, cursor) in cursors.iter_mut().enumerate() {
            let bit = 1u64 << index;
            while cursor.next_ns() == Some(at_ns) {
                // A segment that lasts to the end of the capture ends with it, not with a gap.
                let segment = &cursor.channel.segments[cursor.segment];
                let last = at_ns == end_ns && cursor.step > segment.edges_ns.len();
                match cursor.advance() {
                    Some(level) => {
                        known |= bit;
                        levels = if level { levels | bit } else { levels & !bit };
                    }
                    None if last => {}
                    None => (known, levels) = (known & !bit, levels & !bit),
                }
            }
        }
        sink.row(Row { at_ns, levels, known });
    }
    sink.end(end_ns);
}
