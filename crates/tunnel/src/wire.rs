//! Frame formats. Frames are at most as long as the radio permits: 32 bytes for an nRF24L01+, up to [`MOST`]
//! for others.
//!
//! ```text
//!              byte 0 and 1, big endian              2        3
//!             +------+-------+----------------------+--------+--------+----------+-----------+----------+
//!  data       | 0x   | left  | mark                 | bytes of the stream, as many as fit               |
//!             +------+-------+----------------------+--------+--------+----------+-----------+----------+
//!  report     | 10   | left  | first not taken      | run    | W, len | opened   | bitmap    | …        |
//!             |      |       |                      | voucher 4       | data                            |
//!             +------+-------+----------------------+--------+--------+----------+-----------+----------+
//!  hello      | 11   | left  | version, 0, asks     | own nonce 8, peer's nonce 8 | MTU 2    | voucher 4 |
//!  part       | 11   | left  | version, 1 or 2, nth | id 2   | bytes of a message of Noise   | voucher 4 |
//!  confirm    | 11   | left  | version, 3, 0        | id 2   | previous 4, opened 4, sealed  | tag 16    |
//!             +------+-------+----------------------+--------+-------------------------------+-----------+
//!  bits         2      3       11; of data 12 with x      version 4, kind 2, nth 5
//! ```
//!
//! - `left`: number of frames that follow in the burst, or 6 if more than 6 follow. The last frame of a
//!   burst requests a response. In the last frame, `left` is 0, or 7 if the sender has nothing else to send.
//!   `left` is not authenticated, because it is set when a burst is complete.
//! - `mark`: number of the frame, encoded with keys of the session and the contents of the frame
//!   ([`crate::keys`]).
//! - `first not taken`: number of the frame in which the first incomplete packet starts.
//! - `run`: number of frames received without a gap, counted from the frame `first not taken` on.
//! - `bitmap`: the frames received after the first missing frame. Bit 0 of byte 0 is the frame directly
//!   after the first missing frame.
//! - `W`: the sender of the report has more data than fits into a response.
//! - `opened`: lower bits of the number of packets received completely. This number is needed because a
//!   frame may have been truncated at the end of a packet, and frame numbers do not show whether the missing
//!   part of the frame contained further packets.
//! - `voucher`: authentication tag. After the voucher, a report may contain a data frame with a header of
//!   its own.
//! - Greetings (hello, part and confirm) are described in [`crate::handshake`]. `id` is derived from the
//!   public key of the initiator.

/// Longest frame of any radio, bytes: that of an SX1276.
pub const MOST: usize = 255;
/// Length that the longest frame of a radio must have at least, bytes. Any report fits into a frame of this
/// length. A report without a bitmap leaves room for at least [`crate::send::LEAST`] stream bytes.
pub const LEAST: usize = 31;
/// Length of the header of a frame, bytes.
pub const HEAD: usize = 2;
/// Modulus of frame numbers in reports.
pub const NUMBERS: u64 = 1 << 11;
/// Upper limit (exclusive) of the marks of data frames.
pub const MARKS: u16 = 1 << 12;
/// Largest number of unconfirmed frames that a report can describe.
pub const WINDOW: usize = 8 * BITMAP;
/// Longest bitmap, bytes.
pub const BITMAP: usize = 12;
/// Largest value of `left`, for this number of following frames or more.
pub const LEFT: u8 = 6;
/// Value of `left` in the last frame of a sender with nothing else to send.
const DONE: u8 = 7;

/// Version of this format.
const VERSION: u16 = 3;
/// Length of a report without bitmap and data, bytes.
pub const REPORT: usize = HEAD + 3 + VOUCHER;
/// Overhead of a handshake frame that carries a part of a Noise message, bytes.
const PART: usize = HEAD + 2 + GREETING;
/// Length of a hello, bytes.
const HELLO: usize = HEAD + 18 + GREETING;
/// Length of the content of a confirmation, bytes.
pub const CONTENT: usize = 8;
/// Length of a confirmation, bytes.
const CONFIRM: usize = HEAD + 2 + CONTENT + TAG;
const WANTS: u8 = 0x80;

const _: () = assert!(HELLO <= LEAST && CONFIRM <= LEAST);

use crate::keys::{GREETING, TAG, VOUCHER};

/// A frame.
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

    /// Bytes of the frame.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// Whether the frame is the last of its burst, which requests a response.
    #[must_use]
    pub const fn asks(&self) -> bool {
        matches!(self.bytes[0] >> 3 & 7, 0 | DONE)
    }

    /// Sets the number of following frames in its burst.
    pub fn set_left(&mut self, left: usize) {
        self.set(if left < usize::from(LEFT) { left as u8 } else { LEFT });
    }

    /// Marks the frame as the last of its burst, from a sender with nothing else to send.
    pub fn set_done(&mut self) {
        self.set(DONE);
    }

    fn set(&mut self, left: u8) {
        self.bytes[0] = self.bytes[0] & 0b1100_0111 | left << 3;
    }
}

/// A part of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data<'a> {
    /// Mark of its position.
    pub mark: u16,
    /// Stream bytes.
    pub body: &'a [u8],
}

/// A report of the received frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report<'a> {
    /// Lower bits of the number of the first frame not taken.
    pub first: u16,
    /// Number of received frames without a gap from `first` on.
    pub run: u8,
    /// Bitmap of the received frames after the first missing one.
    pub bitmap: &'a [u8],
    /// Lower bits of the number of complete packets.
    pub opened: u8,
    /// Whether the other end has data to send.
    pub wants: bool,
    /// Authenticated bytes, besides the number of the first frame.
    pub vouched: &'a [u8],
    /// Authentication tag.
    pub voucher: [u8; VOUCHER],
    /// A part of the stream in the other direction.
    pub data: Option<Data<'a>>,
}

/// One of the two messages of Noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// Message of the initiator.
    First,
    /// Message of the responder.
    Second,
}

/// A frame of the handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Greeting<'a> {
    /// Announces an end.
    Hello {
        /// Nonce of its sender.
        own: u64,
        /// Nonce of the other end. 0 if not known.
        peer: u64,
        /// MTU of its sender, bytes.
        mtu: u16,
        /// Whether the sender requests a session, or has none.
        asks: bool,
        /// Authentication tag.
        voucher: [u8; GREETING],
    },
    /// A part of a Noise message.
    Part {
        /// Message.
        message: Message,
        /// Index of the part.
        nth: u8,
        /// Identifier of the handshake.
        id: u16,
        /// Bytes.
        body: &'a [u8],
        /// Authentication tag.
        voucher: [u8; GREETING],
    },
    /// Confirms that the sender has the keys of the session.
    Confirm {
        /// Identifier of the handshake.
        id: u16,
        /// Encrypted content.
        content: [u8; CONTENT],
        /// Authentication tag.
        tag: [u8; TAG],
    },
}

/// Kind of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind<'a> {
    /// Part of the stream.
    Data(Data<'a>),
    /// A report of the received frames.
    Report(Report<'a>),
    /// A frame of the handshake.
    Greeting(Greeting<'a>),
}

/// A parsed frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parsed<'a> {
    /// Number of following frames in the burst. [`LEFT`] for this number or more.
    pub left: u8,
    /// Whether the sender of the frame has nothing else to send.
    pub is_done: bool,
    /// Kind.
    pub kind: Kind<'a>,
}

const REPORT_KIND: u16 = 0b10;
const GREETING_KIND: u16 = 0b11;
const HELLO_KIND: u16 = 0;
const FIRST_KIND: u16 = 1;
const SECOND_KIND: u16 = 2;
const CONFIRM_KIND: u16 = 3;

const fn head(kind: u16, number: u64) -> [u8; HEAD] {
    (kind << 14 | (number % NUMBERS) as u16).to_be_bytes()
}

/// Index, kind and version of a greeting, encoded for its header.
const fn greeting_number(kind: u16, nth: u8) -> u64 {
    (VERSION << 7 | kind << 5 | nth as u16) as u64
}

fn split_head(bytes: &[u8]) -> Option<(u16, u8, u16, &[u8])> {
    let (head, rest) = bytes.split_first_chunk::<HEAD>()?;
    let head = u16::from_be_bytes(*head);
    Some((head >> 14, (head >> 11) as u8 & 7, head & (NUMBERS as u16 - 1), rest))
}

fn split_data(bytes: &[u8]) -> Option<Data<'_>> {
    let (kind, _, number, body) = split_head(bytes)?;
    let mark = kind << 11 | number;
    (mark < MARKS && !body.is_empty()).then_some(Data { mark, body })
}

fn split_report(first: u16, rest: &[u8]) -> Option<Report<'_>> {
    let (&[run, control, opened], _) = rest.split_first_chunk::<3>()?;
    let len = usize::from(control & !WANTS);
    if len > BITMAP || usize::from(run) > WINDOW {
        return None;
    }
    let (vouched, behind) = rest.split_at_checked(3 + len)?;
    let (&voucher, data) = behind.split_first_chunk::<VOUCHER>()?;
    let data = if data.is_empty() { None } else { Some(split_data(data)?) };
    let (bitmap, wants) = (&vouched[3..], control & WANTS != 0);
    Some(Report { first, run, bitmap, opened, wants, vouched, voucher, data })
}

fn split_greeting(number: u16, rest: &[u8]) -> Option<Greeting<'_>> {
    let (version, kind, nth) = (number >> 7, number >> 5 & 3, number as u8 & 31);
    if version != VERSION {
        return None;
    }
    let message = match kind {
        HELLO_KIND => {
            let (own, rest) = rest.split_first_chunk()?;
            let (peer, rest) = rest.split_first_chunk()?;
            let (mtu, voucher) = rest.split_first_chunk()?;
            let (own, peer) = (u64::from_le_bytes(*own), u64::from_le_bytes(*peer));
            let (asks, voucher) = (nth != 0, voucher.try_into().ok()?);
            let mtu = u16::from_le_bytes(*mtu);
            return Some(Greeting::Hello { own, peer, mtu, asks, voucher });
        }
        FIRST_KIND => Message::First,
        SECOND_KIND => Message::Second,
        _ => {
            let (id, rest) = rest.split_first_chunk()?;
            let (&content, tag) = rest.split_first_chunk()?;
            let id = u16::from_le_bytes(*id);
            return Some(Greeting::Confirm { id, content, tag: tag.try_into().ok()? });
        }
    };
    let (id, rest) = rest.split_first_chunk()?;
    let (body, &voucher) = rest.split_last_chunk()?;
    let id = u16::from_le_bytes(*id);
    (!body.is_empty()).then_some(Greeting::Part { message, nth, id, body, voucher })
}

impl<'a> Parsed<'a> {
    /// Parses a frame. `None` if it is invalid.
    #[must_use]
    pub fn parse(bytes: &'a [u8]) -> Option<Self> {
        if bytes.len() > MOST {
            return None;
        }
        let (kind, left, number, rest) = split_head(bytes)?;
        let kind = match kind {
            REPORT_KIND => Kind::Report(split_report(number, rest)?),
            GREETING_KIND => Kind::Greeting(split_greeting(number, rest)?),
            _ => Kind::Data(split_data(bytes)?),
        };
        let is_done = left == DONE;
        Some(Self { left: if is_done { 0 } else { left }, is_done, kind })
    }
}

/// Header of a data frame.
const fn data_head(mark: u16) -> [u8; HEAD] {
    head(mark >> 11, mark as u64)
}

/// Returns a data frame with its mark and contents.
#[must_use]
pub fn data(mark: u16, body: &[u8]) -> Frame {
    let mut frame = Frame::new();
    frame.push(&data_head(mark));
    frame.push(body);
    frame
}

/// Number of stream bytes in a full data frame, for frames of at most `frame` bytes.
#[must_use]
pub const fn body(frame: usize) -> usize {
    frame - HEAD
}

/// Number of stream bytes that fit after a report with a bitmap of `bitmap` bytes, for frames of at
/// most `frame` bytes.
#[must_use]
pub const fn room_behind_report(frame: usize, bitmap: usize) -> usize {
    frame - REPORT - bitmap - HEAD
}

const _: () = assert!(room_behind_report(LEAST, 0) >= crate::send::LEAST);

/// Returns a report with an authentication tag that `vouch` computes from the authenticated bytes,
/// optionally followed by a data frame with its mark and contents.
#[must_use]
pub fn report(
    first: u64,
    opened: u64,
    run: usize,
    bitmap: &[u8],
    wants: bool,
    vouch: impl FnOnce(&[u8]) -> [u8; VOUCHER],
    behind: Option<(u16, &[u8])>,
) -> Frame {
    let mut frame = Frame::new();
    frame.push(&head(REPORT_KIND, first));
    let control = bitmap.len() as u8 | if wants { WANTS } else { 0 };
    frame.push(&[run as u8, control, opened as u8]);
    frame.push(bitmap);
    let voucher = vouch(&frame.bytes()[HEAD..]);
    frame.push(&voucher);
    if let Some((mark, body)) = behind {
        frame.push(&data_head(mark));
        frame.push(body);
    }
    frame
}

/// Returns a hello with its authentication tag.
#[must_use]
pub fn hello(own: u64, peer: u64, mtu: u16, asks: bool, voucher: [u8; GREETING]) -> Frame {
    let mut frame = Frame::new();
    frame.push(&head(GREETING_KIND, greeting_number(HELLO_KIND, asks as u8)));
    frame.push(&own.to_le_bytes());
    frame.push(&peer.to_le_bytes());
    frame.push(&mtu.to_le_bytes());
    frame.push(&voucher);
    frame
}

/// Number of bytes of a Noise message per part, for frames of at most `frame` bytes.
#[must_use]
pub const fn part_room(frame: usize) -> usize {
    frame - PART
}

/// Part `nth` of a Noise message with its authentication tag.
#[must_use]
pub fn part(message: Message, nth: u8, id: u16, body: &[u8], voucher: [u8; GREETING]) -> Frame {
    let kind = if message == Message::First { FIRST_KIND } else { SECOND_KIND };
    let mut frame = Frame::new();
    frame.push(&head(GREETING_KIND, greeting_number(kind, nth)));
    frame.push(&id.to_le_bytes());
    frame.push(body);
    frame.push(&voucher);
    frame
}

/// Returns a confirmation.
#[must_use]
pub fn confirm(id: u16, content: [u8; CONTENT], tag: [u8; TAG]) -> Frame {
    let mut frame = Frame::new();
    frame.push(&head(GREETING_KIND, greeting_number(CONFIRM_KIND, 0)));
    frame.push(&id.to_le_bytes());
    frame.push(&content);
    frame.push(&tag);
    frame
}

#[cfg(test)]
mod tests {
    use std::vec;

    use super::*;

    fn parsed(frame: &Frame) -> Parsed<'_> {
        Parsed::parse(frame.bytes()).unwrap_or_else(|| panic!("{frame:?}"))
    }

    #[test]
    fn frames_come_back_as_they_were_made() {
        for mark in [0, 5, 0x7FF, 0x800, MARKS - 1] {
            let mut frame = data(mark, &[9; body(MOST)]);
            frame.set_left(23);
            assert_eq!(frame.bytes().len(), MOST);
            let expected = Kind::Data(Data { mark, body: &[9; body(MOST)] });
            assert_eq!(parsed(&frame), Parsed { left: LEFT, is_done: false, kind: expected });
            assert!(!frame.asks());
            for (left, is_done) in [(0, false), (0, true), (1, false), (5, false)] {
                if is_done {
                    frame.set_done()
                } else {
                    frame.set_left(left.into())
                }
                assert_eq!(parsed(&frame), Parsed { left, is_done, kind: expected });
                assert_eq!(frame.asks(), left == 0);
            }
        }

        let behind = Some((0xA57, &b"abc"[..]));
        let frame = report(2050, 259, 3, &[1, 2], true, |_| [4; VOUCHER], behind);
        let Parsed { left: 0, is_done: false, kind: Kind::Report(report) } = parsed(&frame) else {
            panic!("{frame:?}")
        };
        assert_eq!((report.first, report.opened, report.run, report.wants), (2, 3, 3, true));
        assert_eq!((report.bitmap, report.voucher), (&[1_u8, 2][..], [4; VOUCHER]));
        assert_eq!(report.data, Some(Data { mark: 0xA57, body: b"abc" }));
    }

    #[test]
    fn greetings_come_back_as_they_were_made() {
        let greeting = |frame: &Frame| {
            let Kind::Greeting(greeting) = parsed(frame).kind else { panic!("{frame:?}") };
            std::format!("{greeting:?}")
        };
        let voucher = [6; GREETING];
        let expected =
            Greeting::Hello { own: u64::MAX - 1, peer: 3, mtu: 1_400, asks: true, voucher };
        let frame = hello(u64::MAX - 1, 3, 1_400, true, voucher);
        assert_eq!(greeting(&frame), std::format!("{expected:?}"));
        let short = frame.bytes().split_last().expect("bytes").1;
        assert_eq!(Parsed::parse(short), None);
        for message in [Message::First, Message::Second] {
            let body = &[5; part_room(32)];
            let frame = part(message, 31, 0x1234, body, voucher);
            assert_eq!(frame.bytes().len(), 32);
            let expected = Greeting::Part { message, nth: 31, id: 0x1234, body, voucher };
            assert_eq!(greeting(&frame), std::format!("{expected:?}"));
        }
        let (content, tag) = ([1; CONTENT], [2; TAG]);
        let expected = Greeting::Confirm { id: 7, content, tag };
        assert_eq!(greeting(&confirm(7, content, tag)), std::format!("{expected:?}"));
    }

    #[test]
    fn a_report_with_everything_in_it_fits_a_frame() {
        for len in [LEAST, 32, MOST] {
            let body = vec![1; room_behind_report(len, BITMAP)];
            let bitmap = [0; BITMAP];
            let behind = Some((0, &body[..]));
            let frame = report(0, 0, WINDOW, &bitmap, true, |_| [0; VOUCHER], behind);
            assert_eq!(frame.bytes().len(), len);
        }
    }

    #[test]
    fn bursts_of_an_nrf24_carry_thirty_bytes_of_the_stream_a_frame() {
        assert_eq!(data(5, &[0; body(32)]).bytes().len(), 32);
        assert_eq!(body(32), 30);
    }
}
