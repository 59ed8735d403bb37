//! Edges time-stamped by this board → frames for a recorder.
//!
//! An interrupt or a timer's capture register supplies rows, and the main loop sends frames over a
//! serial line. The caller provides both, and the clock: any counter of ticks that does not wrap.

use airlag_link::edges::{self, Frame, Hello, Order, Row, Start, Triggers};
use airlag_link::framing::{Deframer, frame, framed_len};
use heapless::Deque;

/// Longest frame on the line, bytes.
pub const LINE: usize = framed_len(edges::LONGEST);

/// A recorder of edges with a buffer for `N` rows.
#[derive(Debug)]
pub struct Stamper<const N: usize> {
    hello: Hello,
    rows: Deque<Kept, N>,
    orders: Deframer<{ edges::ORDER }>,
    frame: Frame,
    line: [u8; LINE],
    sequence: u8,
    dropped: u32,
    /// Rows lost since the last one in the buffer.
    lost: u32,
    levels: u8,
    channels: u8,
    triggers: Option<Triggers>,
    state: State,
}

/// A row in the buffer.
#[derive(Clone, Copy, Debug)]
struct Kept {
    at: u64,
    /// Number of rows that were lost just before this one. A frame starts with this row, so that
    /// the host places the gap there.
    lost: u32,
    levels: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Silent,
    Greets,
    Sends,
}

impl<const N: usize> Stamper<N> {
    /// Creates a recorder of `channels` channels with a clock of `tick_ps`, which waits for its
    /// start order.
    #[must_use]
    pub const fn new(channels: u8, tick_ps: u32) -> Self {
        Self {
            hello: Hello { version: edges::VERSION, channels, tick_ps, makes_triggers: false },
            rows: Deque::new(),
            orders: Deframer::new(),
            frame: Frame::new(),
            line: [0; LINE],
            sequence: 0,
            dropped: 0,
            lost: 0,
            levels: 0,
            channels: 0,
            triggers: None,
            state: State::Silent,
        }
    }

    /// Announces that the board makes triggers; its main loop follows [`Stamper::triggers`].
    #[must_use]
    pub const fn making_triggers(mut self) -> Self {
        self.hello.makes_triggers = true;
        self
    }

    /// Processes a byte from the line.
    pub fn receive(&mut self, byte: u8) {
        match self.orders.feed(byte).and_then(|message| edges::read_order(message)) {
            // A host with another version gets this board's version and refuses it.
            Some(Order::Start(Start { channels, triggers, .. })) => {
                self.rows.clear();
                (self.sequence, self.dropped, self.lost) = (0, 0, 0);
                (self.channels, self.triggers) = (channels, triggers);
                self.state = State::Greets;
            }
            Some(Order::Stop) => self.stop(),
            None => {}
        }
    }

    /// Stops as if the host had sent the order to stop, because it has disconnected.
    pub fn stop(&mut self) {
        self.rows.clear();
        (self.state, self.channels, self.triggers) = (State::Silent, 0, None);
    }

    /// Channels that the host records, channel `i` in bit `i`; 0 while it does not record.
    #[must_use]
    pub const fn channels(&self) -> u8 {
        self.channels
    }

    /// Triggers that the host ordered.
    #[must_use]
    pub const fn triggers(&self) -> Option<Triggers> {
        self.triggers
    }

    /// Records the levels of all channels from tick `at` on. If the buffer is full, the row is
    /// counted as lost.
    pub fn stamp(&mut self, at: u64, levels: u8) {
        self.levels = levels;
        if self.state != State::Sends {
            return;
        }
        match self.rows.push_back(Kept { at, lost: self.lost, levels }) {
            Ok(()) => self.lost = 0,
            Err(_) => self.lose(1),
        }
    }

    /// Counts rows that were lost before they could be recorded, after the last recorded one.
    pub fn lose(&mut self, rows: u32) {
        self.lost = self.lost.saturating_add(rows);
    }

    /// Returns the next bytes for the serial line, or `None` while the host does not record. `now`
    /// is the current tick. All edges before `now` must already be recorded with
    /// [`Stamper::stamp`]. Call this function at least every [`edges::HEARTBEAT_MS`], and again
    /// immediately as long as [`Stamper::is_waiting`] returns true.
    pub fn poll(&mut self, now: u64) -> Option<&[u8]> {
        let framed = match self.state {
            State::Silent => return None,
            State::Greets => {
                self.state = State::Sends;
                let mut message = [0; 10];
                let len = edges::hello(self.hello, &mut message);
                frame(&message[..len], &mut self.line)?
            }
            State::Sends => {
                self.fill(now);
                let message = self.frame.finish(self.sequence, self.dropped)?;
                self.sequence = self.sequence.wrapping_add(1);
                frame(message, &mut self.line)?
            }
        };
        Some(&self.line[..framed])
    }

    /// Moves rows from the buffer to the frame, up to the next gap.
    fn fill(&mut self, now: u64) {
        while let Some(&Kept { at, lost, levels }) = self.rows.front() {
            if lost > 0 && !self.frame.is_empty() || !self.frame.push(Row { at, levels }) {
                return;
            }
            self.dropped = self.dropped.wrapping_add(lost);
            self.rows.pop_front();
        }
        if self.lost > 0 && !self.frame.is_empty() {
            return;
        }
        // A full frame ends with its last row; the next frame is sent immediately.
        self.frame.push(Row { at: now, levels: self.levels });
        self.dropped = self.dropped.wrapping_add(core::mem::take(&mut self.lost));
    }

    /// Number of rows for which the buffer has space. If the host does not record, this is its
    /// whole capacity.
    #[must_use]
    pub fn room(&self) -> usize {
        N - self.rows.len()
    }

    /// Whether the next frame is a hello.
    #[must_use]
    pub fn is_greeting(&self) -> bool {
        self.state == State::Greets
    }

    /// Whether rows, or a gap after the last one, are waiting.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        !self.rows.is_empty() || self.lost > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airlag_link::edges::{Phase, Report, read_report};
    use std::vec::Vec;

    fn start(channels: u8) -> Order {
        Order::Start(Start { version: edges::VERSION, channels, triggers: None })
    }

    fn ordered(stamper: &mut Stamper<16>, order: Order) {
        let (mut message, mut line) = ([0; edges::ORDER], [0; 32]);
        let len = edges::order(order, &mut message);
        let framed = frame(&message[..len], &mut line).expect("room");
        line[..framed].iter().for_each(|&byte| stamper.receive(byte));
    }

    /// Sequence, dropped, and rows.
    type Polled = (u8, u32, Vec<(u64, u8)>);

    /// Parses the output of a stamper and checks the hello.
    fn polled(stamper: &mut Stamper<16>, now: u64) -> Option<Polled> {
        let line = stamper.poll(now)?.to_vec();
        let mut deframer = Deframer::<{ edges::LONGEST }>::new();
        let message = line.iter().find_map(|&byte| deframer.feed(byte).map(|found| found.to_vec()));
        match read_report(&message.expect("a frame")).expect("a report") {
            Report::Hello(hello) => {
                assert_eq!((hello.channels, hello.tick_ps), (2, 1_000));
                Some((0, 0, Vec::new()))
            }
            Report::Foreign(version) => panic!("version {version}"),
            Report::Rows(rows) => {
                let list = rows.iter().map(|row| (row.at, row.levels)).collect();
                Some((rows.sequence, rows.dropped, list))
            }
        }
    }

    #[test]
    fn it_is_silent_until_its_order_and_after_the_next() {
        let mut stamper = Stamper::<16>::new(2, 1_000);
        stamper.stamp(1, 3);
        assert_eq!(polled(&mut stamper, 5), None);
        ordered(&mut stamper, start(3));
        assert_eq!(stamper.channels(), 3);
        assert_eq!(polled(&mut stamper, 6), Some((0, 0, Vec::new())));
        // Earlier levels are the initial levels of a record.
        assert_eq!(polled(&mut stamper, 7), Some((0, 0, Vec::from([(7, 3)]))));
        stamper.stamp(8, 2);
        stamper.stamp(9, 0);
        let rows = Vec::from([(8, 2), (9, 0), (12, 0)]);
        assert_eq!(polled(&mut stamper, 12), Some((1, 0, rows)));
        ordered(&mut stamper, Order::Stop);
        assert_eq!(polled(&mut stamper, 13), None);
        assert_eq!(stamper.channels(), 0);
    }

    #[test]
    fn rows_without_room_are_counted() {
        let mut stamper = Stamper::<16>::new(2, 1_000);
        ordered(&mut stamper, start(3));
        polled(&mut stamper, 0);
        (0..20).for_each(|at| stamper.stamp(at, (at % 2) as u8));
        // The gap comes after the rows that were stored, so the first frame has no gap.
        let (_, dropped, rows) = polled(&mut stamper, 30).expect("rows");
        assert_eq!((dropped, rows.len(), rows[15]), (0, 16, (15, 1)));
        assert!(stamper.is_waiting());
        stamper.stamp(31, 0);
        assert_eq!(polled(&mut stamper, 32), Some((1, 4, Vec::from([(31, 0), (32, 0)]))));
        assert!(!stamper.is_waiting());
        // A gap that no row follows.
        stamper.stamp(33, 1);
        stamper.lose(7);
        assert_eq!(polled(&mut stamper, 40), Some((2, 4, Vec::from([(33, 1)]))));
        assert_eq!(polled(&mut stamper, 41), Some((3, 11, Vec::from([(41, 1)]))));
        assert!(!stamper.is_waiting());
    }

    #[test]
    fn triggers_last_until_the_host_stops_or_is_gone() {
        let ordered_triggers =
            Triggers { phase: Phase::Uniform, period_ns: 1_000_000, pulse_ns: 1_000, seed: 1 };
        let mut stamper = Stamper::<16>::new(2, 1_000).making_triggers();
        for stops in [true, false] {
            let triggers = Some(ordered_triggers);
            let version = edges::VERSION;
            ordered(&mut stamper, Order::Start(Start { version, channels: 3, triggers }));
            assert_eq!(stamper.triggers(), Some(ordered_triggers));
            if stops {
                ordered(&mut stamper, Order::Stop)
            } else {
                stamper.stop()
            }
            assert_eq!(stamper.triggers(), None);
        }
    }
}
