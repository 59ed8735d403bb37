//! A packet on the air (section 7.3).
//!
//! The bytes of a frame are the address (least significant byte first, as in the registers), then
//! two bytes of packet control field (little endian: length in bits 8:3, packet identity in bits
//! 2:1, NO_ACK in bit 0), then the payload. Preamble and CRC are not stored, because they follow
//! from the stored bytes. The airtime of a frame includes preamble and CRC.

use std::rc::Rc;

use airlag_air::{Band, Modulation};
use airlag_link::airtime::nrf24::Rate;

use super::fifo::Payload;

/// Family of nRF24 radios.
pub const FAMILY: &str = "nrf24";

/// A decoded packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    address: [u8; 5],
    address_len: u8,
    /// Packet identity, two bits.
    pub identity: u8,
    /// Whether no acknowledgement is requested.
    pub no_ack: bool,
    /// Payload.
    pub payload: Payload,
}

impl Packet {
    /// Creates a packet to `address`.
    #[must_use]
    pub fn new(address: &[u8], identity: u8, no_ack: bool, payload: Payload) -> Self {
        let bytes = core::array::from_fn(|at| address.get(at).copied().unwrap_or(0));
        Self { address: bytes, address_len: address.len() as u8, identity, no_ack, payload }
    }

    /// Address.
    #[must_use]
    pub fn address(&self) -> &[u8] {
        &self.address[..usize::from(self.address_len)]
    }

    fn control(&self) -> u16 {
        (self.payload.bytes().len() as u16) << 3
            | u16::from(self.identity & 3) << 1
            | u16::from(self.no_ack)
    }

    /// Encodes the packet into a frame. `frame` is overwritten if it has the same length and no
    /// other owner.
    pub fn write_to(&self, frame: &mut Rc<[u8]>) {
        let (width, payload) = (usize::from(self.address_len), self.payload.bytes());
        let len = width + 2 + payload.len();
        let place = match Rc::get_mut(frame) {
            Some(place) if place.len() == len => place,
            _ => {
                *frame = Rc::from(&[0; 5 + 2 + 32][..len]);
                Rc::get_mut(frame).expect("a new frame has one owner")
            }
        };
        let (address, rest) = place.split_at_mut(width);
        let (control, body) = rest.split_at_mut(2);
        address.copy_from_slice(self.address());
        control.copy_from_slice(&self.control().to_le_bytes());
        body.copy_from_slice(payload);
    }

    /// Decodes a frame sent with addresses of `address_len` bytes.
    #[must_use]
    pub fn parse(bytes: &[u8], address_len: u8) -> Option<Self> {
        let (address, rest) = bytes.split_at_checked(usize::from(address_len))?;
        let (control, payload) = rest.split_at_checked(2)?;
        let control = u16::from_le_bytes([control[0], control[1]]);
        if usize::from(control >> 3) != payload.len() {
            return None;
        }
        let identity = (control >> 1) as u8 & 3;
        Some(Self::new(address, identity, control & 1 != 0, Payload::new(payload)))
    }

    /// CRC after the payload (section 7.3.5): polynomial x^16+x^12+x^5+1 or x^8+x^2+x+1, preset
    /// with ones, over address, packet control field and payload, most significant bit first.
    #[must_use]
    pub fn crc(&self, crc_len: u8) -> u16 {
        let (top, polynomial, mut crc) = match crc_len {
            0 => return 0,
            1 => (1 << 7, 0x07, 0xFF),
            _ => (1 << 15, 0x1021, 0xFFFF_u32),
        };
        let mut feed = |value: u32, bits: u32| {
            for bit in (0..bits).rev() {
                let carry = (crc & top != 0) ^ (value >> bit & 1 != 0);
                crc = (crc << 1) & (top * 2 - 1) ^ if carry { polynomial } else { 0 };
            }
        };
        self.address().iter().rev().for_each(|&byte| feed(byte.into(), 8));
        feed(self.control().into(), 9);
        self.payload.bytes().iter().for_each(|&byte| feed(byte.into(), 8));
        crc as u16
    }
}

/// Frequency band of a channel: 2400 MHz plus the channel in MHz; 2 MHz wide at 2 Mbit/s, 1 MHz
/// below (section 6.3).
#[must_use]
pub const fn band(channel: u8, rate: Rate) -> Band {
    let width_khz = match rate {
        Rate::Mbps2 => 2_000,
        Rate::Mbps1 | Rate::Kbps250 => 1_000,
    };
    Band::around(2_400_000 + 1_000 * channel as u32, width_khz)
}

/// Modulation of a rate. A receiver that expects another CRC length cannot decode a packet, so the
/// length is part of it.
#[must_use]
pub const fn modulation(rate: Rate, crc_len: u8) -> Modulation {
    let kbps = 1_000_000 / rate.bit_ns() as u32;
    Modulation { family: FAMILY, setting: kbps * 10 + crc_len as u32 }
}
