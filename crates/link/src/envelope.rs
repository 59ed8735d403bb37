//! Kind and checksum of every frame between a board and its host.
//!
//! ```text
//!  byte  0      1 .. 2      3 ..
//!       +------+-----------+------+
//!       | kind | CRC-16 BE | body |
//!       +------+-----------+------+
//! ```
//!
//! The CRC-16 of a frame covers the frame kind and the frame body. The protocol of
//! [`edges`](crate::edges) uses the frame kinds 0xE1 to 0xE4, and the protocol of
//! [`control`](crate::control) uses the frame kinds from 0xE5 on. One firmware image may therefore
//! use both protocols on the same serial line. Each frame is sent on the line as a message of
//! [`framing`](crate::framing).

use crc::{CRC_16_IBM_3740, Crc, Table};

const CRC16: Crc<u16, Table<1>> = Crc::<u16, Table<1>>::new(&CRC_16_IBM_3740);

/// Bytes before the body.
pub(crate) const HEADER: usize = 3;

/// Writes kind and checksum before the body that is already in `message`.
pub(crate) fn seal(kind: u8, message: &mut [u8]) {
    message[0] = kind;
    let sum = checksum(message).to_be_bytes();
    message[1..HEADER].copy_from_slice(&sum);
}

/// Computes the checksum of a message, regardless of the checksum that it contains.
pub(crate) fn checksum(message: &[u8]) -> u16 {
    let mut digest = CRC16.digest();
    digest.update(&message[..1]);
    digest.update(&message[HEADER..]);
    digest.finalize()
}

/// Kind of an undamaged message.
pub(crate) fn kind(message: &[u8]) -> Option<u8> {
    let is_sound = message.len() >= HEADER && message[1..HEADER] == checksum(message).to_be_bytes();
    is_sound.then(|| message[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_catalogued_one() {
        // Check value of the CRC RevEng catalogue for "123456789".
        assert_eq!(checksum(b"1..23456789"), 0x29B1);
        let mut message = *b"...23456789";
        seal(b'1', &mut message);
        assert_eq!(message, *b"1\x29\xB123456789");
        assert_eq!(kind(&message), Some(b'1'));
        assert_eq!(kind(&message[..2]), None);
    }
}
