//! The frames, none longer than the radio takes: 32 bytes of an nRF24L01+, up to [`MOST`] of others.
//!
//! ```text
//!              byte 0 and 1, big endian         2        3
//!             +------+-------+-----------------+--------+--------+----------+-----------+----------+
//!  data       | 00   | left  | frame number    | bytes of the stream, as many as fit               |
//!             +------+-------+-----------------+--------+--------+----------+-----------+----------+
//!  report     | 01   | left  | first not taken | run    | W, len | opened   | bitmap    | …        |
//!             |      |       |                 | voucher 4       | data                            |
//!             +------+-------+-----------------+--------+--------+----------+-----------+----------+
//!  greeting   | 10   | left  | version         | up     | own number 8   | peer's number 8 | vouch.8 |
//!             +------+-------+-----------------+--------+----------------+-----------------+---------+
//!  bits         2      3       11
//! ```
//!
//! - `left`: frames that follow in the same burst, 7 for more; the last one asks for an answer.
//! - `run`: frames held one after the other from the first one not taken on; the bitmap says which of
//!   those behind the first one missing are held (bit 0 of byte 0 is the next one).
//! - `W`: the sender wants to send more than fits an answer.
//! - `opened`: the lower bits of the number of packets that came whole. A frame that was cut short where
//!   a packet ends may have had further ones behind it, which no frame number tells of.
//! - A report may carry a data frame behind its voucher, with a head of its own.

/// Longest frame, bytes, of any radio: what an SX1276 holds is the most of those here.
pub const MOST: usize = 255;
/// Shortest that the longest frame of a radio may be, bytes: any report fits, and behind one without a bitmap
/// as much of the stream as a frame has to have ([`crate::send::LEAST`]).
pub const LEAST: usize = 31;
/// Bytes of a frame's head.
pub const HEAD: usize = 2;
/// Frame numbers wrap at this.
pub const NUMBERS: u64 = 1 << 11;
/// Frames that may be under way at once: what a report can tell of.
pub const WINDOW: usize = 8 * BITMAP;
/// Longest bitmap, bytes.
pub const BITMAP: usize = 12;
/// Largest `left` a frame can say.
pub const LEFT: u8 = 7;

/// The version of this layout.
const VERSION: u16 = 1;
/// Bytes of a report without bitmap and data.
pub const REPORT: usize = HEAD + 3 + VOUCHER;
const GREETING_BODY: usize = 17;
const GREETING_LEN: usize = HEAD + GREETING_BODY + GREETING;
const WANTS: u8 = 0x80;

use crate::keys::{GREETING, VOUCHER};

/// A frame as it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    bytes: [u8; MOST],
    len: u8,
}

impl Frame {
    const fn new() -> Self {
        Self { bytes: [0; MOST], len: 0 }
    }

    fn push(&mut self, bytes: &[u8]) {
        let at = usize::from(self.len);
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len() as u8;
    }

    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// Whether it is the last of its burst, which asks for an answer.
    #[must_use]
    pub const fn asks(&self) -> bool {
        self.bytes[0] >> 3 & LEFT == 0
    }

    /// Says how many frames follow in its burst.
    pub fn set_left(&mut self, left: usize) {
        let left = if left < usize::from(LEFT) { left as u8 } else { LEFT };
        self.bytes[0] = self.bytes[0] & 0b1100_0111 | left << 3;
    }
}

/// Part of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data<'a> {
    /// The lower bits of its number.
    pub number: u16,
    /// Bytes of the stream.
    pub body: &'a [u8],
}

/// What the other end has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report<'a> {
    /// The lower bits of the first frame not taken.
    pub first: u16,
    /// Frames held from that one on.
    pub run: u8,
    /// Which of those behind the first one missing are held.
    pub bitmap: &'a [u8],
    /// The lower bits of the number of packets that came whole.
    pub opened: u8,
    /// The other end wants to send.
    pub wants: bool,
    /// What is vouched for, beside the number of the first frame.
    pub vouched: &'a [u8],
    /// What vouches for it.
    pub voucher: [u8; VOUCHER],
    /// Part of the stream the other way.
    pub data: Option<Data<'a>>,
}

/// The number of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// Of whoever sends it.
    pub own: u64,
    /// Of the other end, as far as it is known; 0 if not.
    pub peer: u64,
    /// For whoever sends it the session of these two is up.
    pub up: bool,
}

/// What a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind<'a> {
    /// Part of the stream.
    Data(Data<'a>),
    /// What the other end has.
    Report(Report<'a>),
    /// The number of a session; somebody vouched for it who has `voucher` right.
    Greeting {
        /// What it says.
        greeting: Greeting,
        /// What is vouched for.
        vouched: &'a [u8],
        /// What vouches for it.
        voucher: [u8; GREETING],
    },
}

/// A frame, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parsed<'a> {
    /// Frames that follow in the same burst; [`LEFT`] for that many or more.
    pub left: u8,
    /// What it is.
    pub kind: Kind<'a>,
}

const DATA_KIND: u16 = 0b00;
const REPORT_KIND: u16 = 0b01;
const GREETING_KIND: u16 = 0b10;

const fn head(kind: u16, number: u64) -> [u8; HEAD] {
    (kind << 14 | (number % NUMBERS) as u16).to_be_bytes()
}

fn split_head(bytes: &[u8]) -> Option<(u16, u8, u16, &[u8])> {
    let (head, rest) = bytes.split_at_checked(HEAD)?;
    let head = u16::from_be_bytes([head[0], head[1]]);
    Some((head >> 14, (head >> 11) as u8 & LEFT, head & (NUMBERS as u16 - 1), rest))
}

fn split_data(bytes: &[u8]) -> Option<Data<'_>> {
    let (kind, _, number, body) = split_head(bytes)?;
    (kind == DATA_KIND && !body.is_empty()).then_some(Data { number, body })
}

impl<'a> Parsed<'a> {
    /// Takes a frame apart; none if it is not one.
    #[must_use]
    pub fn parse(bytes: &'a [u8]) -> Option<Self> {
        if bytes.len() > MOST {
            return None;
        }
        let (kind, left, number, rest) = split_head(bytes)?;
        let kind = match kind {
            DATA_KIND => Kind::Data(split_data(bytes)?),
            REPORT_KIND => {
                let (&[run, control, opened], _) = rest.split_first_chunk::<3>()?;
                let len = usize::from(control & !WANTS);
                if len > BITMAP || usize::from(run) > WINDOW {
                    return None;
                }
                let (vouched, behind) = rest.split_at_checked(3 + len)?;
                let (&voucher, data) = behind.split_first_chunk::<VOUCHER>()?;
                let data = if data.is_empty() { None } else { Some(split_data(data)?) };
                Kind::Report(Report {
                    first: number,
                    run,
                    bitmap: &vouched[3..],
                    opened,
                    wants: control & WANTS != 0,
                    vouched,
                    voucher,
                    data,
                })
            }
            GREETING_KIND if bytes.len() == GREETING_LEN && number == VERSION => {
                let (vouched, voucher) = rest.split_at(GREETING_BODY);
                let number =
                    |at: usize| u64::from_le_bytes(core::array::from_fn(|nth| vouched[at + nth]));
                Kind::Greeting {
                    greeting: Greeting { own: number(1), peer: number(9), up: vouched[0] != 0 },
                    vouched,
                    voucher: core::array::from_fn(|nth| voucher[nth]),
                }
            }
            _ => return None,
        };
        Some(Self { left, kind })
    }
}

/// A data frame.
#[must_use]
pub fn data(number: u64, body: &[u8]) -> Frame {
    let mut frame = Frame::new();
    frame.push(&head(DATA_KIND, number));
    frame.push(body);
    frame
}

/// Bytes of the stream in a full data frame of a radio whose longest frame has `frame` bytes.
#[must_use]
pub const fn body(frame: usize) -> usize {
    frame - HEAD
}

/// Bytes of the stream that fit behind a report with a bitmap of `bitmap` bytes, in such a frame.
#[must_use]
pub const fn room_behind_report(frame: usize, bitmap: usize) -> usize {
    frame - REPORT - bitmap - HEAD
}

const _: () = assert!(room_behind_report(LEAST, 0) >= crate::send::LEAST);

/// A report that `vouch` vouches for, given what is to be vouched for; with a data frame behind it.
#[must_use]
pub fn report(
    first: u64,
    opened: u64,
    run: usize,
    bitmap: &[u8],
    wants: bool,
    vouch: impl FnOnce(&[u8]) -> [u8; VOUCHER],
    behind: Option<(u64, &[u8])>,
) -> Frame {
    let mut frame = Frame::new();
    frame.push(&head(REPORT_KIND, first));
    let control = bitmap.len() as u8 | if wants { WANTS } else { 0 };
    frame.push(&[run as u8, control, opened as u8]);
    frame.push(bitmap);
    let voucher = vouch(&frame.bytes()[HEAD..]);
    frame.push(&voucher);
    if let Some((number, body)) = behind {
        frame.push(&head(DATA_KIND, number));
        frame.push(body);
    }
    frame
}

/// A greeting that `vouch` vouches for.
#[must_use]
pub fn greeting(greeting: Greeting, vouch: impl FnOnce(&[u8]) -> [u8; GREETING]) -> Frame {
    let mut frame = Frame::new();
    frame.push(&head(GREETING_KIND, VERSION.into()));
    frame.push(&[u8::from(greeting.up)]);
    frame.push(&greeting.own.to_le_bytes());
    frame.push(&greeting.peer.to_le_bytes());
    let voucher = vouch(&frame.bytes()[HEAD..]);
    frame.push(&voucher);
    frame
}

/// The number nearest at or behind `least` whose lower bits are `number`.
#[must_use]
pub const fn number_from(least: u64, number: u16) -> u64 {
    least + (number as u64 + NUMBERS - least % NUMBERS) % NUMBERS
}

#[cfg(test)]
mod tests {
    use std::vec;

    use super::*;

    #[test]
    fn frames_come_back_as_they_were_made() {
        let mut frame = data(2049, &[9; body(MOST)]);
        frame.set_left(23);
        assert_eq!(frame.bytes().len(), MOST);
        let expected = Kind::Data(Data { number: 1, body: &[9; body(MOST)] });
        assert_eq!(Parsed::parse(frame.bytes()), Some(Parsed { left: 7, kind: expected }));

        let frame = report(2050, 259, 3, &[1, 2], true, |_| [4; VOUCHER], Some((7, b"abc")));
        let Some(Parsed { left: 0, kind: Kind::Report(report) }) = Parsed::parse(frame.bytes())
        else {
            panic!("{frame:?}")
        };
        assert_eq!((report.first, report.opened, report.run, report.wants), (2, 3, 3, true));
        assert_eq!((report.bitmap, report.voucher), (&[1_u8, 2][..], [4; VOUCHER]));
        assert_eq!(report.data, Some(Data { number: 7, body: b"abc" }));

        let numbers = Greeting { own: u64::MAX - 1, peer: 3, up: true };
        let frame = greeting(numbers, |_| [6; GREETING]);
        let Some(Parsed { kind: Kind::Greeting { greeting, voucher, .. }, .. }) =
            Parsed::parse(frame.bytes())
        else {
            panic!("{frame:?}")
        };
        assert_eq!((greeting, voucher), (numbers, [6; GREETING]));
    }

    #[test]
    fn a_report_with_everything_in_it_fits_a_frame() {
        for len in [LEAST, 32, MOST] {
            let body = vec![1; room_behind_report(len, BITMAP)];
            let bitmap = [0; BITMAP];
            let frame = report(0, 0, WINDOW, &bitmap, true, |_| [0; VOUCHER], Some((0, &body)));
            assert_eq!(frame.bytes().len(), len);
            assert!(GREETING_LEN <= len);
        }
    }

    #[test]
    fn numbers_are_found_again_behind_the_least_that_is_possible() {
        for (least, number, expected) in
            [(0, 5, 5), (2040, 2047, 2047), (2040, 3, 2051), (4096, 2047, 6143), (4100, 4, 4100)]
        {
            assert_eq!(number_from(least, number), expected, "{number} from {least}");
        }
    }
}
