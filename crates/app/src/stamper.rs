//! Edges time-stamped by this board → frames for a recorder.
//!
//! An interrupt or a timer's capture register supplies rows, and the main loop sends frames over a
//! serial line. The caller provides both, and the clock: any counter of ticks that does not wrap.

use airlag_link::edges::{self, Frame, Hello, Order, Row};
use airlag_link::framing::{Deframer, frame, framed_len};
use heapless::Deque;

/// Longest frame on the line, bytes.
pub const LINE: usize = framed_len(edges::LONGEST);

/// A recorder of edges with a buffer for `N` rows.
#[derive(Debug)]
pub struct Stamper<const N: usize> {
    hello: Hello,
    rows: Deque<Row, N>,
    orders: Deframer<8>,
    frame: Frame,
    line: [u8; LINE],
    sequence: u8,
    dropped: u16,
    levels: u8,
    state: State,
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
            hello: Hello { version: edges::VERSION, channels, tick_ps },
            rows: Deque::new(),
            orders: Deframer::new(),
            frame: Frame::new(),
            line: [0; LINE],
            sequence: 0,
            dropped: 0,
            levels: 0,
            state: State::Silent,
        }
    }

    /// Processes a byte from the line.
    pub fn receive(&mut self, byte: u8) {
        match self.orders.feed(byte).and_then(|message| edges::read_order(message)) {
            // A host with another version gets this board's version and refuses it.
            Some(Order::Start(_)) => {
                self.rows.clear();
                (self.sequence, self.dropped, self.state) = (0, 0, State::Greets);
            }
            Some(Order::Stop) => self.state = State::Silent,
            None => {}
        }
    }

    /// Records the levels of all channels from the tick `at` on. A row without room in the buffer
    /// is counted.
    pub fn stamp(&mut self, at: u64, levels: u8) {
        self.levels = levels;
        if self.state == State::Sends && self.rows.push_back(Row { at, levels }).is_err() {
            self.dropped = self.dropped.wrapping_add(1);
        }
    }

    /// Returns the next bytes for the line, if any. `now` is the current tick; every edge before it
    /// has been recorded. Call it at least every [`edges::HEARTBEAT_MS`], and repeatedly until it
    /// returns none while rows are waiting.
    pub fn poll(&mut self, now: u64) -> Option<&[u8]> {
        let framed = match self.state {
            State::Silent => return None,
            State::Greets => {
                self.state = State::Sends;
                let mut message = [0; 9];
                let len = edges::hello(self.hello, &mut message);
                frame(&message[..len], &mut self.line)?
            }
            State::Sends => {
                while let Some(&row) = self.rows.front() {
                    if !self.frame.push(row) {
                        break;
                    }
                    self.rows.pop_front();
                }
                if self.rows.is_empty() {
                    // A full frame ends with its last row, and the next one follows at once.
                    self.frame.push(Row { at: now, levels: self.levels });
                }
                let message = self.frame.finish(self.sequence, self.dropped)?;
                self.sequence = self.sequence.wrapping_add(1);
                frame(message, &mut self.line)?
            }
        };
        Some(&self.line[..framed])
    }

    /// Whether rows are waiting.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        !self.rows.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airlag_link::edges::{Report, read_report};
    use std::vec::Vec;

    fn ordered(stamper: &mut Stamper<16>, order: Order) {
        let (mut message, mut line) = ([0; 4], [0; 8]);
        let len = edges::order(order, &mut message);
        let framed = frame(&message[..len], &mut line).expect("room");
        line[..framed].iter().for_each(|&byte| stamper.receive(byte));
    }

    /// Sequence, dropped, and rows.
    type Polled = (u8, u16, Vec<(u64, u8)>);

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
        ordered(&mut stamper, Order::Start(1));
        assert_eq!(polled(&mut stamper, 6), Some((0, 0, Vec::new())));
        // Earlier levels are the initial levels of a record.
        assert_eq!(polled(&mut stamper, 7), Some((0, 0, Vec::from([(7, 3)]))));
        stamper.stamp(8, 2);
        stamper.stamp(9, 0);
        let rows = Vec::from([(8, 2), (9, 0), (12, 0)]);
        assert_eq!(polled(&mut stamper, 12), Some((1, 0, rows)));
        ordered(&mut stamper, Order::Stop);
        assert_eq!(polled(&mut stamper, 13), None);
    }

    #[test]
    fn rows_without_room_are_counted() {
        let mut stamper = Stamper::<16>::new(2, 1_000);
        ordered(&mut stamper, Order::Start(1));
        polled(&mut stamper, 0);
        (0..20).for_each(|at| stamper.stamp(at, (at % 2) as u8));
        let (_, dropped, rows) = polled(&mut stamper, 30).expect("rows");
        assert_eq!((dropped, rows.len(), rows[15]), (4, 17, (15, 1)));
        assert!(!stamper.is_waiting());
    }
}
