//! Packet format on the air.
//!
//! ```text
//!  byte  0          1                        2, 3            4 .. N
//!       +----------+------------------------+---------------+---------+
//!       | sync word | flags and coding rate | preamble, BE  | payload |
//!       +----------+------------------------+---------------+---------+
//! ```
//!
//! The length is that of the frame. Whitening, interleaving and the header's own CRC are not
//! represented, because the air decides whether a frame is received correctly.

use std::rc::Rc;

use airlag_link::airtime::lora::{CodingRate, Frame};

const HEAD: usize = 4;
const EXPLICIT: u8 = 0x10;
const CRC: u8 = 0x20;
const OPTIMIZED: u8 = 0x40;

/// Frame parameters that a receiver needs in addition to the modulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// Sync word.
    pub sync_word: u8,
    /// Coding rate of the payload.
    pub coding_rate: CodingRate,
    /// Whether there is a header.
    pub explicit_header: bool,
    /// Whether there is a CRC.
    pub crc: bool,
    /// Whether low data rate optimisation is on.
    pub low_data_rate_optimize: bool,
    /// Programmed preamble, symbols.
    pub preamble: u16,
    /// Payload.
    pub payload: &'a [u8],
}

/// Encodes a frame.
#[must_use]
pub fn pack(frame: &Frame, sync_word: u8, payload: impl Iterator<Item = u8>) -> Rc<[u8]> {
    let flags = frame.coding_rate.denominator()
        | if frame.explicit_header { EXPLICIT } else { 0 }
        | if frame.crc { CRC } else { 0 }
        | if frame.low_data_rate_optimize { OPTIMIZED } else { 0 };
    let [high, low] = frame.preamble.to_be_bytes();
    [sync_word, flags, high, low].into_iter().chain(payload).collect()
}

/// Decodes a frame; `None` if the bytes are not in this format.
#[must_use]
pub fn unpack(bytes: &[u8]) -> Option<Packet<'_>> {
    let (head, payload) = bytes.split_at_checked(HEAD)?;
    let &[sync_word, flags, high, low] = head else { return None };
    Some(Packet {
        sync_word,
        coding_rate: CodingRate::new(flags & 0x0F)?,
        explicit_header: flags & EXPLICIT != 0,
        crc: flags & CRC != 0,
        low_data_rate_optimize: flags & OPTIMIZED != 0,
        preamble: u16::from_be_bytes([high, low]),
        payload,
    })
}

#[cfg(test)]
mod tests {
    use airlag_link::airtime::lora::{Bandwidth, SpreadingFactor};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_packed_is_unpacked(
            rate in 0_usize..4, explicit_header: bool, crc: bool, low_data_rate_optimize: bool,
            preamble: u16, sync_word: u8, payload in prop::collection::vec(any::<u8>(), 0..255),
        ) {
            let coding_rate = CodingRate::ALL[rate];
            let frame = Frame {
                preamble, explicit_header, crc, low_data_rate_optimize,
                ..Frame::new(SpreadingFactor::Sf9, Bandwidth::Khz125, coding_rate)
            };
            let bytes = pack(&frame, sync_word, payload.iter().copied());
            prop_assert_eq!(unpack(&bytes), Some(Packet {
                sync_word, coding_rate, explicit_header, crc, low_data_rate_optimize, preamble,
                payload: &payload,
            }));
        }
    }
}
