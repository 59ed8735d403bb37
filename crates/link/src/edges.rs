//! Frames between a board that time-stamps edges and the host that records them.
//!
//! ```text
//!  byte  0      1 .. 2      3 ..
//!       +------+-----------+--------------------------------------------------------------+
//!       | kind | CRC-16 BE | body                                                         |
//!       +------+-----------+--------------------------------------------------------------+
//!  host:  start  version 1
//!         stop
//!  board: hello  version 1 | channels 1 | duration of a tick, ps, 4 BE
//!         rows   sequence 1 | dropped 2 BE | instant, ticks, 8 BE | levels 1 | (ticks LEB128 | levels 1) …
//! ```
//!
//! On the line, every frame is a message of [`framing`](crate::framing). A row holds the levels of
//! all channels from an instant on, channel `i` in bit `i`. Each further row of a frame contains
//! the ticks since the previous one. A board sends rows at least every [`HEARTBEAT_MS`]. The last
//! row has the current time and may repeat the levels; the host then has every edge up to it.
//! `dropped` counts the rows lost to a full buffer, modulo 2^16. A gap in the sequence, or an
//! increase of `dropped`, is a gap in the record.
//!
//! The CRC-16 runs over the kind and the body.

use crc::{CRC_16_IBM_3740, Crc, Table};

const CRC16: Crc<u16, Table<1>> = Crc::<u16, Table<1>>::new(&CRC_16_IBM_3740);

/// Version of this protocol.
pub const VERSION: u8 = 1;
/// Largest number of channels.
pub const CHANNELS: u8 = 8;
/// Longest time between two frames with rows, ms.
pub const HEARTBEAT_MS: u64 = 100;
/// Longest frame, bytes.
pub const LONGEST: usize = 240;

const START: u8 = 0xE1;
const STOP: u8 = 0xE2;
const HELLO: u8 = 0xE3;
const ROWS: u8 = 0xE4;
/// Bytes before the body.
const HEADER: usize = 3;
/// Bytes of a frame with one row.
const FIRST_ROW: usize = HEADER + 12;
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

/// Announcement of a board at start-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hello {
    /// Version of the protocol that it uses.
    pub version: u8,
    /// Number of channels, at most [`CHANNELS`].
    pub channels: u8,
    /// Duration of a tick, ps.
    pub tick_ps: u32,
}

/// A frame from the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Send a hello and then rows, with this protocol version.
    Start(u8),
    /// Stop sending.
    Stop,
}

/// A frame from a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report<'a> {
    /// Start of a board.
    Hello(Hello),
    /// Rows.
    Rows(Rows<'a>),
}

/// The rows of a frame, in time order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows<'a> {
    /// Frame number since the hello, modulo 256.
    pub sequence: u8,
    /// Rows lost to a full buffer so far, modulo 2^16.
    pub dropped: u16,
    first: Row,
    rest: &'a [u8],
}

/// Writes an order into `into` and returns its length.
#[must_use]
pub fn order(order: Order, into: &mut [u8; HEADER + 1]) -> usize {
    let (kind, len) = match order {
        Order::Start(version) => {
            into[HEADER] = version;
            (START, HEADER + 1)
        }
        Order::Stop => (STOP, HEADER),
    };
    seal(kind, &mut into[..len]);
    len
}

/// Parses an order; none if `message` is not one.
#[must_use]
pub fn read_order(message: &[u8]) -> Option<Order> {
    match (kind(message)?, &message[HEADER..]) {
        (START, &[version]) => Some(Order::Start(version)),
        (STOP, []) => Some(Order::Stop),
        _ => None,
    }
}

/// Writes a hello into `into` and returns its length.
#[must_use]
pub fn hello(hello: Hello, into: &mut [u8; HEADER + 6]) -> usize {
    into[HEADER] = hello.version;
    into[HEADER + 1] = hello.channels;
    into[HEADER + 2..].copy_from_slice(&hello.tick_ps.to_be_bytes());
    seal(HELLO, into);
    HEADER + 6
}

/// Parses a report; none if `message` is damaged or not one.
#[must_use]
pub fn read_report(message: &[u8]) -> Option<Report<'_>> {
    match (kind(message)?, &message[HEADER..]) {
        (HELLO, &[version, channels, ref tick @ ..]) => {
            let tick_ps = u32::from_be_bytes(tick.try_into().ok()?);
            let is_sound = (1..=CHANNELS).contains(&channels) && tick_ps > 0;
            is_sound.then_some(Report::Hello(Hello { version, channels, tick_ps }))
        }
        (ROWS, &[sequence, d1, d2, ref body @ ..]) => {
            let (at, levels) = body.split_first_chunk()?;
            let (&levels, rest) = levels.split_first()?;
            let first = Row { at: u64::from_be_bytes(*at), levels };
            let rows = Rows { sequence, dropped: u16::from_be_bytes([d1, d2]), first, rest };
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
            self.bytes[HEADER + 3..HEADER + 11].copy_from_slice(&row.at.to_be_bytes());
            self.bytes[HEADER + 11] = row.levels;
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

    /// Finishes the frame and starts a new one; none without rows.
    pub fn finish(&mut self, sequence: u8, dropped: u16) -> Option<&[u8]> {
        let len = core::mem::take(&mut self.len);
        if len == 0 {
            return None;
        }
        self.bytes[HEADER] = sequence;
        self.bytes[HEADER + 1..HEADER + 3].copy_from_slice(&dropped.to_be_bytes());
        seal(ROWS, &mut self.bytes[..len]);
        Some(&self.bytes[..len])
    }
}

fn seal(kind: u8, message: &mut [u8]) {
    message[0] = kind;
    let sum = checksum(message).to_be_bytes();
    message[1..HEADER].copy_from_slice(&sum);
}

fn checksum(message: &[u8]) -> u16 {
    let mut digest = CRC16.digest();
    digest.update(&message[..1]);
    digest.update(&message[HEADER..]);
    digest.finalize()
}

fn kind(message: &[u8]) -> Option<u8> {
    let is_sound = message.len() >= HEADER && message[1..HEADER] == checksum(message).to_be_bytes();
    is_sound.then(|| message[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    #[test]
    fn frames_byte_for_byte() {
        let mut into = [0; 4];
        let len = order(Order::Start(VERSION), &mut into);
        let sum = CRC16.checksum(&[0xE1, 1]).to_be_bytes();
        assert_eq!(into[..len], [0xE1, sum[0], sum[1], 1]);
        assert_eq!(read_order(&into[..len]), Some(Order::Start(1)));
        let len = order(Order::Stop, &mut into);
        assert_eq!(read_order(&into[..len]), Some(Order::Stop));

        let expected = Hello { version: 1, channels: 2, tick_ps: 5_952 };
        let mut into = [0; 9];
        let len = hello(expected, &mut into);
        assert_eq!(into[3..len], [1, 2, 0, 0, 0x17, 0x40]);
        assert_eq!(read_report(&into[..len]), Some(Report::Hello(expected)));

        let mut frame = Frame::new();
        assert_eq!(frame.finish(0, 0), None);
        assert!(frame.push(Row { at: 0x0102, levels: 1 }));
        assert!(frame.push(Row { at: 0x0102 + 300, levels: 3 }));
        assert!(!frame.push(Row { at: 0x0102, levels: 3 }));
        let bytes = frame.finish(7, 0x0203).expect("rows");
        assert_eq!(bytes[3..], [7, 2, 3, 0, 0, 0, 0, 0, 0, 1, 2, 1, 0xAC, 0x02, 3]);
    }

    proptest! {
        #[test]
        fn rows_come_back(
            begin in 0_u64..1 << 40, steps in prop::collection::vec((0_u64..1 << 50, any::<u8>()), 1..40),
            sequence: u8, dropped: u16,
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
            at in 0_usize..15 * 8,
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
