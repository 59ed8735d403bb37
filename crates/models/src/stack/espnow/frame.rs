//! Vendor action frames (IEEE Std 802.11-2012, 8.2 and 8.3), as the bytes of an MPDU.
//!
//! An ESP-NOW frame (ESP-IDF Programming Guide, "ESP-NOW", frame format of version 1):
//!
//! ```text
//!  MAC header │ category │ OUI      │ random │ element: id, length, OUI, type, version │ body   │ FCS
//!  24         │ 1 (127)  │ 3        │ 4      │ 7                                       │ 0..250 │ 4
//! ```

use crate::stack::wifi::frame::{self, HEADER_LEN, Header, kind};

pub use crate::stack::wifi::frame::{Address, BROADCAST, FCS_LEN};

/// Octets of the longest body.
pub const MAX_BODY: usize = 250;
/// Octets around a body.
pub const OVERHEAD: usize = HEADER_LEN + 1 + 3 + 4 + 7 + FCS_LEN;

/// Espressif's organisation identifier.
const OUI: [u8; 3] = [0x18, 0xFE, 0x34];
/// Category of an action frame: vendor specific (8.4.1.11, Table 8-38).
const VENDOR_SPECIFIC: u8 = 127;
/// Identifier of an element: vendor specific (8.4.2.1, Table 8-54).
const VENDOR_ELEMENT: u8 = 221;
/// Type of the element that is ESP-NOW, and its version.
const ESP_NOW: [u8; 2] = [4, 1];

/// An ESP-NOW frame without check; a body of more than [`MAX_BODY`] bytes gives `None`. `random` is
/// new for each frame and the same for its retries.
#[must_use]
pub fn esp_now(to: Address, from: Address, random: [u8; 4], body: &[u8]) -> Option<Vec<u8>> {
    let length = u8::try_from(body.len() + 5).ok().filter(|_| body.len() <= MAX_BODY)?;
    let mut bytes = frame::management(kind::ACTION, to, from, BROADCAST);
    bytes.push(VENDOR_SPECIFIC);
    bytes.extend(OUI);
    bytes.extend(random);
    bytes.extend([VENDOR_ELEMENT, length]);
    bytes.extend(OUI);
    bytes.extend(ESP_NOW);
    bytes.extend_from_slice(body);
    Some(bytes)
}

/// The body of an ESP-NOW frame whose bits are right, and what it begins with; `None` for frames of
/// other kinds.
#[must_use]
pub fn read(mpdu: &[u8]) -> Option<(Header, &[u8])> {
    let (covered, _) = mpdu.split_last_chunk::<FCS_LEN>()?;
    let header = Header::read(covered)?;
    let (bytes, rest) = covered.split_first_chunk::<HEADER_LEN>()?;
    let (fixed, rest) = rest.split_first_chunk::<8>()?;
    let (element, body) = rest.split_first_chunk::<7>()?;
    let ours = bytes[0] == kind::ACTION
        && fixed[0] == VENDOR_SPECIFIC
        && fixed[1..4] == OUI
        && element[0] == VENDOR_ELEMENT
        && usize::from(element[1]) == body.len() + 5
        && element[2..5] == OUI
        && element[5..] == ESP_NOW;
    ours.then_some((header, body))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stack::wifi::frame::Departure;
    use proptest::prelude::*;

    const TO: Address = [0x24, 0x6F, 0x28, 1, 2, 3];
    const FROM: Address = [0x24, 0x6F, 0x28, 4, 5, 6];

    #[test]
    fn an_esp_now_frame_is_laid_out_as_its_maker_says() {
        let frame = esp_now(TO, FROM, [9, 8, 7, 6], b"ab").expect("it fits");
        let departure =
            Departure { sequence: 0x123, retry: false, duration_us: 314, timestamp_us: None };
        let mpdu = departure.seal(&frame);
        let expected = [
            0xD0, 0, 0x3A, 0x01, 0x24, 0x6F, 0x28, 1, 2, 3, 0x24, 0x6F, 0x28, 4, 5, 6, 0xFF, 0xFF,
            0xFF, 0xFF, 0xFF, 0xFF, 0x30, 0x12, 127, 0x18, 0xFE, 0x34, 9, 8, 7, 6, 221, 7, 0x18,
            0xFE, 0x34, 4, 1, b'a', b'b',
        ];
        assert_eq!(mpdu[..mpdu.len() - FCS_LEN], expected);
        assert_eq!(mpdu.len(), OVERHEAD + 2);
        assert_eq!(frame::fcs(&mpdu), 0x2144_DF1C, "the residue of a frame with its check");
    }

    #[test]
    fn a_body_of_251_bytes_is_refused() {
        assert!(esp_now(TO, FROM, [0; 4], &[0; 250]).is_some());
        assert!(esp_now(TO, FROM, [0; 4], &[0; 251]).is_none());
        assert!(esp_now(TO, FROM, [0; 4], &[0; 300]).is_none());
    }

    proptest! {
        #[test]
        fn a_frame_comes_back(
            to: [u8; 6], from: [u8; 6], sequence in 0_u16..4096, retry: bool, duration_us: u16,
            random: [u8; 4], body in prop::collection::vec(any::<u8>(), 0..=MAX_BODY),
        ) {
            let frame = esp_now(to, from, random, &body).expect("it fits");
            let departure = Departure { sequence, retry, duration_us, timestamp_us: None };
            let header = Header { to, from, sequence, retry };
            let mpdu = departure.seal(&frame);
            prop_assert_eq!(read(&mpdu), Some((header, body.as_slice())));
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = read(&bytes);
        }
    }
}
