//! What an access point says of itself (IEEE Std 802.11-2012, 8.3.3.2): 158 octets, as an ESP32
//! with its default settings has them.

use std::rc::Rc;

use super::frame::{self, Address, BROADCAST, Header};

/// Octets of a beacon.
pub const LEN: usize = 158;

/// A beacon of `from` on `channel`, `timestamp_us` after its clock began (8.4.1.10).
pub(super) fn beacon(
    from: Address,
    sequence: u16,
    channel: u8,
    timestamp_us: u64,
    interval_tu: u16,
) -> Rc<[u8]> {
    let header = Header { to: BROADCAST, from, sequence, retry: false, duration_us: 0 };
    frame::beacon(&header, |bytes| {
        bytes.extend(timestamp_us.to_le_bytes());
        bytes.extend(interval_tu.to_le_bytes());
        // Capabilities: ESS, short preamble, short slot time (8.4.1.4).
        bytes.extend(0x0421_u16.to_le_bytes());
        // SSID.
        bytes.extend([0, 10]);
        bytes.extend(b"ESP_");
        bytes.extend(from[3..].iter().flat_map(|octet| [hex(octet >> 4), hex(octet & 15)]));
        // Supported rates: 1, 2, 5.5 and 11 Mbit/s mandatory; 6, 9, 12 and 18.
        bytes.extend([1, 8, 0x8B, 0x96, 0x82, 0x84, 0x0C, 0x12, 0x18, 0x24]);
        // DSSS parameter set.
        bytes.extend([3, 1, channel]);
        // Traffic indication map: count 0 of a period of 1, nothing buffered.
        bytes.extend([5, 4, 0, 1, 0, 0]);
        // ERP.
        bytes.extend([42, 1, 0]);
        // Extended supported rates: 24, 36, 48 and 54 Mbit/s.
        bytes.extend([50, 4, 0x30, 0x48, 0x60, 0x6C]);
        // HT capabilities: one stream of 20 MHz, MCS 0 to 7 (8.4.2.58).
        bytes.extend([45, 26, 0x2C, 0x00, 0x00, 0xFF]);
        bytes.extend([0; 22]);
        // HT operation: primary channel (8.4.2.59).
        bytes.extend([61, 22, channel]);
        bytes.extend([0; 21]);
        // WMM parameters (Wi-Fi Alliance, WMM 1.2, 2.2.2): the four access categories' defaults.
        bytes.extend([221, 24, 0x00, 0x50, 0xF2, 2, 1, 1, 0, 0]);
        bytes
            .extend([0x03, 0xA4, 0, 0, 0x27, 0xA4, 0, 0, 0x42, 0x43, 0x5E, 0, 0x62, 0x32, 0x2F, 0]);
    })
}

const fn hex(digit: u8) -> u8 {
    if digit < 10 { b'0' + digit } else { b'A' + digit - 10 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beacon_has_its_elements_one_after_the_other_up_to_its_check() {
        let mpdu = beacon([0x24, 0x6F, 0x28, 0xAB, 0x01, 0xF0], 7, 6, 1_000_000, 100);
        assert_eq!(mpdu.len(), LEN);
        let mut elements = &mpdu[24 + 12..LEN - 4];
        let mut found = Vec::new();
        while let [id, length, rest @ ..] = elements {
            found.push(*id);
            elements = &rest[usize::from(*length)..];
        }
        assert_eq!(found, [0, 1, 3, 5, 42, 50, 45, 61, 221]);
        assert!(elements.is_empty());
        assert_eq!(&mpdu[38..48], b"ESP_AB01F0");
    }
}
