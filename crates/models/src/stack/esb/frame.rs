//! Packets on the air, and their airtime.
//!
//! ```text
//!  preamble 1 | address 3 to 5 | length 6 or 8 bits, identity 2, no acknowledgement 1 | payload | CRC
//! ```
//!
//! If no payload of the link is longer than 32 B, the length field of an Enhanced ShockBurst frame
//! has 6 bits, as in an nRF24L01+. Otherwise, the length field has 8 bits
//! (`update_rf_payload_format_esb_dpl` of esb.c). In the simulation, the bytes of a frame always
//! have the layout of [an nRF24L01+](crate::chip::nrf24::packet), because the number of length bits
//! makes a difference only on the air.

use std::rc::Rc;

use airlag_air::{Band, Modulation};

use crate::chip::nrf24::packet::FAMILY;

/// Longest payload, B (`CONFIG_ESB_MAX_PAYLOAD_LENGTH`).
pub const MAX_PAYLOAD: usize = 252;
/// Longest payload that an nRF24L01+ supports, B.
pub const MAX_LEGACY_PAYLOAD: usize = 32;
/// Offset of the numbers of modulations whose length field has 8 bits. It is a multiple of 10 ×
/// 2^16, so that rate and CRC length can still be derived from the rest.
const LONG: u32 = 10 << 16;

/// Air data rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// 1 Mbit/s.
    Mbps1,
    /// 2 Mbit/s.
    Mbps2,
    /// 4 Mbit/s, of the nRF54 series.
    Mbps4,
}

impl Rate {
    /// Duration of a bit, ns.
    #[must_use]
    pub const fn bit_ns(self) -> u64 {
        match self {
            Self::Mbps1 => 1_000,
            Self::Mbps2 => 500,
            Self::Mbps4 => 250,
        }
    }
}

/// Format of the packets of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Air data rate.
    pub rate: Rate,
    /// Address length, 3 to 5 bytes.
    pub address: u8,
    /// CRC length, 1 or 2 bytes.
    pub crc: u8,
    /// Longest payload of the link, up to 252 bytes.
    pub longest: usize,
}

impl Format {
    /// Returns true if packets have the format of an nRF24L01+.
    #[must_use]
    pub const fn is_legacy(self) -> bool {
        self.longest <= MAX_LEGACY_PAYLOAD
    }

    /// Airtime of a packet with `payload` bytes, ns.
    #[must_use]
    pub const fn duration_ns(self, payload: usize) -> u64 {
        let control = if self.is_legacy() { 6 + 3 } else { 8 + 3 };
        let bits = 8 * (1 + self.address as u64 + payload as u64 + self.crc as u64) + control;
        bits * self.rate.bit_ns()
    }

    /// Duration of preamble and address, ns, after which a receiver has recognised a packet.
    #[must_use]
    pub const fn address_ns(self) -> u64 {
        8 * (1 + self.address as u64) * self.rate.bit_ns()
    }

    /// Modulation. A receiver with another rate, CRC length or control field decodes nothing.
    #[must_use]
    pub const fn modulation(self) -> Modulation {
        let kbps = 1_000_000 / self.rate.bit_ns() as u32;
        let long = if self.is_legacy() { 0 } else { LONG };
        Modulation { family: FAMILY, setting: kbps * 10 + self.crc as u32 + long }
    }

    /// Frequency band of a channel, MHz above 2400. It is as wide as the bit rate, as for an
    /// nRF24L01+.
    #[must_use]
    pub const fn band(self, channel: u8) -> Band {
        let width_khz = 1_000_000 / self.rate.bit_ns() as u32;
        Band::around(2_400_000 + 1_000 * channel as u32, width_khz)
    }
}

/// A packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// Address, least significant byte first.
    pub address: &'a [u8],
    /// Identity, two bits.
    pub identity: u8,
    /// Whether no acknowledgement is requested.
    pub no_ack: bool,
    /// Payload.
    pub payload: &'a [u8],
}

impl<'a> Packet<'a> {
    /// Encodes the packet into a frame.
    #[must_use]
    pub fn encode(&self) -> Rc<[u8]> {
        let control = (self.payload.len() as u16) << 3
            | u16::from(self.identity & 3) << 1
            | u16::from(self.no_ack);
        [self.address, &control.to_le_bytes(), self.payload].concat().into()
    }

    /// Decodes a frame with an address of `address` bytes. Returns `None` if its length field is
    /// wrong.
    #[must_use]
    pub fn decode(bytes: &'a [u8], address: u8) -> Option<Self> {
        let (address, rest) = bytes.split_at_checked(usize::from(address))?;
        let (control, payload) = rest.split_first_chunk::<2>()?;
        let control = u16::from_le_bytes(*control);
        let right = usize::from(control >> 3) == payload.len();
        let (identity, no_ack) = ((control >> 1) as u8 & 3, control & 1 != 0);
        right.then_some(Self { address, identity, no_ack, payload })
    }
}
