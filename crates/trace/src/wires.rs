//! Formats with separate channels: each is decoded separately, then stored or merged by time.

use crate::error::At;
use crate::memory::Held;
use crate::sink::{EDGE_BYTES, Header, MAX_CHANNELS, Row, SEGMENT_BYTES, Sink};
use crate::trace::{Channel, Segment, Trace};

/// Number of edges decoded ahead per channel while merging.
pub const BATCH: usize = 4096;

/// Result of a decoder step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The observation starts.
    Begin {
        /// Instant, ns.
        at_ns: i64,
        /// Initial level.
        level: bool,
    },
    /// Edges were appended in ascending order.
    Edges,
    /// The observation ends or is interrupted by a gap.
    End {
        /// Instant, ns.
        at_ns: i64,
    },
    /// The end of the channel.
    Done,
}

/// Decoder of one channel: `Begin`, any number of `Edges`, `End`, optionally repeated, then `Done`.
pub trait Wire {
    /// Decodes the next step. Appends about [`BATCH`] edges at most to `edges`, only for [`Step::Edges`].
    fn step(&mut self, edges: &mut Vec<i64>) -> Result<Step, At>;
}

/// Decodes and stores a whole channel, and counts its memory against the limit.
pub fn record<W: Wire>(
    wire: &mut W,
    name: String,
    invert: bool,
    held: &mut Held,
) -> Result<Channel, At> {
    let refused = |held: &Held| held.refusal().map_or(Ok(()), |problem| Err(At::from(problem)));
    let mut segments: Vec<Segment> = Vec::new();
    let mut none = Vec::new();
    loop {
        let edges = segments.last_mut().map_or(&mut none, |open| &mut open.edges_ns);
        // Short lists grow by themselves and are counted afterwards, because there may be many segments.
        let room = edges.capacity() - edges.len();
        if edges.len() >= BATCH && room < 2 * BATCH && !held.grow(edges, EDGE_BYTES) {
            refused(held)?;
        }
        let before = edges.capacity();
        let step = wire.step(edges)?;
        held.charge((EDGE_BYTES * (edges.capacity() - before)) as u64)?;
        match step {
            Step::Begin { at_ns, level } => {
                let (initial, edges_ns) = (level ^ invert, Vec::new());
                let segment = Segment { begin_ns: at_ns, end_ns: at_ns, initial, edges_ns };
                held.push(&mut segments, segment, SEGMENT_BYTES);
                refused(held)?;
            }
            Step::Edges => {}
            Step::End { at_ns } => {
                if let Some(open) = segments.last_mut() {
                    open.end_ns = at_ns;
                }
            }
            Step::Done => return Ok(Channel { name, segments }),
        }
    }
}

/// A channel with its next step and the edges decoded ahead.
struct Cursor<W> {
    wire: W,
    next: Step,
    edges: Vec<i64>,
    used: usize,
    /// Time of the next step. `i64::MAX` at the end.
    at_ns: i64,
    done: bool,
}

impl<W: Wire> Cursor<W> {
    fn advance(&mut self) -> Result<(), At> {
        self.used += 1;
        if self.next == Step::Edges && self.used < self.edges.len() {
            self.at_ns = self.edges[self.used];
            return Ok(());
        }
        self.edges.clear();
        self.used = 0;
        loop {
            self.next = self.wire.step(&mut self.edges)?;
            self.at_ns = match self.next {
                Step::Begin { at_ns, .. } | Step::End { at_ns } => at_ns,
                Step::Edges => match self.edges.first() {
                    Some(&at_ns) => at_ns,
                    None => continue,
                },
                Step::Done => {
                    self.done = true;
                    i64::MAX
                }
            };
            return Ok(());
        }
    }
}

/// Merges channels into a sink, with one row per instant, and a second row if a gap begins with an
/// edge.
///
/// A channel that ends together with the capture counts as observed up to its end: all changes of
/// an instant are applied before the row is sent, and the final `End` steps send no row.
pub fn merge<W: Wire, S: Sink>(
    wires: Vec<W>,
    header: Header,
    invert: u64,
    sink: &mut S,
) -> Result<(), At> {
    let mut cursors = Vec::with_capacity(wires.len());
    for wire in wires {
        let edges = Vec::with_capacity(BATCH);
        let mut cursor = Cursor { wire, next: Step::Done, edges, used: 0, at_ns: 0, done: false };
        cursor.advance()?;
        cursors.push(cursor);
    }
    sink.header(header);
    let (mut levels, mut known, mut last_ns) = (0u64, 0u64, 0);
    for round in 1usize.. {
        if round.is_multiple_of(BATCH)
            && let Some(refusal) = sink.refusal()
        {
            return Err(refusal.into());
        }
        let at_ns = cursors.iter().map(|c| c.at_ns).min().unwrap_or(i64::MAX);
        if cursors.iter().all(|c| c.done) {
            sink.end(last_ns);
            break;
        }
        let (mut ended, mut stirred) = (0, false);
        for (index, cursor) in cursors.iter_mut().enumerate() {
            let bit = 1u64 << index;
            while cursor.at_ns == at_ns && !cursor.done {
                match cursor.next {
                    Step::Begin { level, .. } => {
                        known |= bit;
                        levels = if level { levels | bit } else { levels & !bit };
                        stirred = true;
                    }
                    Step::Edges => (levels, stirred) = (levels ^ bit, true),
                    Step::End { .. } => ended |= bit,
                    Step::Done => {}
                }
                cursor.advance()?;
            }
        }
        last_ns = at_ns;
        if stirred {
            sink.row(Row { at_ns, levels: (levels ^ invert) & known, known });
        }
        // A change at the last instant was observed, so it is sent before the gap.
        if ended != 0 && !cursors.iter().all(|c| c.done) {
            (known, levels) = (known & !ended, levels & !ended);
            sink.row(Row { at_ns, levels: (levels ^ invert) & known, known });
        }
    }
    sink.refusal().map_or(Ok(()), |refusal| Err(refusal.into()))
}

/// A channel in memory as a decoder.
struct Kept<'a> {
    segments: std::slice::Iter<'a, Segment>,
    /// The current segment, and the number of its edges that were returned.
    open: Option<(&'a Segment, usize)>,
}

impl Wire for Kept<'_> {
    fn step(&mut self, edges: &mut Vec<i64>) -> Result<Step, At> {
        Ok(match self.open {
            None => match self.segments.next() {
                None => Step::Done,
                Some(segment) => {
                    self.open = Some((segment, 0));
                    Step::Begin { at_ns: segment.begin_ns, level: segment.initial }
                }
            },
            Some((segment, done)) if done < segment.edges_ns.len() => {
                let end = (done + BATCH).min(segment.edges_ns.len());
                edges.extend_from_slice(&segment.edges_ns[done..end]);
                self.open = Some((segment, end));
                Step::Edges
            }
            Some((segment, _)) => {
                self.open = None;
                Step::End { at_ns: segment.end_ns }
            }
        })
    }
}

/// Passes a trace to a sink, with its channels merged by time.
///
/// # Panics
/// If the trace has more than [`MAX_CHANNELS`] channels, which readers never return.
pub fn replay<S: Sink>(trace: &Trace, sink: &mut S) {
    assert!(trace.channels.len() <= MAX_CHANNELS, "a row carries {MAX_CHANNELS} channels");
    let header = Header {
        names: trace.channels.iter().map(|c| c.name.clone()).collect(),
        epoch_unix_ns: trace.epoch_unix_ns,
        sample_rate_hz: trace.sample_rate_hz,
    };
    let wires = trace.channels.iter().map(|c| Kept { segments: c.segments.iter(), open: None });
    // Reading from memory cannot fail.
    let _ = merge(wires.collect(), header, 0, sink);
}
