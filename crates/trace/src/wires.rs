//! Formats that keep every wire apart: each decoded on its own, then kept or merged by time.

use crate::error::At;
use crate::memory::Held;
use crate::sink::{EDGE_BYTES, Header, MAX_CHANNELS, Row, SEGMENT_BYTES, Sink};
use crate::trace::{Channel, Segment, Trace};

/// Edges decoded ahead for one wire while merging.
pub const BATCH: usize = 4096;

/// What a wire's decoder came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Observation starts.
    Begin {
        /// Instant, ns.
        at_ns: i64,
        /// Level from there on.
        level: bool,
    },
    /// Some edges were appended, each later than the one before.
    Edges,
    /// Observation stops: a gap follows, or nothing.
    End {
        /// Instant, ns.
        at_ns: i64,
    },
    /// There is no more.
    Done,
}

/// The decoder of one wire: `Begin`, any number of `Edges`, `End`, perhaps again, then `Done`.
pub trait Wire {
    /// Decodes on, appending at most about [`BATCH`] edges to `edges`, and only for
    /// [`Step::Edges`].
    fn step(&mut self, edges: &mut Vec<i64>) -> Result<Step, At>;
}

/// Keeps a whole wire, and counts what is kept.
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
        // Short lists grow by themselves and are counted afterwards: of segments there may be many.
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

/// A wire, what it does next, and the edges decoded ahead.
struct Cursor<W> {
    wire: W,
    next: Step,
    edges: Vec<i64>,
    used: usize,
    /// When it does it; `i64::MAX` when it is done.
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

/// Pours wires into a sink, one row an instant, and one more where a gap begins with an edge.
///
/// A wire that ends with the capture stays known to its end: what happens at one instant is
/// settled before the row is sent, and the last `End`s send none.
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
        // What changed on its last instant was seen, so that the gap is told after it.
        if ended != 0 && !cursors.iter().all(|c| c.done) {
            (known, levels) = (known & !ended, levels & !ended);
            sink.row(Row { at_ns, levels: (levels ^ invert) & known, known });
        }
    }
    sink.refusal().map_or(Ok(()), |refusal| Err(refusal.into()))
}

/// A channel in memory as a wire.
struct Kept<'a> {
    segments: std::slice::Iter<'a, Segment>,
    /// The segment at hand, and how many of its edges were told.
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
            Some((segment, told)) if told < segment.edges_ns.len() => {
                let end = (told + BATCH).min(segment.edges_ns.len());
                edges.extend_from_slice(&segment.edges_ns[told..end]);
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

/// Pours a trace into a sink, merging the channels by time.
///
/// # Panics
/// When the trace has more than [`MAX_CHANNELS`] channels; the readers never build one.
pub fn replay<S: Sink>(trace: &Trace, sink: &mut S) {
    assert!(trace.channels.len() <= MAX_CHANNELS, "a row carries {MAX_CHANNELS} channels");
    let header = Header {
        names: trace.channels.iter().map(|c| c.name.clone()).collect(),
        epoch_unix_ns: trace.epoch_unix_ns,
        sample_rate_hz: trace.sample_rate_hz,
    };
    let wires = trace.channels.iter().map(|c| Kept { segments: c.segments.iter(), open: None });
    // What is in memory cannot fail to be read.
    let _ = merge(wires.collect(), header, 0, sink);
}
