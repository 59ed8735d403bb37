//! Frames on a link that may not preserve chunk boundaries.
//!
//! ```text
//!  chunk      | mark | frame |                                      if chunk boundaries are preserved
//!  message    | mark, length, check 5 | frame | CRC-16 |            otherwise
//!  mark         A  number        A: a response to the burst with this number
//!  bits         1  7
//! ```
//!
//! If chunk boundaries are not preserved, a frame is sent as a message of `airlag-link`. The sequence number
//! of this message is the mark of the frame, which consists of the number of the burst and a bit for
//! responses. A receiver finds a message at any byte of a stream, after any loss. The message has a length of
//! its own, so it can end before the padding of a chunk, and it can be split into several chunks. One framing
//! therefore serves streams, padded chunks and split frames. All programs of a bench send such messages, and
//! thereby test the framing. COBS (Cheshire and Baker, 1999) with a CRC would take two bytes fewer per frame,
//! but would need another library.

use alloc::vec::Vec;

use airlag_link::message::{self, HEADER_LEN, TRAILER_LEN};
use airlag_link::{Capability, Reassembler, Seen};

use crate::wire::{LEAST, MOST};

/// Number of bytes that a message adds to a frame.
const AROUND: usize = HEADER_LEN + TRAILER_LEN;
/// Length of the longest message, bytes.
pub const MESSAGE: usize = MOST + AROUND;
/// Length of a mark, bytes.
const MARK: usize = 1;
/// Bit of a response in the mark.
const ANSWER: u8 = 0x80;

/// Mark before a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Whether the frame is a response and not part of a burst.
    pub is_answer: bool,
    /// Number of the frame's burst, which the sender counts up to 127.
    pub number: u8,
}

impl Mark {
    /// Mark of a frame of a burst.
    #[must_use]
    pub const fn burst(number: u8) -> Self {
        Self { is_answer: false, number }
    }

    /// Mark of the response to such a frame.
    #[must_use]
    pub const fn answered(self) -> Self {
        Self { is_answer: true, number: self.number }
    }

    /// Number of the next burst.
    #[must_use]
    pub const fn next(number: u8) -> u8 {
        (number + 1) & !ANSWER
    }

    const fn byte(self) -> u8 {
        self.number | if self.is_answer { ANSWER } else { 0 }
    }

    const fn parse(byte: u8) -> Self {
        Self { is_answer: byte & ANSWER != 0, number: byte & !ANSWER }
    }
}

/// A received frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// Mark.
    pub mark: Mark,
    /// Bytes.
    pub frame: Vec<u8>,
}

/// Framing of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// One frame per chunk, with this largest length.
    Chunks(usize),
    /// Frames in messages, with this largest length.
    Messages(usize),
}

impl Framing {
    /// The framing that a link requires.
    #[must_use]
    pub fn of(capability: &Capability) -> Self {
        let mtu = capability.mtu.max(1);
        if capability.stream {
            return Self::Messages(MOST);
        }
        if !capability.padded && mtu >= MARK + LEAST {
            return Self::Chunks((mtu - MARK).min(MOST));
        }
        // The smallest number of chunks for the shortest permitted frame.
        let chunks = (LEAST + AROUND).div_ceil(mtu);
        Self::Messages((chunks * mtu - AROUND).min(MOST))
    }

    /// Longest frame, bytes.
    #[must_use]
    pub const fn frame(self) -> usize {
        match self {
            Self::Chunks(frame) | Self::Messages(frame) => frame,
        }
    }

    /// Encodes a frame.
    #[must_use]
    pub fn wrap(self, mark: Mark, frame: &[u8]) -> Wrapped {
        let mut wrapped = Wrapped { bytes: [0; MESSAGE], len: 0 };
        let before = match self {
            Self::Chunks(_) => {
                wrapped.bytes[0] = mark.byte();
                MARK
            }
            Self::Messages(_) => HEADER_LEN,
        };
        wrapped.bytes[before..before + frame.len()].copy_from_slice(frame);
        wrapped.len = before + frame.len();
        if let Self::Messages(_) = self {
            wrapped.len += TRAILER_LEN;
            // The longest frame fits into `MESSAGE`.
            let sealed = message::seal(&mut wrapped.bytes[..wrapped.len], mark.byte().into());
            debug_assert!(sealed.is_ok(), "{sealed:?}");
        }
        wrapped
    }
}

/// An encoded frame.
pub struct Wrapped {
    bytes: [u8; MESSAGE],
    len: usize,
}

impl Wrapped {
    /// Its bytes.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// Decoder of frames.
pub struct Sorter {
    framing: Framing,
    /// Incomplete message.
    under_way: Reassembler<MESSAGE>,
    /// Whether the link does not preserve chunk boundaries.
    stream: bool,
}

impl Sorter {
    /// Creates a decoder for a link.
    #[must_use]
    pub fn new(capability: &Capability) -> Self {
        let (framing, under_way) = (Framing::of(capability), Reassembler::new());
        // In a chunk that is shorter than the header of a message, boundaries are useless.
        let stream = capability.stream || capability.mtu < HEADER_LEN;
        Self { framing, under_way, stream }
    }

    /// Processes a chunk, or a piece of a stream. Complete frames go to `heard`.
    pub fn push(&mut self, bytes: &[u8], mut heard: impl FnMut(Heard)) {
        if let Framing::Chunks(_) = self.framing {
            if let Some((&mark, frame)) = bytes.split_first() {
                heard(Heard { mark: Mark::parse(mark), frame: frame.to_vec() });
            }
            return;
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            let (seen, used) = if self.stream {
                self.under_way.push_stream(rest)
            } else {
                (self.under_way.push(rest), rest.len())
            };
            rest = &rest[used..];
            let Seen::Whole(header) = seen else { continue };
            let message = self.under_way.message();
            let frame = &message[HEADER_LEN..message.len() - TRAILER_LEN];
            if let Ok(mark) = u8::try_from(header.sequence) {
                heard(Heard { mark: Mark::parse(mark), frame: frame.to_vec() });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec;

    use super::*;

    fn sorted(sorter: &mut Sorter, bytes: &[u8]) -> Vec<Heard> {
        let mut all = Vec::new();
        sorter.push(bytes, |heard| all.push(heard));
        all
    }

    #[test]
    fn a_link_gets_the_framing_it_needs() {
        let datagram = Capability::datagram;
        for (capability, framing) in [
            (datagram(250), Framing::Chunks(249)),
            (datagram(1_400), Framing::Chunks(255)),
            (datagram(32), Framing::Chunks(31)),
            (datagram(31), Framing::Messages(55)),
            (datagram(20), Framing::Messages(33)),
            (datagram(64).padded(true), Framing::Messages(57)),
            (datagram(2_048).stream(true), Framing::Messages(255)),
            (datagram(1), Framing::Messages(31)),
        ] {
            assert_eq!(Framing::of(&capability), framing, "{capability:?}");
        }
    }

    #[test]
    fn a_frame_comes_back_from_any_link_with_its_mark() {
        let datagram = Capability::datagram;
        let frame: Vec<u8> = (0..31).collect();
        let mark = Mark::burst(127).answered();
        for capability in [datagram(100), datagram(20), datagram(1), datagram(100).stream(true)] {
            let wrapped = Framing::of(&capability).wrap(mark, &frame);
            let mut sorter = Sorter::new(&capability);
            let mut came = Vec::new();
            for chunk in wrapped.as_slice().chunks(capability.mtu) {
                came.extend(sorted(&mut sorter, chunk));
            }
            assert_eq!(came, [Heard { mark, frame: frame.clone() }], "{capability:?}");
        }
    }

    #[test]
    fn what_a_chunk_is_filled_up_with_is_no_part_of_a_frame() {
        let capability = Capability::datagram(64).padded(true);
        let mut sorter = Sorter::new(&capability);
        for number in 0..3 {
            let mark = Mark::burst(number);
            let mut chunk = Framing::of(&capability).wrap(mark, b"abc").as_slice().to_vec();
            chunk.resize(64, 0);
            assert_eq!(sorted(&mut sorter, &chunk), [Heard { mark, frame: b"abc".to_vec() }]);
        }
    }

    #[test]
    fn a_stream_is_found_again_after_bytes_were_lost() {
        let capability = Capability::datagram(64).stream(true);
        let mut sorter = Sorter::new(&capability);
        let mut stream = Vec::new();
        for number in 0..4 {
            let frame = vec![number; 40];
            stream.extend_from_slice(
                Framing::of(&capability).wrap(Mark::burst(number), &frame).as_slice(),
            );
        }
        stream.drain(50..60);
        let numbers: Vec<u8> =
            sorted(&mut sorter, &stream).iter().map(|heard| heard.mark.number).collect();
        assert_eq!(numbers, [0, 2, 3]);
    }

    #[test]
    fn bursts_are_counted_round() {
        assert_eq!([0, 126, 127].map(Mark::next), [1, 127, 0]);
    }
}
