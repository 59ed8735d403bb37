//! MAC frames (IEEE Std 802.11-2012, 8.2 and 8.3), as the bytes of an MPDU.
//!
//! An ESP-NOW frame (ESP-IDF Programming Guide, "ESP-NOW", frame format of version 1):
//!
//! ```text
//!  MAC header │ category │ OUI      │ random │ element: id, length, OUI, type, version │ body   │ FCS
//!  24         │ 1 (127)  │ 3        │ 4      │ 7                                       │ 0..250 │ 4
//! ```

use std::rc::Rc;

use crc::{CRC_32_ISO_HDLC, Crc, Table};

/// A MAC address.
pub type Address = [u8; 6];

/// Whom a beacon is for.
pub const BROADCAST: Address = [0xFF; 6];
/// Octets of the longest body.
pub const MAX_BODY: usize = 250;
/// Octets around a body.
pub const OVERHEAD: usize = 24 + 1 + 3 + 4 + 7 + FCS_LEN;
/// Octets of the check at the end.
pub const FCS_LEN: usize = 4;

/// Espressif's organisation identifier.
const OUI: [u8; 3] = [0x18, 0xFE, 0x34];
/// Category of an action frame: vendor specific (8.4.1.11, Table 8-38).
const VENDOR_SPECIFIC: u8 = 127;
/// Identifier of an element: vendor specific (8.4.2.1, Table 8-54).
const VENDOR_ELEMENT: u8 = 221;
/// Type of the element that is ESP-NOW, and its version.
const ESP_NOW: [u8; 2] = [4, 1];

/// First octet of frame control: version 0, type and subtype (8.2.4.1.3, Table 8-1).
mod kind {
    pub(super) const BEACON: u8 = 0x80;
    pub(super) const ACTION: u8 = 0xD0;
    pub(super) const ACK: u8 = 0xD4;
}

/// Second octet of frame control: this frame was sent before (8.2.4.1.6).
const RETRY: u8 = 0x08;

const FCS: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISO_HDLC);

/// The header of a management frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Receiver.
    pub to: Address,
    /// Sender.
    pub from: Address,
    /// Sequence number, twelve bits; retries of a frame share it.
    pub sequence: u16,
    /// Sent before.
    pub retry: bool,
    /// Microseconds the exchange lasts after this frame.
    pub duration_us: u16,
}

/// A frame, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// ESP-NOW with its body.
    EspNow(Header, &'a [u8]),
    /// Acknowledgement to this address.
    Ack(Address),
    /// Beacon of the access point at this address.
    Beacon(Address),
}

/// The frame check sequence of `bytes` (8.2.4.8).
#[must_use]
pub const fn fcs(bytes: &[u8]) -> u32 {
    FCS.checksum(bytes)
}

/// `bytes` with the check behind.
pub(super) fn sealed(mut bytes: Vec<u8>) -> Rc<[u8]> {
    let check = fcs(&bytes);
    bytes.extend(check.to_le_bytes());
    Rc::from(bytes)
}

/// Header of a management frame with `third` as its third address.
pub(super) fn management(kind: u8, header: &Header, third: Address) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(OVERHEAD + MAX_BODY);
    bytes.extend([kind, if header.retry { RETRY } else { 0 }]);
    bytes.extend(header.duration_us.to_le_bytes());
    bytes.extend(header.to);
    bytes.extend(header.from);
    bytes.extend(third);
    bytes.extend((header.sequence << 4).to_le_bytes());
    bytes
}

/// A beacon of `header.from` with `content` behind its header.
pub(super) fn beacon(header: &Header, content: impl FnOnce(&mut Vec<u8>)) -> Rc<[u8]> {
    let mut bytes = management(kind::BEACON, header, header.from);
    content(&mut bytes);
    sealed(bytes)
}

/// An ESP-NOW frame; a body of more than [`MAX_BODY`] bytes gives `None`. `random` is new for each
/// frame and the same for its retries.
#[must_use]
pub fn esp_now(header: &Header, random: [u8; 4], body: &[u8]) -> Option<Rc<[u8]>> {
    let length = u8::try_from(body.len() + 5).ok().filter(|_| body.len() <= MAX_BODY)?;
    let mut bytes = management(kind::ACTION, header, BROADCAST);
    bytes.push(VENDOR_SPECIFIC);
    bytes.extend(OUI);
    bytes.extend(random);
    bytes.extend([VENDOR_ELEMENT, length]);
    bytes.extend(OUI);
    bytes.extend(ESP_NOW);
    bytes.extend_from_slice(body);
    Some(sealed(bytes))
}

/// An acknowledgement to `to` (8.3.1.4).
#[must_use]
pub fn ack(to: Address) -> Rc<[u8]> {
    let mut bytes = [0; 14];
    bytes[0] = kind::ACK;
    bytes[4..10].copy_from_slice(&to);
    let check = fcs(&bytes[..10]);
    bytes[10..].copy_from_slice(&check.to_le_bytes());
    Rc::from(bytes)
}

/// Reads an MPDU whose bits are right; `None` for frames of other kinds.
#[must_use]
pub fn read(mpdu: &[u8]) -> Option<Frame<'_>> {
    let (covered, _) = mpdu.split_last_chunk::<FCS_LEN>()?;
    let (control, rest) = covered.split_first_chunk::<2>()?;
    let (duration, rest) = rest.split_first_chunk::<2>()?;
    let (to, rest) = rest.split_first_chunk::<6>()?;
    if control[0] == kind::ACK {
        return Some(Frame::Ack(*to));
    }
    let (from, rest) = rest.split_first_chunk::<6>()?;
    let (_, rest) = rest.split_first_chunk::<6>()?;
    let (sequence, rest) = rest.split_first_chunk::<2>()?;
    match control[0] {
        kind::BEACON => Some(Frame::Beacon(*from)),
        kind::ACTION => {
            let (fixed, rest) = rest.split_first_chunk::<8>()?;
            let (element, body) = rest.split_first_chunk::<7>()?;
            let ours = fixed[0] == VENDOR_SPECIFIC
                && fixed[1..4] == OUI
                && element[0] == VENDOR_ELEMENT
                && usize::from(element[1]) == body.len() + 5
                && element[2..5] == OUI
                && element[5..] == ESP_NOW;
            let header = Header {
                to: *to,
                from: *from,
                sequence: u16::from_le_bytes(*sequence) >> 4,
                retry: control[1] & RETRY != 0,
                duration_us: u16::from_le_bytes(*duration),
            };
            ours.then_some(Frame::EspNow(header, body))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HEADER: Header = Header {
        to: [0x24, 0x6F, 0x28, 1, 2, 3],
        from: [0x24, 0x6F, 0x28, 4, 5, 6],
        sequence: 0x123,
        retry: false,
        duration_us: 314,
    };

    #[test]
    fn the_check_is_that_of_ethernet() {
        // Check value of the CRC RevEng catalogue for "123456789".
        assert_eq!(fcs(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn an_esp_now_frame_is_laid_out_as_its_maker_says() {
        let mpdu = esp_now(&HEADER, [9, 8, 7, 6], b"ab").expect("it fits");
        let expected = [
            0xD0, 0, 0x3A, 0x01, 0x24, 0x6F, 0x28, 1, 2, 3, 0x24, 0x6F, 0x28, 4, 5, 6, 0xFF, 0xFF,
            0xFF, 0xFF, 0xFF, 0xFF, 0x30, 0x12, 127, 0x18, 0xFE, 0x34, 9, 8, 7, 6, 221, 7, 0x18,
            0xFE, 0x34, 4, 1, b'a', b'b',
        ];
        assert_eq!(mpdu[..mpdu.len() - FCS_LEN], expected);
        assert_eq!(mpdu.len(), OVERHEAD + 2);
        assert_eq!(fcs(&mpdu), 0x2144_DF1C, "the residue of a frame with its check");
    }

    #[test]
    fn a_body_of_251_bytes_is_refused() {
        assert!(esp_now(&HEADER, [0; 4], &[0; 250]).is_some());
        assert!(esp_now(&HEADER, [0; 4], &[0; 251]).is_none());
        assert!(esp_now(&HEADER, [0; 4], &[0; 300]).is_none());
    }

    proptest! {
        #[test]
        fn a_frame_comes_back(
            to: [u8; 6], from: [u8; 6], sequence in 0_u16..4096, retry: bool, duration_us: u16,
            random: [u8; 4], body in prop::collection::vec(any::<u8>(), 0..=MAX_BODY),
        ) {
            let header = Header { to, from, sequence, retry, duration_us };
            let mpdu = esp_now(&header, random, &body).expect("it fits");
            prop_assert_eq!(read(&mpdu), Some(Frame::EspNow(header, &body)));
            let acknowledgement = ack(to);
            prop_assert_eq!(read(&acknowledgement), Some(Frame::Ack(to)));
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = read(&bytes);
        }
    }
}
