//! Frames over the air.
//!
//! ```text
//!  firmware, standard, 8 B   type 2 bits, CRC 14 | four channels of 10 bits, switches 8
//!  firmware, full, 13 B      type and flags 8 bits | eight channels of 10 bits | CRC 16
//!  bench, standard, 8 B      length 3 bits, counter 2, pair 3 | data 7 B
//!  bench, full, 13 B         length 4 bits, counter 2, pair 2 | data 12 B
//! ```
//!
//! Frames of the bench are as long as the frames that `OTA.h` of the firmware defines. In place of
//! RC channels and CRC, a frame of the bench contains bytes of a message. The shortest message of
//! the bench has 7 B, including the CRC of the message, and fills one standard frame. In the
//! firmware, one set of stick positions also fills one standard frame. A longer message is sent as
//! a stream, like the data of AirPort in the firmware: each standard frame contains 5 B of the
//! message, and each full frame contains 10 B. The pair field identifies transmitter and receiver.
//! The firmware identifies them by the initial value of the CRC. The counter identifies repetitions
//! of a frame. The firmware has no field for this purpose.

/// Format of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// 8 B with four channels.
    Standard,
    /// 13 B with eight channels.
    Full,
}

impl Format {
    /// Length of a frame, B.
    #[must_use]
    pub const fn frame_len(self) -> usize {
        match self {
            Self::Standard => 8,
            Self::Full => 13,
        }
    }

    /// Longest data of a frame, B.
    #[must_use]
    pub const fn data(self) -> usize {
        self.frame_len() - 1
    }

    /// Bytes of a serial stream in a frame (`ELRS4_TELEMETRY_BYTES_PER_CALL` and
    /// `ELRS8_TELEMETRY_BYTES_PER_CALL`).
    #[must_use]
    pub const fn stream(self) -> usize {
        match self {
            Self::Standard => 5,
            Self::Full => 10,
        }
    }

    /// Data in each frame of a message of `size` bytes.
    #[must_use]
    pub const fn chunk(self, size: usize) -> usize {
        if size <= self.data() { self.data() } else { self.stream() }
    }

    /// Bits of the pair in the first byte.
    const fn pair_bits(self) -> u32 {
        match self {
            Self::Standard => 3,
            Self::Full => 2,
        }
    }
}

/// Counters of data frames.
pub const COUNTERS: u8 = 4;

/// Content of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content<'a> {
    /// Channels of a handset at rest, before the first data.
    Idle,
    /// Data, with a counter below [`COUNTERS`].
    Data {
        /// Counter.
        counter: u8,
        /// From one byte to [`Format::data`] bytes.
        data: &'a [u8],
    },
    /// Synchronisation.
    Sync,
    /// Telemetry, from a receiver.
    Telemetry,
}

/// Filler for byte `nth` of a frame of `pair`, where it has no data.
const fn filler(pair: u16, nth: usize) -> u8 {
    pair.to_le_bytes()[nth % 2]
}

/// Encodes a frame of `pair`.
#[must_use]
pub fn encode(format: Format, pair: u16, content: Content<'_>) -> Vec<u8> {
    let (data, two): (&[u8], u8) = match content {
        Content::Data { counter, data } => (data, counter),
        Content::Idle => (&[], 0),
        Content::Sync => (&[], 1),
        Content::Telemetry => (&[], 2),
    };
    let bits = format.pair_bits();
    let own = pair as u8 & ((1 << bits) - 1);
    let mut bytes = vec![(data.len() as u8) << (bits + 2) | two << bits | own];
    bytes.extend_from_slice(data);
    while bytes.len() < format.frame_len() {
        bytes.push(filler(pair, bytes.len()));
    }
    bytes
}

/// Decodes a frame of `pair`. `None` if it is one of another pair, or in another format.
#[must_use]
pub fn decode(format: Format, pair: u16, bytes: &[u8]) -> Option<Content<'_>> {
    let bits = format.pair_bits();
    let (&first, rest) = bytes.split_first()?;
    let len = usize::from(first >> (bits + 2));
    let (data, filled) = rest.split_at_checked(len)?;
    let own = (0..filled.len()).all(|nth| filled[nth] == filler(pair, 1 + len + nth));
    let mask = (1 << bits) - 1;
    if bytes.len() != format.frame_len() || !own || (first ^ pair as u8) & mask != 0 {
        return None;
    }
    match (len, first >> bits & 3) {
        (0, 0) => Some(Content::Idle),
        (0, 1) => Some(Content::Sync),
        (0, 2) => Some(Content::Telemetry),
        (0, _) => None,
        (_, counter) => Some(Content::Data { counter, data }),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded_by_its_pair(
            full: bool, pair: u16, counter in 0..COUNTERS,
            data in prop::collection::vec(any::<u8>(), 1..=12), bit in 0_u32..3,
        ) {
            let format = if full { Format::Full } else { Format::Standard };
            let data = &data[..data.len().min(format.data())];
            let other = pair ^ 1 << bit.min(format.pair_bits() - 1);
            for content in [
                Content::Idle, Content::Sync, Content::Telemetry, Content::Data { counter, data },
            ] {
                let bytes = encode(format, pair, content);
                prop_assert_eq!(bytes.len(), format.frame_len());
                prop_assert_eq!(decode(format, pair, &bytes), Some(content));
                prop_assert_eq!(decode(format, other, &bytes), None);
            }
        }

        #[test]
        fn any_bytes_are_a_frame_or_none(bytes in prop::collection::vec(any::<u8>(), 0..20), pair: u16) {
            for format in [Format::Standard, Format::Full] {
                if let Some(content) = decode(format, pair, &bytes) {
                    prop_assert_eq!(encode(format, pair, content), bytes.clone());
                }
            }
        }
    }

    #[test]
    fn a_position_is_one_frame_and_a_longer_message_a_stream() {
        let frames = |format: Format, size: usize| size.div_ceil(format.chunk(size));
        assert_eq!([7, 8, 12, 128].map(|size| frames(Format::Standard, size)), [1, 2, 3, 26]);
        assert_eq!([7, 12, 13, 128].map(|size| frames(Format::Full, size)), [1, 1, 2, 13]);
    }
}
