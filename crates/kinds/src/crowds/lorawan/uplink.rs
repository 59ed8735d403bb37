//! Unconfirmed data frames, as devices send them.
//!
//! ```text
//!  byte  0      1 .. 4         5       6, 7       8       9 .. N      N .. N + 3
//!       +------+--------------+-------+----------+-------+-----------+----------+
//!       | MHDR | DevAddr, LE  | FCtrl | FCnt, LE | FPort | payload   | MIC      |
//!       +------+--------------+-------+----------+-------+-----------+----------+
//! ```
//!
//! LoRaWAN link layer specification TS001-1.0.4, section 4. Payload and MIC are zero: no key
//! protects them here, and the air decides whether a frame is received correctly.

use std::rc::Rc;

use airlag_link::airtime::lora::SpreadingFactor;
use airlag_models::chip::{sx127x, sx1301};
use airlag_models::stack::lorawan::plan::{OVERHEAD, SYNC_WORD};

/// MHDR of an unconfirmed data uplink: message type 010, LoRaWAN R1.
const UNCONFIRMED_UPLINK: u8 = 0x40;

/// Frame `count` of the device with address `device`, in the layout of LoRa packets on the air.
#[must_use]
pub fn encode(factor: SpreadingFactor, device: u32, count: u16, size: usize) -> Rc<[u8]> {
    let [a, b, c, d] = device.to_le_bytes();
    let [low, high] = count.to_le_bytes();
    let header = [UNCONFIRMED_UPLINK, a, b, c, d, 0, low, high, 1];
    let rest = std::iter::repeat_n(0, size + OVERHEAD - header.len());
    let bytes = header.into_iter().chain(rest);
    sx127x::packet::pack(&sx1301::uplink(factor), SYNC_WORD, bytes)
}

/// Device address and frame counter of a received frame; `None` if it is not an uplink.
#[must_use]
pub fn decode(bytes: &[u8]) -> Option<(u32, u16)> {
    let packet = sx127x::packet::unpack(bytes)?;
    let &[UNCONFIRMED_UPLINK, a, b, c, d, _, low, high, ..] = packet.payload else { return None };
    let long_enough = packet.payload.len() >= OVERHEAD && packet.sync_word == SYNC_WORD;
    let identified = (u32::from_le_bytes([a, b, c, d]), u16::from_le_bytes([low, high]));
    long_enough.then_some(identified)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_has_the_bytes_of_the_specification() {
        let bytes = encode(SpreadingFactor::Sf7, 0x0403_0201, 0x0605, 2);
        let packet = sx127x::packet::unpack(&bytes).expect("a packet");
        assert_eq!(packet.sync_word, 0x34);
        assert_eq!(packet.payload, [0x40, 1, 2, 3, 4, 0, 5, 6, 1, 0, 0, 0, 0, 0, 0]);
        assert_eq!(packet.payload.len(), 2 + OVERHEAD);
        assert_eq!(decode(&bytes), Some((0x0403_0201, 0x0605)));
    }

    #[test]
    fn anything_else_is_not_an_uplink() {
        let bytes = encode(SpreadingFactor::Sf7, 1, 2, 0);
        for length in 0..bytes.len() {
            assert_eq!(decode(&bytes[..length]), None, "{length}");
        }
        let (mut confirmed, mut private) = (bytes.to_vec(), bytes.to_vec());
        confirmed[4] = 0x80;
        private[0] = 0x12;
        assert_eq!([decode(&confirmed), decode(&private)], [None, None]);
    }
}
