//! Cuts transfers into slices that add up to their latency, to the nanosecond.
//!
//! Several things go on at once: while a frame is on the air, the sending chip transmits and the
//! receiving one listens. Each nanosecond belongs to the most telling of them, by two rules:
//!
//! - Until the last frame that carries data has left the medium, what the sending end and the medium
//!   do comes first: the receiving end delays nothing but by what it answers. From then on only the
//!   receiving end counts. Of what comes back, both ends count all the time.
//! - Of what is left, the one that comes first in [`Precedence`]; of equals, the one that began first.
//!
//! Nanoseconds nothing is recorded for are [`Class::Other`].

use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub use airlag_sim::Class;
use airlag_sim::{Precedence, Slice};
use airlag_stats::pair::{NONE, Transfers};

use airlag_rig::run::{Run, Span};

/// What a slice is called, and what kind of thing that is. The same name can be both the fixture's
/// and the link's: `interrupt` at the trigger, and at a radio's pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    /// What goes on, a short term of the field.
    pub name: &'static str,
    /// What kind of thing that is.
    pub class: Class,
}

/// Time spent on one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// On what.
    pub name: &'static str,
    /// What kind of thing that is.
    pub class: Class,
    /// When it began, ns.
    pub begin_ns: i64,
    /// When it ended, ns.
    pub end_ns: i64,
}

/// Which end of the link time is spent at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Sender,
    Receiver,
    Between,
}

/// A slice that counts.
#[derive(Clone, Copy, Debug)]
struct Counted {
    begin_ns: i64,
    end_ns: i64,
    slice: &'static Slice,
    end: End,
    /// It gives way to all else.
    late: bool,
}

/// What a stretch of time belongs to; nobody recorded anything where that is none.
#[derive(Clone, Copy, Debug)]
struct Painted {
    slice: Option<&'static Slice>,
    begin_ns: i64,
    end_ns: i64,
}

/// The slices of the time from `begin_ns` to `end_ns`, in order, without gaps or overlap.
#[must_use]
pub fn timeline(run: &Run, begin_ns: i64, end_ns: i64) -> Vec<Part> {
    cut(&run.spans, &run.tracks, run.ends_at_sender, begin_ns, end_ns)
}

/// The same of slices and the lanes they lie on; `ends_at_sender` if it is the sending board that is done in
/// the end, because something came back.
#[must_use]
pub fn cut(
    spans: &[Span],
    tracks: &[String],
    ends_at_sender: bool,
    begin_ns: i64,
    end_ns: i64,
) -> Vec<Part> {
    Cutter::new(spans, tracks, ends_at_sender).cut(begin_ns, end_ns)
}

/// The slices of every transfer of `run` that completed, in trigger order.
#[must_use]
pub fn timelines(run: &Run, transfers: &Transfers) -> Vec<Vec<Part>> {
    let mut cutter = Cutter::new(&run.spans, &run.tracks, run.ends_at_sender);
    let pairs = transfers.trigger_ns.iter().zip(&transfers.completion_ns);
    pairs.filter(|&(_, &end)| end != NONE).map(|(&begin, &end)| cutter.cut(begin, end)).collect()
}

/// Cuts one transfer after the other. Every slice is looked at once, and again only for transfers
/// it reaches into.
struct Cutter {
    /// By begin.
    slices: Vec<Counted>,
    /// Up to here they have been looked at.
    seen: usize,
    /// Those of them that may reach into the next transfer.
    open: Vec<Counted>,
}

impl Cutter {
    fn new(spans: &[Span], tracks: &[String], ends_at_sender: bool) -> Self {
        // Where something comes back, both boards delay it from the first frame to the last.
        let end = |track: &String| if ends_at_sender { End::Between } else { end_of(track) };
        let ends: Vec<End> = tracks.iter().map(end).collect();
        let counted = |span: &Span| {
            let &Span { track, slice, begin_ns, end_ns } = span;
            let counts = slice.class() != Class::Idle;
            counts.then_some(Counted {
                begin_ns,
                end_ns,
                slice,
                end: *ends.get(track)?,
                late: false,
            })
        };
        let mut slices: Vec<Counted> = spans.iter().filter_map(counted).collect();
        slices.sort_by_key(|slice| slice.begin_ns);
        Self { slices, seen: 0, open: Vec::new() }
    }

    /// Transfers come in the order of their triggers.
    fn cut(&mut self, begin_ns: i64, end_ns: i64) -> Vec<Part> {
        self.open.retain(|slice| slice.end_ns > begin_ns);
        let fresh = &self.slices[self.seen..];
        let fresh = &fresh[..fresh.partition_point(|slice| slice.begin_ns < end_ns)];
        self.seen += fresh.len();
        self.open.extend(fresh.iter().filter(|slice| slice.end_ns > begin_ns));
        let inside: Vec<Counted> = self
            .open
            .iter()
            .filter(|slice| slice.begin_ns < end_ns && slice.end_ns > slice.begin_ns)
            .map(|slice| Counted {
                begin_ns: slice.begin_ns.max(begin_ns),
                end_ns: slice.end_ns.min(end_ns),
                ..*slice
            })
            .collect();
        let inside = without(&inside, Counted::is_besides);
        let painted = match handed_over(&inside) {
            None => paint(inside.iter().copied(), begin_ns, end_ns),
            Some(handed_over) => {
                let before = inside.iter().filter_map(|slice| slice.before(handed_over));
                let mut painted = paint(before, begin_ns, handed_over);
                let after = inside.iter().filter_map(|slice| slice.after(handed_over));
                append(&mut painted, paint(after, handed_over, end_ns));
                painted
            }
        };
        named(&painted)
    }
}

impl Counted {
    /// What it counts for until the last frame with data has left.
    fn before(&self, handed_over: i64) -> Option<Self> {
        let late = self.end == End::Receiver && !self.is_medium();
        let end_ns = self.end_ns.min(handed_over);
        (self.begin_ns < handed_over).then_some(Self { late, end_ns, ..*self })
    }

    /// What it counts for from then on.
    fn after(&self, handed_over: i64) -> Option<Self> {
        let on_the_way = self.end != End::Sender && !self.is_medium();
        let begin_ns = self.begin_ns.max(handed_over);
        (self.end_ns > handed_over && on_the_way).then_some(Self { begin_ns, ..*self })
    }

    const fn is_medium(&self) -> bool {
        matches!(self.slice.class(), Class::Medium | Class::Answer)
    }

    fn is_besides(&self) -> bool {
        self.slice.precedence() == Precedence::Besides
    }

    /// A frame that carries something of the message.
    fn is_data(&self) -> bool {
        self.slice.class() == Class::Medium && !self.is_besides()
    }
}

fn end_of(track: &str) -> End {
    if track.starts_with("sender") {
        End::Sender
    } else if track.starts_with("receiver") {
        End::Receiver
    } else {
        End::Between
    }
}

/// When the last frame with data has left the medium; none where there is no medium.
fn handed_over(inside: &[Counted]) -> Option<i64> {
    let data = without(inside, |counted| counted.slice.class() == Class::Answer);
    data.iter().filter(|counted| counted.is_data()).map(|counted| counted.end_ns).max()
}

/// The slices without those by which the medium repeats what `named` finds said by a radio: both
/// begin and end at once. A frame that begins with another one and lasts longer is one of its own.
fn without(inside: &[Counted], named: impl Fn(&Counted) -> bool) -> Vec<Counted> {
    let times = |slice: &Counted| (slice.begin_ns, slice.end_ns);
    let said: Vec<(i64, i64)> = inside.iter().filter(|slice| named(slice)).map(times).collect();
    let repeats = |slice: &Counted| slice.is_data() && said.contains(&times(slice));
    inside.iter().filter(|slice| !repeats(slice)).copied().collect()
}

/// For each nanosecond the slice that comes first.
fn paint(slices: impl Iterator<Item = Counted>, begin_ns: i64, end_ns: i64) -> Vec<Painted> {
    let mut slices: Vec<Counted> = slices.collect();
    slices.sort_by_key(|slice| slice.begin_ns);
    let mut cuts: Vec<i64> =
        slices.iter().flat_map(|slice| [slice.begin_ns, slice.end_ns]).collect();
    cuts.extend([begin_ns, end_ns]);
    cuts.sort_unstable();
    cuts.dedup();
    let mut coming = slices.iter().enumerate().peekable();
    let mut running = BinaryHeap::new();
    let mut painted = Vec::new();
    for pair in cuts.windows(2) {
        while let Some((nth, counted)) = coming.next_if(|(_, slice)| slice.begin_ns <= pair[0]) {
            running.push(Reverse((counted.late, counted.slice.precedence(), nth)));
        }
        while running.peek().is_some_and(|&Reverse((.., nth))| slices[nth].end_ns <= pair[0]) {
            running.pop();
        }
        let slice = running.peek().map(|&Reverse((.., nth))| slices[nth].slice);
        append(&mut painted, [Painted { slice, begin_ns: pair[0], end_ns: pair[1] }]);
    }
    painted
}

/// Adds what follows; the same thing going on is one part.
fn append(painted: &mut Vec<Painted>, more: impl IntoIterator<Item = Painted>) {
    for next in more {
        match painted.last_mut() {
            Some(last) if last.slice == next.slice => last.end_ns = next.end_ns,
            _ => painted.push(next),
        }
    }
}

/// Names what was painted, and gives the bench how the trigger was noticed: whatever notices, as
/// long as nothing else has begun.
fn named(painted: &[Painted]) -> Vec<Part> {
    let notices = |one: &&Painted| one.slice.is_some_and(Slice::notices);
    let noticing = painted.iter().take_while(notices).count();
    let part = |(nth, one): (usize, &Painted)| {
        let &Painted { slice, begin_ns, end_ns } = one;
        let (name, class) = slice.map_or(("other", Class::Other), |s| (s.name(), s.class()));
        let class = if nth < noticing { Class::Fixture } else { class };
        Part { name, class, begin_ns, end_ns }
    };
    painted.iter().enumerate().map(part).collect()
}

#[cfg(test)]
mod tests;
