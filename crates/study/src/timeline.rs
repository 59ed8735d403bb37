//! Cuts transfers into slices that add up to their latency, to the nanosecond.
//!
//! Several things go on at once: while a frame is on the air, the sending chip transmits and the
//! receiving one listens. Each nanosecond belongs to the most telling of them, by two rules:
//!
//! - Until the last frame that carries data has left the medium, what the sending end and the medium
//!   do comes first: the receiving end delays nothing but by what it answers. From then on only the
//!   receiving end counts.
//! - Of what is left, the one that comes first in [`NAMES`].
//!
//! Nanoseconds nothing is recorded for are [`Class::Other`].

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use airlag_stats::pair::{NONE, Transfers};

use airlag_rig::run::{Run, Slice};

/// What kind of thing time is spent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// The bench itself: noticing the trigger, driving the strobe.
    Fixture,
    /// A frame on the air, a byte on the wire between the boards.
    Medium,
    /// What the other end answers, on the air.
    Answer,
    /// A radio that changes what it does, or makes bytes of what it heard.
    Radio,
    /// Bytes between a processor and its radio.
    Bus,
    /// A processor at work.
    Work,
    /// A clock, a slot or a time-out that has to come round.
    Wait,
    /// Nobody recorded anything.
    Other,
}

impl Class {
    /// Every class.
    pub const ALL: [Self; 8] = [
        Self::Fixture,
        Self::Medium,
        Self::Answer,
        Self::Radio,
        Self::Bus,
        Self::Work,
        Self::Wait,
        Self::Other,
    ];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fixture => "fixture",
            Self::Medium => "medium",
            Self::Answer => "answer",
            Self::Radio => "radio",
            Self::Bus => "bus",
            Self::Work => "work",
            Self::Wait => "wait",
            Self::Other => "other",
        }
    }
}

/// What a slice is called, and what kind of thing that is. The same name can be both the fixture's
/// and the link's: `interrupt` at the trigger, and at a radio's pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    /// What goes on, a short term of the field.
    pub name: &'static str,
    /// What kind of thing that is.
    pub class: Class,
}

/// Names of slices, the most telling first. A name that is not here is a processor's, before
/// [`LATER`]; a new link adds its own where they belong.
const NAMES: &[(Class, &[&str])] = &[
    (Class::Answer, &["acknowledgement"]),
    (Class::Medium, &["retry"]),
    (Class::Medium, &["air", "wire"]),
    // A radio that takes its own time whatever its processor does meanwhile.
    (Class::Radio, &["settle", "turn to receive"]),
];

/// What gives way to a bus or a processor at work.
const LATER: &[(Class, &[&str])] = &[
    (Class::Radio, &["raise interrupt", "sampling", "crystal start", "mode switch"]),
    (Class::Radio, &["turnaround", "cca"]),
    (Class::Radio, &["receiver latency", "interframe space"]),
    (Class::Wait, &["tick wait", "poll wait", "flag poll", "delay", "baud wait", "idle line"]),
    (Class::Wait, &["missed event", "scan"]),
    (Class::Medium, &BESIDES),
    (Class::Wait, &["slot wait", "interval wait", "flush wait", "rearm", "backoff", "medium busy"]),
    (Class::Wait, &["wake", "congestion", "stall"]),
    (Class::Wait, &["retransmit delay", "repeat acknowledgement", "await acknowledgement"]),
    (Class::Wait, &["acknowledgement timeout"]),
    (Class::Wait, &["broken acknowledgement"]),
    (Class::Radio, &["turn to acknowledge"]),
];

/// Frames that carry nothing of the message. They count for what would be a wait without them: a
/// beacon delays a radio that wants to send, and not a program that waits for its tick.
const BESIDES: [&str; 4] = ["beacon", "yield", "statistics", "poll"];

/// Buses: names that begin like this.
const BUSES: [&str; 2] = ["SPI", "uart"];

/// What says only that a chip is idle, or repeats what the medium shows.
const IDLE: [&str; 8] = [
    "power down",
    "standby",
    "listen",
    "transmit",
    "settle receiver",
    "transmit window",
    "receive window",
    "silence",
];

/// How a trigger is noticed: the bench's, as long as nothing else has begun.
const NOTICING: [&str; 4] = ["interrupt", "tick wait", "poll wait", "flag poll"];
/// How a strobe is driven.
const DRIVING: &str = "pin";

/// Ranks of a bus and of a processor, between those of the two tables.
const BUS: u8 = 32;
const WORK: u8 = 33;
const LATER_FROM: u8 = 64;
/// What the receiving end does before the last frame with data has left gives way to all else.
const AT_RECEIVER: u8 = 128;

/// Class of a name and its rank, lower first; none if it does not count.
fn known(name: &'static str) -> Option<(u8, Class)> {
    if IDLE.contains(&name) {
        return None;
    }
    let find = |table: &[(Class, &[&str])], from: u8| {
        let row = table.iter().position(|(_, names)| names.contains(&name))?;
        Some((from + row as u8, table[row].0))
    };
    let bus = BUSES.iter().any(|bus| name.starts_with(bus));
    find(NAMES, 0).or_else(|| find(LATER, LATER_FROM)).or(Some(if bus {
        (BUS, Class::Bus)
    } else {
        (WORK, Class::Work)
    }))
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

/// Which end of the link a slice is recorded at.
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
    rank: u8,
    class: Class,
    name: &'static str,
    end: End,
}

/// The slices of the time from `begin_ns` to `end_ns`, in order, without gaps or overlap.
#[must_use]
pub fn timeline(run: &Run, begin_ns: i64, end_ns: i64) -> Vec<Part> {
    cut(&run.spans, &run.tracks, begin_ns, end_ns)
}

/// The same of slices and the lanes they lie on.
#[must_use]
pub fn cut(spans: &[Slice], tracks: &[String], begin_ns: i64, end_ns: i64) -> Vec<Part> {
    Cutter::new(spans, tracks).cut(begin_ns, end_ns)
}

/// The slices of every transfer of `run` that completed, in trigger order.
#[must_use]
pub fn timelines(run: &Run, transfers: &Transfers) -> Vec<Vec<Part>> {
    let mut cutter = Cutter::new(&run.spans, &run.tracks);
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
    fn new(spans: &[Slice], tracks: &[String]) -> Self {
        let ends: Vec<End> = tracks.iter().map(|track| end_of(track)).collect();
        let counted = |slice: &Slice| {
            let (rank, class) = known(slice.name)?;
            let (begin_ns, end_ns, name) = (slice.begin_ns, slice.end_ns, slice.name);
            Some(Counted { begin_ns, end_ns, rank, class, name, end: *ends.get(slice.track)? })
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
        let inside = without(&inside, is_besides);
        let mut parts = match handed_over(&inside) {
            None => paint(inside.iter().copied(), begin_ns, end_ns),
            Some(handed_over) => {
                let before = inside.iter().filter_map(|slice| slice.before(handed_over));
                let mut parts = paint(before, begin_ns, handed_over);
                let after = inside.iter().filter_map(|slice| slice.after(handed_over));
                append(&mut parts, paint(after, handed_over, end_ns));
                parts
            }
        };
        name_fixture(&mut parts);
        parts
    }
}

impl Counted {
    /// What it counts for until the last frame with data has left.
    fn before(&self, handed_over: i64) -> Option<Self> {
        let late = self.end == End::Receiver && !self.is_medium();
        let rank = self.rank + if late { AT_RECEIVER } else { 0 };
        let end_ns = self.end_ns.min(handed_over);
        (self.begin_ns < handed_over).then_some(Self { rank, end_ns, ..*self })
    }

    /// What it counts for from then on.
    fn after(&self, handed_over: i64) -> Option<Self> {
        let on_the_way = self.end != End::Sender && !self.is_medium();
        let begin_ns = self.begin_ns.max(handed_over);
        (self.end_ns > handed_over && on_the_way).then_some(Self { begin_ns, ..*self })
    }

    const fn is_medium(&self) -> bool {
        matches!(self.class, Class::Medium | Class::Answer)
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
    let data = without(inside, |slice| slice.class == Class::Answer);
    let data = data.iter().filter(|slice| slice.class == Class::Medium && !is_besides(slice));
    data.map(|slice| slice.end_ns).max()
}

/// The slices without those by which the medium repeats what `named` finds said by a radio: both
/// begin at once.
fn without(inside: &[Counted], named: impl Fn(&Counted) -> bool) -> Vec<Counted> {
    let begins: Vec<i64> =
        inside.iter().filter(|slice| named(slice)).map(|slice| slice.begin_ns).collect();
    let repeats = |slice: &Counted| {
        slice.class == Class::Medium && !is_besides(slice) && begins.contains(&slice.begin_ns)
    };
    inside.iter().filter(|slice| !repeats(slice)).copied().collect()
}

fn is_besides(slice: &Counted) -> bool {
    BESIDES.contains(&slice.name)
}

/// For each nanosecond the slice of the lowest rank; of equals the one that began first.
fn paint(slices: impl Iterator<Item = Counted>, begin_ns: i64, end_ns: i64) -> Vec<Part> {
    let mut slices: Vec<Counted> = slices.collect();
    slices.sort_by_key(|slice| slice.begin_ns);
    let mut cuts: Vec<i64> =
        slices.iter().flat_map(|slice| [slice.begin_ns, slice.end_ns]).collect();
    cuts.extend([begin_ns, end_ns]);
    cuts.sort_unstable();
    cuts.dedup();
    let mut coming = slices.iter().enumerate().peekable();
    let mut running = BinaryHeap::new();
    let mut parts = Vec::new();
    for pair in cuts.windows(2) {
        while let Some((nth, slice)) = coming.next_if(|(_, slice)| slice.begin_ns <= pair[0]) {
            running.push(Reverse((slice.rank, nth)));
        }
        while running.peek().is_some_and(|&Reverse((_, nth))| slices[nth].end_ns <= pair[0]) {
            running.pop();
        }
        let (name, class) = running.peek().map_or(("other", Class::Other), |&Reverse((_, nth))| {
            (slices[nth].name, slices[nth].class)
        });
        append(&mut parts, vec![Part { name, class, begin_ns: pair[0], end_ns: pair[1] }]);
    }
    parts
}

/// Adds parts that follow; the same thing going on is one part.
fn append(parts: &mut Vec<Part>, more: Vec<Part>) {
    for part in more {
        match parts.last_mut() {
            Some(last) if (last.name, last.class) == (part.name, part.class) => {
                last.end_ns = part.end_ns;
            }
            _ => parts.push(part),
        }
    }
}

/// Gives the bench what is the bench's.
fn name_fixture(parts: &mut [Part]) {
    let noticing = parts.iter().take_while(|part| NOTICING.contains(&part.name)).count();
    for (nth, part) in parts.iter_mut().enumerate() {
        if nth < noticing || part.name == DRIVING {
            part.class = Class::Fixture;
        }
    }
}

#[cfg(test)]
mod tests;
