//! Encapsulations of standard radios. Their models put the standard's own frames on the air,
//! including the frame check, before whitening.
//!
//! | protocol family | captured bytes of a frame | link type of the capture file, and content of a packet |
//! |---|---|---|
//! | `ieee802154` | MPDU with its 16-bit FCS | 283 (IEEE 802.15.4 TAP): the channel, then the MPDU |
//! | `wifi` | MPDU with its 32-bit FCS | 127 (radiotap): the channel, then the MPDU |
//! | `ble` | access address, PDU, 24-bit CRC | 256 (LE link layer with pseudo header): pseudo header, then captured bytes |
//!
//! The channel is that at the centre of the frame's band. No signal strength is included, because
//! the sniffer is next to every sender.

use super::Encapsulation;
use super::bluetooth_le::BluetoothLe;
use crate::frame::{Band, Frame};

/// Encapsulations of the families above.
pub(super) fn all() -> [(&'static str, Box<dyn Encapsulation>); 3] {
    [
        ("ieee802154", Box::new(Ieee802154)),
        ("wifi", Box::new(Ieee80211)),
        ("ble", Box::new(BluetoothLe::default())),
    ]
}

/// Centre of a band, rounded to MHz.
pub(super) const fn centre_mhz(band: Band) -> u32 {
    (band.centre_khz() + 500) / 1_000
}

/// LINKTYPE_IEEE802_15_4_TAP (github.com/jkcko/ieee802.15.4-tap, revision 1.0): a header of
/// type-length-value fields padded to words.
#[derive(Clone, Copy, Debug)]
pub struct Ieee802154;

impl Encapsulation for Ieee802154 {
    fn link_type(&self) -> u16 {
        283
    }

    fn description(&self) -> &'static str {
        "IEEE 802.15.4, as sent, with FCS"
    }

    fn wrap(&self, frame: &Frame, _: bool, data: &mut Vec<u8>, _: &mut String) {
        const FCS_TYPE: u16 = 0;
        const CHANNEL: u16 = 3;
        // The version is 0 and the next byte is reserved; the length of the whole header follows.
        data.extend([0, 0]);
        data.extend(20_u16.to_le_bytes());
        // 1: a 16-bit FCS.
        data.extend(FCS_TYPE.to_le_bytes());
        data.extend(1_u16.to_le_bytes());
        data.extend([1, 0, 0, 0]);
        data.extend(CHANNEL.to_le_bytes());
        data.extend(3_u16.to_le_bytes());
        // IEEE 802.15.4-2020, 10.1.3.3: channel page 0, channel k at 2405 + 5 (k - 11) MHz.
        let channel = (centre_mhz(frame.band).saturating_sub(2_405) / 5 + 11) as u16;
        data.extend(channel.to_le_bytes());
        data.extend([0, 0]);
        data.extend_from_slice(&frame.bytes);
    }
}

/// LINKTYPE_IEEE802_11_RADIOTAP (radiotap.org): flags and channel.
#[derive(Clone, Copy, Debug)]
pub struct Ieee80211;

impl Encapsulation for Ieee80211 {
    fn link_type(&self) -> u16 {
        127
    }

    fn description(&self) -> &'static str {
        "IEEE 802.11, as sent, with FCS"
    }

    fn wrap(&self, frame: &Frame, intact: bool, data: &mut Vec<u8>, _: &mut String) {
        const FLAGS: u32 = 1 << 1;
        const CHANNEL: u32 = 1 << 3;
        const HAS_FCS: u8 = 0x10;
        const BAD_FCS: u8 = 0x40;
        const BAND_2_GHZ: u16 = 0x0080;
        const BAND_5_GHZ: u16 = 0x0100;
        let mhz = centre_mhz(frame.band) as u16;
        data.extend([0, 0]);
        data.extend(14_u16.to_le_bytes());
        data.extend((FLAGS | CHANNEL).to_le_bytes());
        // One byte of flags, and one to align the channel to an even offset.
        data.extend([HAS_FCS | if intact { 0 } else { BAD_FCS }, 0]);
        data.extend(mhz.to_le_bytes());
        data.extend(if mhz < 4_000 { BAND_2_GHZ } else { BAND_5_GHZ }.to_le_bytes());
        data.extend_from_slice(&frame.bytes);
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use airlag_sim::Instant;

    use super::*;
    use crate::frame::{FrameId, Modulation};
    use crate::medium::NodeId;

    fn frame(centre_mhz: u32, length_ns: u64, bytes: &[u8]) -> Frame {
        Frame {
            id: FrameId(0),
            from: NodeId(0),
            band: Band::around(centre_mhz * 1_000, 2_000),
            modulation: Modulation { family: "any", setting: 0 },
            begin: Instant::START,
            end: Instant::from_ns(length_ns),
            bytes: Rc::from(bytes),
        }
    }

    fn wrapped(encapsulation: &dyn Encapsulation, frame: &Frame, intact: bool) -> Vec<u8> {
        let (mut data, mut comment) = (Vec::new(), String::new());
        encapsulation.wrap(frame, intact, &mut data, &mut comment);
        assert!(comment.is_empty(), "{comment}");
        data
    }

    #[test]
    fn ieee_802154_has_a_tap_header_with_its_channel() {
        let data = wrapped(&Ieee802154, &frame(2_480, 0, &[0x02, 0x00, 0x07]), true);
        let header = [0, 0, 20, 0, 0, 0, 1, 0, 1, 0, 0, 0, 3, 0, 3, 0, 26, 0, 0, 0];
        assert_eq!(data[..20], header);
        assert_eq!(data[20..], [0x02, 0x00, 0x07]);
    }

    #[test]
    fn ieee_80211_says_whether_its_check_holds() {
        let data = wrapped(&Ieee80211, &frame(2_412, 0, &[0xD4]), true);
        assert_eq!(data, [0, 0, 14, 0, 0x0A, 0, 0, 0, 0x10, 0, 0x6C, 0x09, 0x80, 0, 0xD4]);
        assert_eq!(wrapped(&Ieee80211, &frame(2_412, 0, &[0xD4]), false)[8], 0x50);
    }
}
