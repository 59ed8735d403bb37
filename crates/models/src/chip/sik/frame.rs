//! Packet format on the air: network ID, length, data, trailer.
//!
//! ```text
//!  byte  0          1          2         3 ..           -2                     -1
//!       +----------+----------+---------+--------------+----------------------+-------------------+
//!       | network, LE         | length  | data         | window, low 8 bits   | 5 bits, flags     |
//!       +----------+----------+---------+--------------+----------------------+-------------------+
//! ```
//!
//! Bit 13 of the trailer marks a command for the peer, bit 14 marks a packet that is sent in the
//! peer's transmit window, and bit 15 marks a retransmission. The window field (bits 0 to 12) is
//! the sender's estimate of the ticks that are left in the sender's own transmit window at the end
//! of the packet. A window field of zero marks a packet with statistics.

use std::rc::Rc;

use airlag_link::airtime::sik::TRAILER;

/// Bytes before the data.
const HEADER: usize = 3;

/// The trailer, two bytes after the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trailer {
    /// Ticks left in the sender's phase at the end of the packet, 13 bits.
    pub window: u16,
    /// Whether the packet is sent in the peer's window.
    pub bonus: bool,
    /// Whether the packet is a retransmission.
    pub resend: bool,
}

impl Trailer {
    const fn to_bytes(self) -> [u8; TRAILER] {
        let flags = (self.bonus as u16) << 14 | (self.resend as u16) << 15;
        (self.window & 0x1FFF | flags).to_le_bytes()
    }

    const fn from_bytes(bytes: [u8; TRAILER]) -> Self {
        let word = u16::from_le_bytes(bytes);
        Self { window: word & 0x1FFF, bonus: word & 0x4000 != 0, resend: word & 0x8000 != 0 }
    }
}

/// Encodes a packet.
pub(super) fn encode(network: u16, data: &[u8], trailer: Trailer) -> Rc<[u8]> {
    let mut bytes = Vec::with_capacity(HEADER + data.len() + TRAILER);
    bytes.extend(network.to_le_bytes());
    bytes.push((data.len() + TRAILER) as u8);
    bytes.extend(data);
    bytes.extend(trailer.to_bytes());
    bytes.into()
}

/// Decodes a packet of `network`. Returns `None` if it belongs to another network or is not a
/// packet.
pub(super) fn decode(network: u16, bytes: &[u8]) -> Option<(&[u8], Trailer)> {
    let (header, carried) = bytes.split_at_checked(HEADER)?;
    if header[..2] != network.to_le_bytes() || usize::from(header[2]) != carried.len() {
        return None;
    }
    let (data, trailer) = carried.split_last_chunk::<TRAILER>()?;
    Some((data, Trailer::from_bytes(*trailer)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_trailer_has_the_window_below_and_the_flags_above() {
        let trailer = Trailer { window: 0x1BCD, bonus: true, resend: false };
        assert_eq!(encode(25, b"ab", trailer)[..], [25, 0, 4, b'a', b'b', 0xCD, 0x5B]);
    }

    #[test]
    fn a_packet_of_another_network_is_not_read() {
        let trailer = Trailer { window: 1, bonus: false, resend: false };
        assert_eq!(decode(26, &encode(25, b"ab", trailer)), None);
    }

    proptest! {
        #[test]
        fn what_was_laid_out_is_read_again(
            data in prop::collection::vec(any::<u8>(), 0..=250), network: u16,
            window in 0_u16..0x2000, bonus: bool, resend: bool,
        ) {
            let trailer = Trailer { window, bonus, resend };
            let bytes = encode(network, &data, trailer);
            prop_assert_eq!(decode(network, &bytes), Some((&data[..], trailer)));
        }

        #[test]
        fn any_bytes_are_a_packet_or_none(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = decode(25, &bytes);
        }
    }
}
