//! Message of a live probe: twelve bytes with the time stamps of the far end, and padding.
//!
//! ```text
//!  byte  0      1       2        3       4        5 .. 8          9 .. 11         12 .. N
//!       +------+-------+--------+-------+--------+---------------+---------------+---------+
//!       | kind | check | sequence, BE   | count  | received, BE  | residence, BE | padding |
//!       +------+-------+--------+-------+--------+---------------+---------------+---------+
//! ```
//!
//! The sender stores the send time of a request and the arrival time of the response, so a request
//! contains only a sequence number. The reflector fills in three fields of the response: the number
//! of requests received (modulo 256), the receive time of the request (in units of [`UNIT_NS`],
//! wrapping every [`WRAP_NS`]), and the residence time (in units of [`RESIDENCE_UNIT_NS`]). The
//! residence time is the time from the arrival of the request to the response. The sender compares
//! gaps in the sequence numbers with gaps in the reflector's count. This comparison determines the
//! direction in which messages were lost, as with a stateful reflector of STAMP (RFC 8762, section
//! 4).
//!
//! `check` is a CRC-8 over the other eleven bytes. A response is as long as its request, so a
//! reflector never amplifies traffic.

use crc::{CRC_8_SMBUS, Crc, Table};

const CRC8: Crc<u8, Table<1>> = Crc::<u8, Table<1>>::new(&CRC_8_SMBUS);

/// Bytes of the shortest probe.
pub const LEN: usize = 12;
/// Resolution of the receive time stamp, ns. It suits sub-microsecond host clocks, and a 32-bit
/// value wraps after more than two minutes.
pub const UNIT_NS: u64 = 32;
/// Wrap period of the receive time stamp, ns.
pub const WRAP_NS: u64 = UNIT_NS << 32;
/// Resolution of the residence time, ns.
pub const RESIDENCE_UNIT_NS: u64 = 256;
/// Longest residence time that can be represented, ns: 4.3 s.
pub const MAX_RESIDENCE_NS: u64 = RESIDENCE_UNIT_NS * ((1 << 24) - 1);

const QUESTION: u8 = 0xA5;
const ANSWER: u8 = 0xA6;

/// Time stamps in a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Sequence number of the request, modulo 2^16.
    pub sequence: u16,
    /// Number of requests received so far, including this one, modulo 256.
    pub count: u8,
    /// Receive time on the reflector's clock, ns, modulo [`WRAP_NS`].
    pub received_ns: u64,
    /// Time between reception and transmission at the reflector, ns.
    pub residence_ns: u64,
}

/// Writes request `sequence` into `message`, whose further bytes are padding. Returns `false` and
/// writes nothing if `message` is shorter than [`LEN`].
#[must_use]
pub fn ask(message: &mut [u8], sequence: u16) -> bool {
    if message.len() < LEN {
        return false;
    }
    message.fill(0);
    message[0] = QUESTION;
    message[2..4].copy_from_slice(&sequence.to_be_bytes());
    seal(message);
    true
}

/// Converts the request in `message` into its response. Returns `false` and leaves `message`
/// unchanged if it is not a request.
#[must_use]
pub fn reflect(message: &mut [u8], count: u8, received_ns: u64, residence_ns: u64) -> bool {
    if !is_sound(message, QUESTION) {
        return false;
    }
    message[0] = ANSWER;
    message[4] = count;
    message[5..9].copy_from_slice(&((received_ns / UNIT_NS) as u32).to_be_bytes());
    let residence = (residence_ns.min(MAX_RESIDENCE_NS) / RESIDENCE_UNIT_NS) as u32;
    message[9..12].copy_from_slice(&residence.to_be_bytes()[1..]);
    seal(message);
    true
}

/// Parses a response. `None` if `message` is not a response.
#[must_use]
pub fn read(message: &[u8]) -> Option<Answer> {
    if !is_sound(message, ANSWER) {
        return None;
    }
    let number = |range: core::ops::Range<usize>| {
        message[range].iter().fold(0_u64, |sum, &byte| sum << 8 | u64::from(byte))
    };
    Some(Answer {
        sequence: number(2..4) as u16,
        count: message[4],
        received_ns: number(5..9) * UNIT_NS,
        residence_ns: number(9..12) * RESIDENCE_UNIT_NS,
    })
}

/// Returns the full receive time stamp for the wrapped value `wrapped_ns` (modulo [`WRAP_NS`]), ns.
/// Of all candidates, this is the one nearest to `expected_ns`.
#[must_use]
pub const fn unwrap(wrapped_ns: u64, expected_ns: i64) -> i64 {
    let wrap = WRAP_NS as i64;
    let ahead = (wrapped_ns as i64 - expected_ns).rem_euclid(wrap);
    expected_ns + if ahead >= wrap / 2 { ahead - wrap } else { ahead }
}

fn seal(message: &mut [u8]) {
    message[1] = 0;
    message[1] = checksum(message);
}

fn checksum(message: &[u8]) -> u8 {
    let mut digest = CRC8.digest();
    digest.update(&message[..1]);
    digest.update(&message[2..LEN]);
    digest.finalize()
}

fn is_sound(message: &[u8], kind: u8) -> bool {
    message.len() >= LEN && message[0] == kind && message[1] == checksum(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec;

    #[test]
    fn a_question_and_its_answer_byte_for_byte() {
        let mut message = [0xFF; 14];
        assert!(ask(&mut message, 0x0102));
        assert_eq!(message, [0xA5, message[1], 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(message[1], CRC8.checksum(&[0xA5, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0]));
        assert!(reflect(&mut message, 7, 32 * 0x0A0B_0C0D, 256 * 0x0E0F10));
        assert_eq!(message[2..12], [1, 2, 7, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10]);
        // A response is not a request, so two reflectors cannot form a loop.
        assert!(!reflect(&mut message, 8, 0, 0));
    }

    proptest! {
        #[test]
        fn stamps_come_back_to_their_resolution(
            len in LEN..300, sequence: u16, count: u8, received_ns in 0_u64..1 << 62,
            residence_ns in 0..2 * MAX_RESIDENCE_NS, off in -60_000_000_000_i64..60_000_000_000,
        ) {
            let mut message = vec![0; len];
            prop_assert!(ask(&mut message, sequence));
            prop_assert!(reflect(&mut message, count, received_ns, residence_ns));
            let answer = read(&message).expect("an answer");
            prop_assert_eq!((answer.sequence, answer.count), (sequence, count));
            let full = unwrap(answer.received_ns, received_ns as i64 + off) as u64;
            prop_assert!(full <= received_ns && received_ns - full < UNIT_NS);
            let stated = residence_ns.min(MAX_RESIDENCE_NS);
            prop_assert!(answer.residence_ns <= stated);
            prop_assert!(stated - answer.residence_ns < RESIDENCE_UNIT_NS);
        }

        #[test]
        fn arbitrary_bytes_and_changed_bits_are_neither(
            mut bytes in prop::collection::vec(any::<u8>(), 0..40), sequence: u16,
            at in 0..LEN * 8,
        ) {
            let before = bytes.clone();
            if !reflect(&mut bytes, 1, 2, 3) {
                prop_assert_eq!(&bytes, &before);
            }
            let mut message = [0; LEN];
            prop_assert!(ask(&mut message, sequence));
            message[at / 8] ^= 1 << (at % 8);
            prop_assert!(!reflect(&mut message, 1, 2, 3));
            prop_assert!(read(&message).is_none());
        }
    }
}
