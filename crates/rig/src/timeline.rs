//! One transfer as slices that add up to its latency, to the nanosecond.
//!
//! Several things go on at once: while a frame is on the air, the sending chip transmits and the
//! receiving one listens. Each nanosecond belongs to the most telling of them, by a fixed rank:
//! what a processor or a bus is busy with, then the air, then what a chip waits for. Nanoseconds
//! nothing is recorded for are called `other`.

use crate::run::{Run, Slice};

/// Time spent on one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// On what.
    pub name: &'static str,
    /// When it began, ns.
    pub begin_ns: i64,
    /// When it ended, ns.
    pub end_ns: i64,
}

/// What a slice counts for; lower wins. Slices that say only that a chip is idle, or that repeat
/// what the air shows, do not count.
fn rank(name: &str) -> Option<u8> {
    Some(match name {
        "transmit window" | "receive window" | "silence" | "power down" | "standby" | "listen"
        | "transmit" | "acknowledge" | "settle receiver" | "delay" => return None,
        // A wire never waits for a processor: what one does with earlier bytes meanwhile is free.
        "wire" => 0,
        "beacon" => 2,
        "air" => 3,
        "settle" | "raise interrupt" | "sampling" | "flag poll" | "crystal start"
        | "mode switch" | "receiver latency" | "turnaround" | "cca" => 4,
        "retransmit delay"
        | "repeat acknowledgement"
        | "baud wait"
        | "idle line"
        | "backoff"
        | "slot wait"
        | "flush wait"
        | "rearm"
        | "interframe space" => 5,
        "turn to receive"
        | "turn to acknowledge"
        | "await acknowledgement"
        | "acknowledgement"
        | "acknowledgement timeout"
        | "medium busy" => 6,
        // A processor or a bus at work.
        _ => 1,
    })
}

/// The same for a link that only sends: until the last frame has left, what the receiving board does
/// delays nothing, and afterwards what the sending one does delays nothing.
#[must_use]
pub fn one_way(run: &Run, begin_ns: i64, end_ns: i64) -> Vec<Part> {
    let last_air = run
        .spans
        .iter()
        .filter(|slice| slice.name == "air" && slice.end_ns <= end_ns && slice.end_ns > begin_ns)
        .map(|slice| slice.end_ns)
        .max()
        .unwrap_or(begin_ns);
    let of = |slice: &Slice, end: &str| run.tracks[slice.track].starts_with(end);
    let part = |ignored: &str, from: i64, to: i64| {
        let spans = run.spans.iter().filter(|slice| !of(slice, ignored));
        slices(spans, from, to)
    };
    let mut parts = part("receiver", begin_ns, last_air);
    parts.extend(part("sender", last_air, end_ns));
    parts
}

/// The slices of the time from `begin_ns` to `end_ns`, in order, without gaps or overlap.
#[must_use]
pub fn timeline(run: &Run, begin_ns: i64, end_ns: i64) -> Vec<Part> {
    slices(run.spans.iter(), begin_ns, end_ns)
}

fn slices<'a>(spans: impl Iterator<Item = &'a Slice>, begin_ns: i64, end_ns: i64) -> Vec<Part> {
    let mut inside: Vec<(u8, i64, i64, &'static str)> = spans
        .filter(|slice| slice.end_ns > begin_ns && slice.begin_ns < end_ns)
        .filter_map(|s| {
            rank(s.name).map(|w| (w, s.begin_ns.max(begin_ns), s.end_ns.min(end_ns), s.name))
        })
        .collect();
    inside.sort_unstable();
    let mut cuts: Vec<i64> = inside.iter().flat_map(|&(_, begin, end, _)| [begin, end]).collect();
    cuts.extend([begin_ns, end_ns]);
    cuts.sort_unstable();
    cuts.dedup();
    let mut parts: Vec<Part> = Vec::new();
    for pair in cuts.windows(2) {
        let (begin_ns, end_ns) = (pair[0], pair[1]);
        let name = inside
            .iter()
            .find(|&&(_, begin, end, _)| begin <= begin_ns && end >= end_ns)
            .map_or("other", |&(_, _, _, name)| name);
        match parts.last_mut() {
            Some(last) if last.name == name => last.end_ns = end_ns,
            _ => parts.push(Part { name, begin_ns, end_ns }),
        }
    }
    parts
}
