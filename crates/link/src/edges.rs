//! Frames between a board that time-stamps edges and the host that records them.
//!
//! ```text
//!  byte  0      1 .. 2      3 ..
//!       +------+-----------+--------------------------------------------------------------+
//!       | kind | CRC-16 BE | body                                                         |
//!       +------+-----------+--------------------------------------------------------------+
//!  host:  start  version 1 | channels 1 [| phase 1 | period, ns, 8 BE | pulse, ns, 4 BE | seed 4 BE]
//!         stop
//!  board: hello  version 1 | channels 1 | duration of a tick, ps, 4 BE | makes triggers 1
//!         rows   sequence 1 | dropped 4 BE | instant, ticks, 8 BE | levels 1 | (ticks LEB128 | levels 1) …
//! ```
//!
//! On the serial line, every frame is a message of [`framing`](crate::framing). A row contains an
//! instant and the levels of all channels from this instant on; bit `i` is the level of channel
//! `i`. The first row of a frame contains its instant in ticks. Each further row contains the
//! number of ticks since the previous row. A board sends a frame with rows at least once per
//! [`HEARTBEAT_MS`]. The last row of such a frame has the current time and may repeat the levels of
//! the previous row, so that the host has every edge up to this time. `dropped` is the number of
//! rows lost because a buffer was full, modulo 2^32. If a sequence number is missing, or `dropped`
//! has increased, the record has a gap between the last row of the previous frame and the first row
//! of the present frame.
//!
//! A start frame selects channels, with one bit per channel. A start frame may also request
//! triggers; the edges of channel 0 are then the triggers. A board sends a hello frame in reply to
//! every start frame. It replies even to a start frame of another version, but does not parse the
//! body of such a start frame. In every version, the body of a start frame and of a hello frame
//! begins with the version number.
//!
//! Kind and CRC-16 are those of every frame of a board ([`envelope`](crate::envelope)).

use crate::envelope::{HEADER, kind, seal};

/// Version of this protocol.
pub const VERSION: u8 = 2;
/// Largest number of channels.
pub const CHANNELS: u8 = 8;
/// Longest time between two frames with rows, ms.
pub const HEARTBEAT_MS: u64 = 100;
/// Longest frame, bytes.
pub const LONGEST: usize = 240;

/// Longest order, bytes.
pub const ORDER: usize = HEADER + 2 + TRIGGERS;

const START: u8 = 0xE1;
const STOP: u8 = 0xE2;
const HELLO: u8 = 0xE3;
const ROWS: u8 = 0xE4;
/// Bytes of a hello.
const GREETING: usize = HEADER + 7;
/// Bytes of ordered triggers.
const TRIGGERS: usize = 17;
/// Bytes of a frame of rows before the first row.
const COUNTS: usize = HEADER + 5;
/// Bytes of a frame with one row.
const FIRST_ROW: usize = COUNTS + 9;
/// Longest further row: ten bytes of LEB128, and the levels.
const ROW: usize = 11;

/// Levels from an instant on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Instant, ticks of the board's clock.
    pub at: u64,
    /// Level of channel `i` in bit `i`.
    pub levels: u8,
}

/// Reply of a board to a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hello {
    /// Version of the protocol that it uses.
    pub version: u8,
    /// Number of channels, at most [`CHANNELS`].
    pub channels: u8,
    /// Duration of a tick, ps.
    pub tick_ps: u32,
    /// Whether the board can generate triggers.
    pub makes_triggers: bool,
}

/// Timing of the triggers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Exactly one period apart.
    Frozen,
    /// Triggers at random times, each up to half a period late.
    Uniform,
    /// Each trigger is up to half a period late, in steps of the golden ratio, which cover that
    /// range evenly.
    Swept,
}

/// Triggers that a host requests from a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triggers {
    /// Timing of the triggers.
    pub phase: Phase,
    /// Mean time between two triggers, ns.
    pub period_ns: u64,
    /// Duration of the pulse, ns.
    pub pulse_ns: u32,
    /// Random seed.
    pub seed: u32,
}

/// Order to record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Version of the protocol that the host uses.
    pub version: u8,
    /// Channels to record, channel `i` in bit `i`. All channels are selected if the host uses
    /// another version.
    pub channels: u8,
    /// Triggers to make on channel 0.
    pub triggers: Option<Triggers>,
}

/// A frame from the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Send a hello and then rows.
    Start(Start),
    /// Stop sending rows and triggers.
    Stop,
}

/// A frame from a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report<'a> {
    /// Reply to a start.
    Hello(Hello),
    /// Hello of a board that uses another version of the protocol.
    Foreign(u8),
    /// Rows.
    Rows(Rows<'a>),
}

/// The rows of a frame, in time order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows<'a> {
    /// Frame number since the hello, modulo 256.
    pub sequence: u8,
    /// Rows lost to a full buffer so far, modulo 2^32.
    pub dropped: u32,
    first: Row,
    rest: &'a [u8],
}

/// Writes an order into `into` and returns its length.
#[must_use]
pub fn order(order: Order, into: &mut [u8; ORDER]) -> usize {
    let (kind, len) = match order {
        Order::Start(Start { version, channels, triggers: None }) => {
            into[HEADER..HEADER + 2].copy_from_slice(&[version, channels]);
            (START, HEADER + 2)
        }
        Order::Start(Start { version, channels, triggers: Some(triggers) }) => {
            into[HEADER..HEADER + 3].copy_from_slice(&[version, channels, triggers.phase as u8]);
            into[HEADER + 3..HEADER + 11].copy_from_slice(&triggers.period_ns.to_be_bytes());
            into[HEADER + 11..HEADER + 15].copy_from_slice(&triggers.pulse_ns.to_be_bytes());
            into[HEADER + 15..].copy_from_slice(&triggers.seed.to_be_bytes());
            (START, ORDER)
        }
        Order::Stop => (STOP, HEADER),
    };
    seal(kind, &mut into[..len]);
    len
}

/// Parses an order. `None` if `message` is not an order.
#[must_use]
pub fn read_order(message: &[u8]) -> Option<Order> {
    match (kind(message)?, &message[HEADER..]) {
        (START, &[VERSION, channels, ref rest @ ..]) => {
            let triggers = if rest.is_empty() { None } else { Some(read_triggers(rest)?) };
            Some(Order::Start(Start { version: VERSION, channels, triggers }))
        }
        (START, &[version, ..]) if version != VERSION => {
            Some(Order::Start(Start { version, channels: u8::MAX, triggers: None }))
        }
        (STOP, []) => Some(Order::Stop),
        _ => None,
    }
}

fn read_triggers(body: &[u8]) -> Option<Triggers> {
    let (&phase, body) = body.split_first()?;
    let (&period, body) = body.split_first_chunk()?;
    let (&pulse, body) = body.split_first_chunk()?;
    let phase = [Phase::Frozen, Phase::Uniform, Phase::Swept].get(usize::from(phase)).copied()?;
    Some(Triggers {
        phase,
        period_ns: u64::from_be_bytes(period),
        pulse_ns: u32::from_be_bytes(pulse),
        seed: u32::from_be_bytes(body.try_into().ok()?),
    })
}

/// Writes a hello into `into` and returns its length.
#[must_use]
pub fn hello(hello: Hello, into: &mut [u8; GREETING]) -> usize {
    into[HEADER] = hello.version;
    into[HEADER + 1] = hello.channels;
    into[HEADER + 2..HEADER + 6].copy_from_slice(&hello.tick_ps.to_be_bytes());
    into[HEADER + 6] = u8::from(hello.makes_triggers);
    seal(HELLO, into);
    GREETING
}

/// Parses a report. `None` if `message` is damaged or not a report.
#[must_use]
pub fn read_report(message: &[u8]) -> Option<Report<'_>> {
    match (kind(message)?, &message[HEADER..]) {
        (HELLO, &[VERSION, channels, ref tick @ .., triggers @ (0 | 1)]) => {
            let tick_ps = u32::from_be_bytes(tick.try_into().ok()?);
            let is_sound = (1..=CHANNELS).contains(&channels) && tick_ps > 0;
            let makes_triggers = triggers == 1;
            let hello = Hello { version: VERSION, channels, tick_ps, makes_triggers };
            is_sound.then_some(Report::Hello(hello))
        }
        (HELLO, &[version, ..]) if version != VERSION => Some(Report::Foreign(version)),
        (ROWS, &[sequence, ref body @ ..]) => {
            let (dropped, body) = body.split_first_chunk()?;
            let (at, levels) = body.split_first_chunk()?;
            let (&levels, rest) = levels.split_first()?;
            let first = Row { at: u64::from_be_bytes(*at), levels };
            let rows = Rows { sequence, dropped: u32::from_be_bytes(*dropped), first, rest };
            // A frame with an incomplete row is rejected.
            rows.is_whole().then_some(Report::Rows(rows))
        }
        _ => None,
    }
}

impl Rows<'_> {
    /// Rows in time order.
    pub fn iter(&self) -> impl Iterator<Item = Row> + '_ {
        let (mut rest, mut now) = (self.rest, self.first);
        core::iter::once(self.first).chain(core::iter::from_fn(move || {
            (now, rest) = next(now, rest)?;
            Some(now)
        }))
    }

    fn is_whole(&self) -> bool {
        let (mut rest, mut now) = (self.rest, self.first);
        while !rest.is_empty() {
            let Some(row) = next(now, rest) else { return false };
            (now, rest) = row;
        }
        true
    }
}

/// The row after `now`, and the remaining bytes.
fn next(now: Row, rest: &[u8]) -> Option<(Row, &[u8])> {
    let (ticks, rest) = read_leb128(rest)?;
    let (&levels, rest) = rest.split_first()?;
    Some((Row { at: now.at.checked_add(ticks)?, levels }, rest))
}

fn read_leb128(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0_u64;
    for (nth, &byte) in bytes.iter().enumerate().take(10) {
        let part = u64::from(byte & 0x7F);
        value |= part.checked_shl(7 * nth as u32).filter(|&high| high >> (7 * nth) == part)?;
        if byte < 0x80 {
            return Some((value, &bytes[nth + 1..]));
        }
    }
    None
}

/// A frame of rows under construction.
#[derive(Clone, Debug)]
pub struct Frame {
    bytes: [u8; LONGEST],
    len: usize,
    last: u64,
}

impl Default for Frame {
    fn default() -> Self {
        Self::new()
    }
}

impl Frame {
    /// Creates an empty frame.
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: [0; LONGEST], len: 0, last: 0 }
    }

    /// Adds a row, which must not be earlier than the previous one. Returns `false` and adds
    /// nothing if the frame is full or the row is earlier.
    pub fn push(&mut self, row: Row) -> bool {
        if self.len == 0 {
            self.bytes[COUNTS..COUNTS + 8].copy_from_slice(&row.at.to_be_bytes());
            self.bytes[COUNTS + 8] = row.levels;
            (self.len, self.last) = (FIRST_ROW, row.at);
            return true;
        }
        let Some(mut ticks) = row.at.checked_sub(self.last).filter(|_| self.len + ROW <= LONGEST)
        else {
            return false;
        };
        while ticks >= 0x80 {
            self.put(ticks as u8 | 0x80);
            ticks >>= 7;
        }
        self.put(ticks as u8);
        self.put(row.levels);
        self.last = row.at;
        true
    }

    fn put(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    /// Whether the frame has no rows.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Finishes the frame and starts a new one. `None` without rows.
    pub fn finish(&mut self, sequence: u8, dropped: u32) -> Option<&[u8]> {
        let len = core::mem::take(&mut self.len);
        if len == 0 {
            return None;
        }
        self.bytes[HEADER] = sequence;
        self.bytes[HEADER + 1..COUNTS].copy_from_slice(&dropped.to_be_bytes());
        seal(ROWS, &mut self.bytes[..len]);
        Some(&self.bytes[..len])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    const TWENTY_MS: Triggers =
        Triggers { phase: Phase::Swept, period_ns: 20_000_000, pulse_ns: 10_000, seed: 7 };

    #[test]
    fn orders_byte_for_byte() {
        let mut into = [0; ORDER];
        let start = Order::Start(Start { version: VERSION, channels: 3, triggers: None });
        let len = order(start, &mut into);
        let sum = crate::envelope::checksum(&[0xE1, 0, 0, 2, 3]).to_be_bytes();
        assert_eq!(into[..len], [0xE1, sum[0], sum[1], 2, 3]);
        assert_eq!(read_order(&into[..len]), Some(start));

        let triggers = Some(TWENTY_MS);
        let start = Order::Start(Start { version: VERSION, channels: 3, triggers });
        let len = order(start, &mut into);
        let body = [2, 3, 2, 0, 0, 0, 0, 0x01, 0x31, 0x2D, 0, 0, 0, 0x27, 0x10, 0, 0, 0, 7];
        assert_eq!(into[HEADER..len], body);
        assert_eq!(read_order(&into[..len]), Some(start));
        // No fourth phase.
        into[HEADER + 2] = 3;
        seal(START, &mut into);
        assert_eq!(read_order(&into), None);

        let len = order(Order::Stop, &mut into);
        assert_eq!(read_order(&into[..len]), Some(Order::Stop));
    }

    #[test]
    fn reports_byte_for_byte() {
        let expected = Hello { version: 2, channels: 2, tick_ps: 5_952, makes_triggers: true };
        let mut into = [0; GREETING];
        let len = hello(expected, &mut into);
        assert_eq!(into[3..len], [2, 2, 0, 0, 0x17, 0x40, 1]);
        assert_eq!(read_report(&into[..len]), Some(Report::Hello(expected)));

        let mut frame = Frame::new();
        assert_eq!(frame.finish(0, 0), None);
        assert!(frame.push(Row { at: 0x0102, levels: 1 }));
        assert!(frame.push(Row { at: 0x0102 + 300, levels: 3 }));
        assert!(!frame.push(Row { at: 0x0102, levels: 3 }));
        let bytes = frame.finish(7, 0x0203).expect("rows");
        assert_eq!(bytes[3..], [7, 0, 0, 2, 3, 0, 0, 0, 0, 0, 0, 1, 2, 1, 0xAC, 0x02, 3]);
    }

    #[test]
    fn other_versions_are_recognised_by_their_first_byte() {
        for body in [&[1][..], &[3, 9, 9, 9]] {
            let mut message = [&[0; HEADER][..], body].concat();
            seal(START, &mut message);
            let start = Start { version: body[0], channels: u8::MAX, triggers: None };
            assert_eq!(read_order(&message), Some(Order::Start(start)));
            seal(HELLO, &mut message);
            assert_eq!(read_report(&message), Some(Report::Foreign(body[0])));
        }
    }

    proptest! {
        #[test]
        fn rows_come_back(
            begin in 0_u64..1 << 40, steps in prop::collection::vec((0_u64..1 << 50, any::<u8>()), 1..40),
            sequence: u8, dropped: u32,
        ) {
            let (mut frame, mut at, mut pushed) = (Frame::new(), begin, Vec::new());
            for (step, levels) in steps {
                at += step;
                if !frame.push(Row { at, levels }) {
                    break;
                }
                pushed.push(Row { at, levels });
            }
            let bytes = frame.finish(sequence, dropped).expect("rows");
            prop_assert!(bytes.len() <= LONGEST);
            let Some(Report::Rows(rows)) = read_report(bytes) else { panic!("no rows") };
            prop_assert_eq!((rows.sequence, rows.dropped), (sequence, dropped));
            prop_assert_eq!(rows.iter().collect::<Vec<_>>(), pushed);
        }

        #[test]
        fn arbitrary_and_changed_bytes_are_refused(
            bytes in prop::collection::vec(any::<u8>(), 0..60), body in prop::collection::vec(any::<u8>(), 0..60),
            at in 0_usize..FIRST_ROW * 8,
        ) {
            // Each input is either rejected or parsed, without a panic.
            for kind in [START, STOP, HELLO, ROWS] {
                let mut message = [&[0; HEADER][..], &body].concat();
                seal(kind, &mut message);
                let _ = read_order(&message);
                if let Some(Report::Rows(rows)) = read_report(&message) {
                    prop_assert!(rows.iter().count() >= 1);
                }
            }
            let _ = (read_order(&bytes), read_report(&bytes));
            let mut frame = Frame::new();
            let pushed = frame.push(Row { at: 5, levels: 1 });
            prop_assert!(pushed);
            let mut damaged = frame.finish(1, 0).expect("a row").to_vec();
            damaged[at / 8] ^= 1 << (at % 8);
            prop_assert_eq!(read_report(&damaged), None);
        }
    }
}
