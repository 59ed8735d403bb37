//! RFCOMM frames in L2CAP, byte for byte.
//!
//! ```text
//!  L2CAP   length 2 | channel 2 | RFCOMM: address 1 | control 1 | length 1 or 2 | [credits 1] | data | FCS 1
//! ```
//!
//! The L2CAP header is the basic information frame of the Core Specification, Vol 3, Part A, 3.1.
//! The RFCOMM frame is the UIH frame with credit based flow control (RFCOMM with TS 07.10, 6.5): if
//! the P/F bit is set, a byte of credits precedes the data. The FCS of a UIH frame covers address
//! and control only (TS 07.10, 5.2.1.6).

/// Bytes of the L2CAP header.
pub const L2CAP_HEADER: usize = 4;

/// The first dynamic L2CAP channel. The choice has no measurable effect.
const CHANNEL: u16 = 0x0040;
/// Server channel 1, from the initiator, with the extension bit.
const ADDRESS: u8 = 0x0B;
const UIH: u8 = 0xEF;
const UIH_WITH_CREDITS: u8 = 0xFF;

/// Content of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Additional frames that the other side may send.
    pub credits: u8,
    /// Data; empty in a pure grant.
    pub data: Vec<u8>,
}

impl Frame {
    /// Encodes the frame on its L2CAP channel, followed by `trailer` bytes: the control field and
    /// the FCS of the enhanced retransmission mode, if the channel uses it.
    #[must_use]
    pub fn encode(&self, trailer: usize) -> Vec<u8> {
        let control = if self.credits > 0 { UIH_WITH_CREDITS } else { UIH };
        let mut rfcomm = vec![ADDRESS, control];
        let length = self.data.len() as u16;
        if length < 128 {
            rfcomm.push((length as u8) << 1 | 1);
        } else {
            rfcomm.extend_from_slice(&(length << 1).to_le_bytes());
        }
        if self.credits > 0 {
            rfcomm.push(self.credits);
        }
        rfcomm.extend_from_slice(&self.data);
        rfcomm.push(fcs(&[ADDRESS, control]));
        rfcomm.resize(rfcomm.len() + trailer, 0);
        let mut frame = (rfcomm.len() as u16).to_le_bytes().to_vec();
        frame.extend_from_slice(&CHANNEL.to_le_bytes());
        frame.extend_from_slice(&rfcomm);
        frame
    }

    /// Decodes a frame. `None` if [`encode`](Self::encode) does not produce such a frame.
    #[must_use]
    pub fn decode(frame: &[u8]) -> Option<Self> {
        let rest = frame.get(L2CAP_HEADER..)?;
        let (&[address, control], mut rest) = rest.split_first_chunk::<2>()?;
        let length = match rest {
            [short, ..] if short & 1 == 1 => {
                rest = &rest[1..];
                usize::from(short >> 1)
            }
            [low, high, ..] => {
                let length = usize::from(u16::from_le_bytes([*low, *high]) >> 1);
                rest = &rest[2..];
                length
            }
            _ => return None,
        };
        let credits = match control {
            UIH => 0,
            UIH_WITH_CREDITS => {
                let (&credits, data) = rest.split_first()?;
                rest = data;
                credits
            }
            _ => return None,
        };
        let data = rest.get(..length)?.to_vec();
        (*rest.get(length)? == fcs(&[address, control])).then_some(Self { credits, data })
    }

    /// Length of the L2CAP frame that begins with `head`, once its header is complete.
    #[must_use]
    pub fn whole(head: &[u8]) -> Option<usize> {
        let (&[low, high], _) = head.split_first_chunk::<2>()?;
        Some(L2CAP_HEADER + usize::from(u16::from_le_bytes([low, high])))
    }
}

/// TS 07.10, annex B: x^8 + x^2 + x + 1, least significant bit first, complemented.
fn fcs(bytes: &[u8]) -> u8 {
    let fold = |crc: u8, &byte: &u8| {
        (0..8).fold(crc ^ byte, |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xE0 } else { crc >> 1 })
    };
    0xFF - bytes.iter().fold(0xFF, fold)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_short_frame_costs_eight_bytes_a_long_one_nine() {
        let cost =
            |data: usize, credits| Frame { credits, data: vec![7; data] }.encode(0).len() - data;
        assert_eq!(cost(126, 0), 8);
        assert_eq!(cost(127, 0), 8);
        assert_eq!(cost(128, 0), 9);
        assert_eq!(cost(990, 0), 9);
        assert_eq!(cost(0, 1), 9, "a grant has its byte of credits");
    }

    #[test]
    fn the_check_sequence_is_that_of_the_standard() {
        // An UIH frame on DLCI 2 as sent by every serial port profile: 0B EF ... 9A.
        assert_eq!(fcs(&[0x0B, 0xEF]), 0x9A);
        assert_eq!(fcs(&[0x0B, 0xFF]), 0x86);
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(
            data in prop::collection::vec(any::<u8>(), 0..1_100), credits: u8, trailer in 0_usize..5,
        ) {
            let frame = Frame { credits, data };
            let bytes = frame.encode(trailer);
            prop_assert_eq!(Frame::whole(&bytes), Some(bytes.len()));
            prop_assert_eq!(Frame::decode(&bytes), Some(frame));
        }

        #[test]
        fn nothing_that_is_no_frame_panics(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = Frame::decode(&bytes);
        }
    }
}
