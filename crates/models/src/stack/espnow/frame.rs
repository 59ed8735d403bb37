//! Vendor action frames (IEEE Std 802.11-2012, 8.2 and 8.3), as the bytes of an MPDU.
//!
//! An ESP-NOW frame (ESP-IDF Programming Guide v5.4, "ESP-NOW", Frame Format):
//!
//! ```text
//!  MAC header │ category │ OUI │ random │ elements                                          │ FCS
//!  24         │ 1 (127)  │ 3   │ 4      │ id, length, OUI, type, more data and version │ body │ 4
//!                                        7                                              0..250
//! ```
//!
//! A frame of ESP-NOW version 1 contains one element. A frame of ESP-NOW version 2 contains as many
//! elements as the body of the frame needs. An encrypted frame has a CCMP header of 8 octets after
//! the MAC header, and a MIC of 8 octets before the FCS (IEEE Std 802.11-2012, 11.4.3). Only the
//! lengths of the CCMP header and of the MIC are modelled. Nothing is encrypted.

use crate::stack::wifi::frame::{self, HEADER_LEN, Header, kind};

pub use crate::stack::wifi::frame::{Address, BROADCAST, FCS_LEN};

/// Longest body of an element, and of a frame of version 1, octets.
pub const MAX_ELEMENT: usize = 250;
/// Longest body of version 2, octets (ESP_NOW_MAX_DATA_LEN_V2).
pub const MAX_BODY: usize = 1_470;
/// Overhead around the elements of a body, octets.
const AROUND: usize = HEADER_LEN + 1 + 3 + 4 + FCS_LEN;
/// Length of an element before its body, octets.
const ELEMENT_LEN: usize = 7;
/// Length of a CCMP header, and of a MIC, octets.
const CCMP_LEN: usize = 8;

/// Espressif's organisation identifier.
const OUI: [u8; 3] = [0x18, 0xFE, 0x34];
/// Category of an action frame: vendor specific (8.4.1.11, Table 8-38).
const VENDOR_SPECIFIC: u8 = 127;
/// Identifier of an element: vendor specific (8.4.2.1, Table 8-54).
const VENDOR_ELEMENT: u8 = 221;
/// Element type of ESP-NOW.
const ESP_NOW: u8 = 4;
/// Bit next to the version: another element follows.
const MORE_DATA: u8 = 0x10;
/// In frame control: the body is encrypted (8.2.4.1.9).
const PROTECTED: u8 = 0x40;
/// Bit in the key octet of a CCMP header that indicates an extended IV (11.4.3.2).
const EXT_IV: u8 = 0x20;

/// Frame format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// 1, or 2, which also permits bodies of more than [`MAX_ELEMENT`] octets.
    pub version: u8,
    /// Whether frames have the CCMP overhead.
    pub encrypted: bool,
}

impl Format {
    /// Longest body, octets.
    #[must_use]
    pub const fn max_body(self) -> usize {
        if self.version == 1 { MAX_ELEMENT } else { MAX_BODY }
    }

    /// Overhead of a body of `len`, octets.
    #[must_use]
    pub const fn overhead(self, len: usize) -> usize {
        let elements = if len == 0 { 1 } else { len.div_ceil(MAX_ELEMENT) };
        AROUND + elements * ELEMENT_LEN + if self.encrypted { 2 * CCMP_LEN } else { 0 }
    }

    /// Encodes an ESP-NOW frame without FCS. Returns `None` if the body is too long. `random` is
    /// new for each frame, and the same for its retries.
    #[must_use]
    pub fn esp_now(
        self,
        to: Address,
        from: Address,
        random: [u8; 4],
        body: &[u8],
    ) -> Option<Vec<u8>> {
        if body.len() > self.max_body() {
            return None;
        }
        let mut bytes = frame::management(kind::ACTION, to, from, BROADCAST);
        if self.encrypted {
            bytes[1] |= PROTECTED;
            bytes.extend([0, 0, 0, EXT_IV, 0, 0, 0, 0]);
        }
        bytes.push(VENDOR_SPECIFIC);
        bytes.extend(OUI);
        bytes.extend(random);
        let mut left = body;
        loop {
            let (piece, rest) = left.split_at(left.len().min(MAX_ELEMENT));
            let more = if rest.is_empty() { 0 } else { MORE_DATA };
            bytes.extend([VENDOR_ELEMENT, piece.len() as u8 + 5]);
            bytes.extend(OUI);
            bytes.extend([ESP_NOW, more | self.version]);
            bytes.extend_from_slice(piece);
            left = rest;
            if left.is_empty() {
                break;
            }
        }
        if self.encrypted {
            bytes.extend([0; CCMP_LEN]);
        }
        Some(bytes)
    }

    /// Decodes header and body of a correct ESP-NOW frame; `None` for frames of other kinds, of a
    /// higher version, and with different encryption.
    #[must_use]
    pub fn read(self, mpdu: &[u8]) -> Option<(Header, Vec<u8>)> {
        let (covered, _) = mpdu.split_last_chunk::<FCS_LEN>()?;
        let header = Header::read(covered)?;
        let (bytes, mut rest) = covered.split_first_chunk::<HEADER_LEN>()?;
        if bytes[0] != kind::ACTION || (bytes[1] & PROTECTED != 0) != self.encrypted {
            return None;
        }
        if self.encrypted {
            let (_, behind) = rest.split_first_chunk::<CCMP_LEN>()?;
            let (clear, _) = behind.split_last_chunk::<CCMP_LEN>()?;
            rest = clear;
        }
        let (fixed, mut rest) = rest.split_first_chunk::<8>()?;
        if fixed[0] != VENDOR_SPECIFIC || fixed[1..4] != OUI {
            return None;
        }
        let mut body = Vec::new();
        loop {
            let (element, behind) = rest.split_first_chunk::<ELEMENT_LEN>()?;
            let len = usize::from(element[1]).checked_sub(5)?;
            let (version, more) = (element[6] & 0x0F, element[6] & MORE_DATA != 0);
            let ours =
                element[0] == VENDOR_ELEMENT && element[2..5] == OUI && element[5] == ESP_NOW;
            if !ours || version == 0 || version > self.version {
                return None;
            }
            let (piece, behind) = behind.split_at_checked(len)?;
            body.extend_from_slice(piece);
            rest = behind;
            if !more {
                break;
            }
        }
        rest.is_empty().then_some((header, body))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stack::wifi::frame::Departure;
    use proptest::prelude::*;

    const V1: Format = Format { version: 1, encrypted: false };
    const V2: Format = Format { version: 2, encrypted: false };

    const TO: Address = [0x24, 0x6F, 0x28, 1, 2, 3];
    const FROM: Address = [0x24, 0x6F, 0x28, 4, 5, 6];

    #[test]
    fn an_esp_now_frame_is_laid_out_as_its_maker_says() {
        let frame = V1.esp_now(TO, FROM, [9, 8, 7, 6], b"ab").expect("it fits");
        let departure =
            Departure { sequence: 0x123, retry: false, duration_us: 314, timestamp_us: None };
        let mpdu = departure.seal(&frame);
        let expected = [
            0xD0, 0, 0x3A, 0x01, 0x24, 0x6F, 0x28, 1, 2, 3, 0x24, 0x6F, 0x28, 4, 5, 6, 0xFF, 0xFF,
            0xFF, 0xFF, 0xFF, 0xFF, 0x30, 0x12, 127, 0x18, 0xFE, 0x34, 9, 8, 7, 6, 221, 7, 0x18,
            0xFE, 0x34, 4, 1, b'a', b'b',
        ];
        assert_eq!(mpdu[..mpdu.len() - FCS_LEN], expected);
        assert_eq!(mpdu.len(), V1.overhead(2) + 2);
        assert_eq!(V1.overhead(2), 43);
        assert_eq!(frame::fcs(&mpdu), 0x2144_DF1C, "the residue of a frame with its check");
    }

    #[test]
    fn a_body_of_251_bytes_is_of_version_2_and_has_two_elements() {
        assert!(V1.esp_now(TO, FROM, [0; 4], &[0; 250]).is_some());
        assert!(V1.esp_now(TO, FROM, [0; 4], &[0; 251]).is_none());
        let long = V2.esp_now(TO, FROM, [0; 4], &[7; 251]).expect("it fits");
        // 24 and 8 octets; an element whose flag indicates a following one; and an element of one
        // byte.
        assert_eq!(long[32..39], [221, 255, 0x18, 0xFE, 0x34, 4, 0x12]);
        assert_eq!(long[289..], [221, 6, 0x18, 0xFE, 0x34, 4, 2, 7]);
        assert_eq!(long.len() + FCS_LEN, 251 + V2.overhead(251));
        assert!(V2.esp_now(TO, FROM, [0; 4], &[0; 1_470]).is_some());
        assert!(V2.esp_now(TO, FROM, [0; 4], &[0; 1_471]).is_none());
    }

    #[test]
    fn encryption_takes_16_octets_and_is_not_read_without() {
        let sealed = Format { encrypted: true, ..V1 };
        assert_eq!(sealed.overhead(12), V1.overhead(12) + 16);
        let frame = sealed.esp_now(TO, FROM, [0; 4], b"twelve bytes").expect("it fits");
        let departure = Departure { sequence: 1, retry: false, duration_us: 0, timestamp_us: None };
        let mpdu = departure.seal(&frame);
        assert_eq!(mpdu.len(), 12 + sealed.overhead(12));
        assert_eq!(mpdu[1] & 0x40, 0x40);
        assert!(sealed.read(&mpdu).is_some() && V1.read(&mpdu).is_none());
    }

    #[test]
    fn version_1_reads_nothing_of_version_2_and_that_reads_both() {
        let departure = Departure { sequence: 1, retry: false, duration_us: 0, timestamp_us: None };
        let of =
            |format: Format| departure.seal(&format.esp_now(TO, FROM, [0; 4], b"a").expect("fits"));
        assert!(V1.read(&of(V2)).is_none());
        assert!(V2.read(&of(V1)).is_some() && V2.read(&of(V2)).is_some());
    }

    proptest! {
        #[test]
        fn a_frame_comes_back(
            to: [u8; 6], from: [u8; 6], sequence in 0_u16..4096, retry: bool, duration_us: u16,
            random: [u8; 4], body in prop::collection::vec(any::<u8>(), 0..=MAX_BODY), encrypted: bool,
        ) {
            let format = Format { version: if body.len() > MAX_ELEMENT { 2 } else { 1 }, encrypted };
            let frame = format.esp_now(to, from, random, &body).expect("it fits");
            let departure = Departure { sequence, retry, duration_us, timestamp_us: None };
            let header = Header { to, from, sequence, retry };
            let mpdu = departure.seal(&frame);
            prop_assert_eq!(format.read(&mpdu), Some((header, body)));
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = (V1.read(&bytes), Format { encrypted: true, ..V2 }.read(&bytes));
        }
    }
}
