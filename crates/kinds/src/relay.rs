//! Lower bound of the latency of a radio between two serial lines. Bytes arrive one after the
//! other, cross the air in frames, and leave once their frame is complete.
//!
//! ```text
//!  line in    │ 1 │ 2 │ 3 │ 4 │ 5 │ 6 │
//!  air                    │ 1 2 3 │ 4 5 6 │
//!  line out                       │ 1 │ 2 │ 3 │ 4 │ 5 │ 6 │
//! ```
//!
//! The fastest division of a message into frames depends on the overhead of a frame: with many
//! small frames, the first frame begins early, whereas with few large frames, the total airtime is
//! shorter. To find the fastest division, the earliest time at which the first N bytes have been
//! sent is computed for each N up to the size of the message.

use airlag_rig::floor::{Cycle, Floor};

/// Durations of the stages, ns.
pub(crate) struct Relay<'a> {
    /// Time of a number of bytes on the input line.
    pub(crate) line_in: &'a dyn Fn(usize) -> u64,
    /// Time of a number of bytes on the output line.
    pub(crate) line_out: &'a dyn Fn(usize) -> u64,
    /// Capacity of a frame, bytes.
    pub(crate) frame_max: usize,
    /// Time from the start of a frame to its end at the receiver, by size.
    pub(crate) air: &'a dyn Fn(usize) -> u64,
    /// Time from the start of a frame to the start of the next one if that is already waiting, by
    /// size.
    pub(crate) cycle: &'a dyn Fn(usize) -> u64,
    /// Sources of the line times and of the air times.
    pub(crate) sources: [&'static str; 2],
}

impl Relay<'_> {
    /// Shortest period of a stream of messages of `size` bytes: frames have the most efficient
    /// size, and the slowest of lines and air limits the stream.
    pub(crate) fn cycle(&self, size: usize) -> Cycle {
        let [line, medium] = self.sources;
        let (slower, name) = [(self.line_in, "uart in"), (self.line_out, "uart out")]
            .into_iter()
            .max_by_key(|(of, _)| of(size))
            .unwrap_or((self.line_in, "uart in"));
        let share = |frame: usize| (self.cycle)(frame) as f64 / frame as f64;
        let best = (1..=self.frame_max.max(1))
            .min_by(|&one, &other| share(one).total_cmp(&share(other)))
            .unwrap_or(1);
        if slower(size) as f64 >= share(best) * size as f64 {
            let takes = Floor::new().with(format!("{name}, {size} B"), 1, slower(size), line);
            return Cycle::each(takes);
        }
        // Covers one message per byte of a frame, so that the messages together fill whole frames.
        let name = format!("air, {best} B");
        let takes = Floor::new().with(name, size as u64, (self.cycle)(best), medium);
        Cycle { messages: best as u64, takes }
    }

    /// Lower bound of a message's latency, as the sum along its critical path. Let F be the last
    /// frame that did not wait for an earlier frame. The path consists of three parts: the time of
    /// all bytes up to the last byte of F on the serial input line, the time of F and all later
    /// frames back to back on the air, and the time of the bytes of the last frame on the serial
    /// output line.
    pub(crate) fn floor(&self, size: usize) -> Floor {
        let longest = self.frame_max.max(1);
        let costs = |of: &dyn Fn(usize) -> u64| (0..=longest.min(size)).map(of).collect::<Vec<_>>();
        let (air, cycle) = (costs(self.air), costs(self.cycle));
        // For each length of the message's first part: the time at which it has been sent, and the
        // size of its last frame.
        let mut sent: Vec<(u64, usize)> = vec![(0, 0)];
        for part in 1..size {
            let come = (self.line_in)(part);
            let over = |frame: usize| sent[part - frame].0.max(come) + cycle[frame];
            let quickest = (1..=part.min(longest)).map(|frame| (over(frame), frame)).min();
            sent.extend(quickest);
        }
        let come = (self.line_in)(size);
        let out =
            |frame: usize| sent[size - frame].0.max(come) + air[frame] + (self.line_out)(frame);
        let last = (1..=size.min(longest)).map(|frame| (out(frame), frame)).min();
        let last = last.map_or(0, |(_, frame)| frame);

        // Goes backwards from the last frame, as long as each frame waited for the previous one.
        let (mut frames, mut came, mut rest) = (Vec::new(), size, size - last);
        while rest > 0 && sent[rest].0 > (self.line_in)(came) {
            let frame = sent[rest].1;
            frames.push(frame);
            came = rest;
            rest -= frame;
        }
        let [line, medium] = self.sources;
        let mut floor =
            Floor::new().with(format!("uart in, {came} B"), 1, (self.line_in)(came), line);
        frames.reverse();
        for same in frames.chunk_by(|one, other| one == other) {
            let (frame, count) = (same[0], same.len() as u64);
            floor = floor.with(format!("air, {frame} B"), count, cycle[frame], medium);
        }
        floor.with(format!("air, {last} B"), 1, air[last], medium).with(
            format!("uart out, {last} B"),
            1,
            (self.line_out)(last),
            line,
        )
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Time of the last byte's output with the fastest division into frames.
    fn quickest(relay: &Relay<'_>, size: usize, came: usize, free: u64) -> u64 {
        let rest = size - came;
        let ways = (1..=rest.min(relay.frame_max)).map(|frame| {
            let begin = free.max((relay.line_in)(came + frame));
            if frame == rest {
                return begin + (relay.air)(frame) + (relay.line_out)(frame);
            }
            quickest(relay, size, came + frame, begin + (relay.cycle)(frame))
        });
        ways.min().unwrap_or(0)
    }

    proptest! {
        #[test]
        fn no_way_to_cut_a_message_is_quicker(
            size in 1_usize..11, frame_max in 1_usize..12, line in 0_u64..20,
            head in 0_u64..50, byte in 0_u64..20, pause in 0_u64..30,
        ) {
            let relay = Relay {
                line_in: &|bytes| bytes as u64 * line,
                line_out: &|bytes| bytes as u64 * line,
                frame_max,
                air: &|bytes| head + byte * bytes as u64,
                cycle: &|bytes| head + byte * bytes as u64 + pause,
                sources: ["line", "air"],
            };
            prop_assert_eq!(relay.floor(size).ns(), quickest(&relay, size, 0, 0));
        }
    }

    #[test]
    fn a_slow_line_keeps_the_last_frame_short_and_a_slow_radio_keeps_frames_few() {
        let terms = |line: u64, head: u64| {
            let relay = Relay {
                line_in: &|bytes| bytes as u64 * line,
                line_out: &|bytes| bytes as u64 * line,
                frame_max: 100,
                air: &|_| head,
                cycle: &|_| head,
                sources: ["line", "air"],
            };
            let floor = relay.floor(10);
            floor.terms().iter().map(|term| term.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(terms(100, 1), ["uart in, 10 B", "air, 1 B", "uart out, 1 B"]);
        assert_eq!(terms(1, 100), ["uart in, 10 B", "air, 10 B", "uart out, 10 B"]);
    }
}
