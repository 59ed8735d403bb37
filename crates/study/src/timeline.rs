//! Splits transfers into activities that add up to their latency, to the nanosecond.
//!
//! Several activities overlap: while a frame is on the air, the sending chip transmits and the receiving one
//! listens. Each nanosecond is attributed to one of them by two rules:
//!
//! - Until the last data frame has left the medium, time is attributed to the activities of the sender and
//!   the medium before those of the receiver, because until then the receiver can delay a message only by its
//!   acknowledgements. After the last data frame has left the medium, time is attributed only to the
//!   activities of the receiver. For an echo, time is always attributed to the activities of both ends.
//! - If several overlapping activities remain under the first rule, time is attributed to the activity that
//!   comes first in [`Precedence`]. Among activities with the same precedence, time is attributed to the
//!   activity that began first.
//!
//! Time without a recorded activity is [`Class::Other`].

use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub use airlag_sim::Class;
use airlag_sim::{Precedence, Slice};
use airlag_stats::pair::{NONE, Transfers};

use airlag_rig::run::{Run, Span};

/// Name and class of an activity. The same name can belong to the measurement setup and to the link, such as
/// `interrupt` at the trigger and at a radio pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    /// Name of the activity.
    pub name: &'static str,
    /// Class of the activity.
    pub class: Class,
}

/// Time spent on one activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Name of the activity.
    pub name: &'static str,
    /// Class of the activity.
    pub class: Class,
    /// Start, ns.
    pub begin_ns: i64,
    /// End, ns.
    pub end_ns: i64,
}

/// End of the link at which an activity takes place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Sender,
    Receiver,
    Between,
}

/// An activity that takes part in the attribution.
#[derive(Clone, Copy, Debug)]
struct Counted {
    begin_ns: i64,
    end_ns: i64,
    slice: &'static Slice,
    end: End,
    /// Whether all other activities take precedence.
    late: bool,
}

/// A period of time with its activity. `None` if no activity was recorded.
#[derive(Clone, Copy, Debug)]
struct Painted {
    slice: Option<&'static Slice>,
    begin_ns: i64,
    end_ns: i64,
}

/// Activities from `begin_ns` to `end_ns`, in order, without gaps or overlap.
#[must_use]
pub fn timeline(run: &Run, begin_ns: i64, end_ns: i64) -> Vec<Part> {
    cut(&run.spans, &run.tracks, run.ends_at_sender, begin_ns, end_ns)
}

/// Like [`timeline`], for slices with their lanes. `ends_at_sender` is true if the transfer completes at the
/// sending board, as for an echo.
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

/// Activities of every completed transfer of `run`, in trigger order.
#[must_use]
pub fn timelines(run: &Run, transfers: &Transfers) -> Vec<Vec<Part>> {
    let mut cutter = Cutter::new(&run.spans, &run.tracks, run.ends_at_sender);
    let pairs = transfers.trigger_ns.iter().zip(&transfers.completion_ns);
    pairs.filter(|&(_, &end)| end != NONE).map(|(&begin, &end)| cutter.cut(begin, end)).collect()
}

/// Splits one transfer after the other. Visits every slice once, and again only for transfers that it
/// overlaps.
struct Cutter {
    /// Slices by start.
    slices: Vec<Counted>,
    /// Number of visited slices.
    seen: usize,
    /// Visited slices that may overlap the next transfer.
    open: Vec<Counted>,
}

impl Cutter {
    fn new(spans: &[Span], tracks: &[String], ends_at_sender: bool) -> Self {
        // For an echo, both boards count from the first frame to the last.
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

    /// Splits the next transfer. Transfers must come in trigger order.
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
    /// Role of the slice until the last data frame has left the medium.
    fn before(&self, handed_over: i64) -> Option<Self> {
        let late = self.end == End::Receiver && !self.is_medium();
        let end_ns = self.end_ns.min(handed_over);
        (self.begin_ns < handed_over).then_some(Self { late, end_ns, ..*self })
    }

    /// Role of the slice after the last data frame has left the medium.
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

    /// Whether the slice is a frame with data of the message.
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

/// Time at which the last data frame has left the medium. Returns `None` without a medium.
fn handed_over(inside: &[Counted]) -> Option<i64> {
    let data = without(inside, |counted| counted.slice.class() == Class::Answer);
    data.iter().filter(|counted| counted.is_data()).map(|counted| counted.end_ns).max()
}

/// Removes slices of the medium that duplicate slices of a radio selected by `named`: both start and end at
/// the same times. A longer frame with the same start is a separate one.
fn without(inside: &[Counted], named: impl Fn(&Counted) -> bool) -> Vec<Counted> {
    let times = |slice: &Counted| (slice.begin_ns, slice.end_ns);
    let said: Vec<(i64, i64)> = inside.iter().filter(|slice| named(slice)).map(times).collect();
    let repeats = |slice: &Counted| slice.is_data() && said.contains(&times(slice));
    inside.iter().filter(|slice| !repeats(slice)).copied().collect()
}

/// Attributes each nanosecond to the slice with the highest precedence.
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

/// Appends stretches, and merges equal neighbours.
fn append(painted: &mut Vec<Painted>, more: impl IntoIterator<Item = Painted>) {
    for next in more {
        match painted.last_mut() {
            Some(last) if last.slice == next.slice => last.end_ns = next.end_ns,
            _ => painted.push(next),
        }
    }
}

/// Converts stretches to named activities. Attributes the time until the first activity to the detection of
/// the trigger.
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
