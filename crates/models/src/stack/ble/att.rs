//! L2CAP frames of the attribute protocol, byte for byte.
//!
//! ```text
//!  length 2, LE | channel 2, LE = 4 | opcode 1 | handle 2, LE | value
//! ```
//!
//! Bluetooth Core Specification 5.4, volume 3, part A, section 3.1 (basic frame) and part F,
//! section 3.4 (attribute PDUs).

use super::controller::Packet;

/// The channel of the attribute protocol (part A, section 2.1).
const CHANNEL: u16 = 4;
/// Bytes of an L2CAP header.
const L2CAP_HEADER: usize = 4;
/// Bytes of an attribute PDU before its value: opcode and handle.
pub const OVERHEAD: usize = 3;
/// MTU before the MTU exchange (part G, section 5.2.1).
pub const MIN_MTU: usize = 23;
/// The longest attribute value (part F, section 3.2.9).
pub const MAX_VALUE: usize = 512;
/// Largest useful MTU: the longest value after the longest header, that of a prepared write (part
/// F, section 3.4.6.1).
pub const MAX_MTU: usize = MAX_VALUE + 5;

/// An attribute PDU with a value, or a response to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Opcode {
    /// ATT_WRITE_REQ.
    WriteRequest = 0x12,
    /// ATT_WRITE_RSP.
    WriteResponse = 0x13,
    /// ATT_HANDLE_VALUE_NTF.
    Notification = 0x1B,
    /// ATT_HANDLE_VALUE_IND.
    Indication = 0x1D,
    /// ATT_HANDLE_VALUE_CFM.
    Confirmation = 0x1E,
    /// ATT_WRITE_CMD: a write without response.
    WriteCommand = 0x52,
}

impl Opcode {
    const ALL: [Self; 6] = [
        Self::WriteRequest,
        Self::WriteResponse,
        Self::Notification,
        Self::Indication,
        Self::Confirmation,
        Self::WriteCommand,
    ];

    /// The required response, if any.
    #[must_use]
    pub const fn answer(self) -> Option<Self> {
        match self {
            Self::WriteRequest => Some(Self::WriteResponse),
            Self::Indication => Some(Self::Confirmation),
            _ => None,
        }
    }

    /// Returns true for a response.
    #[must_use]
    pub const fn is_response(self) -> bool {
        matches!(self, Self::WriteResponse | Self::Confirmation)
    }
}

/// Encodes an ATT PDU with `opcode` in an L2CAP frame. Unless it is a response, the PDU contains
/// `handle` and the `value` of that attribute.
#[must_use]
pub fn frame(opcode: Opcode, handle: u16, value: &[u8]) -> Vec<u8> {
    let mut pdu = vec![opcode as u8];
    if !opcode.is_response() {
        pdu.extend(handle.to_le_bytes());
        pdu.extend(value);
    }
    let mut frame = Vec::with_capacity(L2CAP_HEADER + pdu.len());
    // A value is at most 512 bytes.
    frame.extend((pdu.len() as u16).to_le_bytes());
    frame.extend(CHANNEL.to_le_bytes());
    frame.extend(pdu);
    frame
}

/// Decodes opcode and value of an L2CAP frame. Returns `None` for other opcodes.
#[must_use]
pub fn open(frame: &[u8]) -> Option<(Opcode, &[u8])> {
    let (header, pdu) = frame.split_at_checked(L2CAP_HEADER)?;
    if header[2..] != CHANNEL.to_le_bytes() {
        return None;
    }
    let opcode = Opcode::ALL.into_iter().find(|&known| Some(&(known as u8)) == pdu.first())?;
    let value = if opcode.is_response() { &[] } else { pdu.get(OVERHEAD..)? };
    Some((opcode, value))
}

/// Reassembles L2CAP frames from their fragments.
#[derive(Debug, Default)]
pub struct Assembler(Vec<u8>);

impl Assembler {
    /// Adds a fragment and returns the frame that it completes. A fragment without a start is
    /// dropped.
    pub fn push(&mut self, piece: &Packet) -> Option<Vec<u8>> {
        if piece.start {
            self.0.clear();
        } else if self.0.is_empty() {
            return None;
        }
        self.0.extend(&piece.bytes);
        let &[low, high, ..] = self.0.as_slice() else { return None };
        let whole = L2CAP_HEADER + usize::from(u16::from_le_bytes([low, high]));
        (self.0.len() >= whole).then(|| core::mem::take(&mut self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notification_is_what_the_specification_says() {
        let sent = frame(Opcode::Notification, 0x000B, b"hello");
        assert_eq!(sent, b"\x08\x00\x04\x00\x1b\x0b\x00hello");
        assert_eq!(open(&sent), Some((Opcode::Notification, &b"hello"[..])));
        assert_eq!(frame(Opcode::WriteResponse, 0, b""), b"\x01\x00\x04\x00\x13");
    }

    #[test]
    fn what_is_no_attribute_pdu_does_not_open() {
        for wrong in
            [&b""[..], b"\x01\x00\x04\x00", b"\x01\x00\x05\x00\x13", b"\x01\x00\x04\x00\x99"]
        {
            assert_eq!(open(wrong), None);
        }
    }

    #[test]
    fn pieces_become_the_frame_they_were_cut_from() {
        let sent = frame(Opcode::WriteCommand, 3, &[7; 100]);
        let mut assembler = Assembler::default();
        assert_eq!(assembler.push(&Packet { start: false, bytes: vec![1, 2, 3] }), None);
        for _ in 0..2 {
            let mut pieces = sent
                .chunks(27)
                .enumerate()
                .map(|(nth, bytes)| Packet { start: nth == 0, bytes: bytes.to_vec() });
            let last = pieces.next_back().expect("several");
            assert!(pieces.all(|piece| assembler.push(&piece).is_none()));
            assert_eq!(assembler.push(&last), Some(sent.clone()));
        }
    }
}
