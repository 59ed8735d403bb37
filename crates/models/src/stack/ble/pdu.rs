//! Packets of the link layer, byte for byte, as they are before whitening.
//!
//! ```text
//!  access address 4, LE | LLID:2 NESN:1 SN:1 MD:1 | length 1 | payload 0..255 | CRC 3
//! ```
//!
//! Bluetooth Core Specification 5.4, volume 6, part B, sections 2.1, 2.3.3.1, 2.4 and 3.1.1.

use std::rc::Rc;

use crc::{CRC_24_BLE, Crc, Table};

const CRC24: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_24_BLE);

/// Access address and CRC preset of advertising packets.
const ADVERTISING_ACCESS_ADDRESS: u32 = 0x8E89_BED6;
const ADVERTISING_CRC_INIT: u32 = 0x55_5555;

const ACCESS_ADDRESS: usize = 4;
const HEADER: usize = 2;
const CRC: usize = 3;

/// Content of a data channel PDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Llid {
    /// A further fragment of an L2CAP frame; without payload the empty PDU.
    Continuation = 1,
    /// The beginning of an L2CAP frame.
    Start = 2,
    /// A control PDU.
    Control = 3,
}

/// The header of a data channel PDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Content of the payload.
    pub llid: Llid,
    /// Next expected sequence number.
    pub nesn: bool,
    /// Sequence number.
    pub sn: bool,
    /// More data: the sender has more data for this connection event.
    pub md: bool,
}

impl Header {
    /// Encodes the first byte.
    #[must_use]
    pub const fn flags(self) -> u8 {
        let Self { llid, nesn, sn, md } = self;
        llid as u8 | (nesn as u8) << 2 | (sn as u8) << 3 | (md as u8) << 4
    }
}

/// Parameters shared by both ends of a connection: access address and CRC preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// Access address.
    pub access: u32,
    /// Preset of the CRC, 24 bit.
    pub crc_init: u32,
}

impl Address {
    /// Parameters of the advertising channels.
    pub const ADVERTISING: Self =
        Self { access: ADVERTISING_ACCESS_ADDRESS, crc_init: ADVERTISING_CRC_INIT };

    /// Encodes a packet: access address, `pdu`, and CRC.
    #[must_use]
    pub fn packet(&self, pdu: &[u8]) -> Rc<[u8]> {
        let mut packet = Vec::with_capacity(ACCESS_ADDRESS + pdu.len() + CRC);
        packet.extend_from_slice(&self.access.to_le_bytes());
        packet.extend_from_slice(pdu);
        packet.extend_from_slice(&self.crc(pdu));
        packet.into()
    }

    /// Encodes a data channel packet.
    #[must_use]
    pub fn data(&self, header: Header, payload: &[u8]) -> Rc<[u8]> {
        let mut pdu = Vec::with_capacity(HEADER + payload.len());
        pdu.push(header.flags());
        // The controller limits payloads to 251 bytes and adds four bytes for encryption, so the
        // length fits into a byte.
        pdu.push(payload.len() as u8);
        pdu.extend_from_slice(payload);
        self.packet(&pdu)
    }

    /// Decodes header and payload of a data channel packet to this address.
    #[must_use]
    pub fn open<'a>(&self, packet: &'a [u8]) -> Option<(Header, &'a [u8])> {
        let pdu = packet.strip_prefix(&self.access.to_le_bytes())?;
        let (pdu, crc) = pdu.split_at_checked(pdu.len().checked_sub(CRC)?)?;
        let (&[flags, length], payload) = pdu.split_first_chunk::<HEADER>()?;
        if crc != self.crc(pdu) || usize::from(length) != payload.len() {
            return None;
        }
        let llid = match flags & 3 {
            1 => Llid::Continuation,
            2 => Llid::Start,
            3 => Llid::Control,
            _ => return None,
        };
        let bit = |nth: u8| flags >> nth & 1 == 1;
        Some((Header { llid, nesn: bit(2), sn: bit(3), md: bit(4) }, payload))
    }

    /// Returns true if `packet` is for this address.
    #[must_use]
    pub fn matches(&self, packet: &[u8]) -> bool {
        packet.starts_with(&self.access.to_le_bytes())
    }

    /// CRC over a PDU in the order of transmission.
    fn crc(&self, pdu: &[u8]) -> [u8; CRC] {
        let mut digest = CRC24.digest_with_initial(self.crc_init);
        digest.update(pdu);
        let [a, b, c, _] = digest.finalize().to_le_bytes();
        [a, b, c]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crc_is_the_catalogued_one() {
        // Check value of the CRC RevEng catalogue for "123456789" with the advertising preset.
        assert_eq!(CRC24.checksum(b"123456789"), 0xC2_5A56);
        let address = Address::ADVERTISING;
        assert_eq!(address.crc(b"123456789"), [0x56, 0x5A, 0xC2]);
    }

    #[test]
    fn empty_pdus_are_those_a_sniffer_saw() {
        // Two empty packets of a connection whose CONNECT_IND gave this preset.
        let address = Address { access: 0x26C1_C8C1, crc_init: 0x1D_7A1D };
        let header = Header { llid: Llid::Continuation, nesn: true, sn: false, md: false };
        let sent = address.data(header, &[]);
        assert_eq!(*sent, [0xC1, 0xC8, 0xC1, 0x26, 0x05, 0x00, 0x4D, 0xCD, 0xC9]);
        let sent = address.data(Header { nesn: true, sn: true, ..header }, &[]);
        assert_eq!(*sent, [0xC1, 0xC8, 0xC1, 0x26, 0x0D, 0x00, 0xEB, 0xC0, 0xC9]);
        assert_eq!(address.open(&sent), Some((Header { sn: true, ..header }, &[][..])));
    }

    #[test]
    fn a_packet_for_somebody_else_or_with_a_wrong_bit_does_not_open() {
        let address = Address { access: 0x1234_5678, crc_init: 1 };
        let header = Header { llid: Llid::Start, nesn: false, sn: true, md: true };
        let sent = address.data(header, b"payload");
        assert_eq!(address.open(&sent), Some((header, &b"payload"[..])));
        assert_eq!(Address { access: 0x1234_5679, ..address }.open(&sent), None);
        assert_eq!(Address { crc_init: 2, ..address }.open(&sent), None);
        for bit in 0..sent.len() * 8 {
            let mut wrong = sent.to_vec();
            wrong[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(address.open(&wrong), None, "bit {bit}");
        }
        for short in 0..sent.len() {
            assert_eq!(address.open(&sent[..short]), None);
        }
    }
}
