//! Enhanced ShockBurst frames in a capture file.
//!
//! No link type is registered for them. They use LINKTYPE_USER0 (147), whose meaning is private to
//! the writer of the file, with this layout:
//!
//! ```text
//!  byte 0    1               2, 3                  4 .. 4+N   then          then
//!      +---------+----------+---------------------+----------+-------------+---------+
//!      | channel | CRC bytes | rate, kbit/s, u16 LE | address  | control, LE | payload |
//!      +---------+----------+---------------------+----------+-------------+---------+
//! ```
//!
//! In a record of the capture file, the channel byte is the frequency in MHz above 2400 MHz. The
//! address and the packet control field are in the format of [`super::packet`], least significant
//! byte first. In the packet control field, bits 8:3 are the payload length, bits 2:1 are the
//! packet identity, and bit 0 is NO_ACK. A record does not contain the preamble and the CRC of the
//! frame.

use airlag_air::{Encapsulation, Frame};

/// The encapsulation of [`super::packet::FAMILY`].
#[derive(Clone, Copy, Debug)]
pub struct ShockBurst;

impl Encapsulation for ShockBurst {
    fn link_type(&self) -> u16 {
        147
    }

    fn description(&self) -> &'static str {
        "nRF24, as sent; no registered link type: channel (MHz above 2400), CRC bytes, \
         kbit/s (u16 LE), address (LSB first), packet control field (u16 LE), payload"
    }

    fn wrap(&self, frame: &Frame, _: bool, data: &mut Vec<u8>, _: &mut String) {
        let setting = frame.modulation.setting;
        let channel = (frame.band.centre_khz() / 1_000).saturating_sub(2_400) as u8;
        data.extend([channel, (setting % 10) as u8]);
        data.extend(((setting / 10) as u16).to_le_bytes());
        data.extend_from_slice(&frame.bytes);
    }
}
