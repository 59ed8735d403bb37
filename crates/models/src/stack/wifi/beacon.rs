//! Beacons (IEEE Std 802.11-2012, 8.3.3.2) in the format of an ESP32 with its default settings: 158
//! octets with an SSID of ten and no sleeping stations.

use super::frame::{self, Address, BROADCAST, kind};

/// Element identifiers (8.4.2.1, table 8-54).
const TIM: u8 = 5;

/// Traffic indication map (8.4.2.7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tim {
    /// Beacons until the next DTIM, after which group-addressed frames are sent; 0: this one.
    pub dtim_count: u8,
    /// DTIM period, beacons.
    pub dtim_period: u8,
    /// Stations with pending frames, one bit per association identifier from 1 to 7.
    pub waiting: u8,
}

/// A beacon without its time stamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beacon<'a> {
    /// Sender.
    pub from: Address,
    /// Channel.
    pub channel: u8,
    /// Beacon interval in time units of 1.024 ms.
    pub interval_tu: u16,
    /// SSID, up to 32 octets.
    pub ssid: &'a [u8],
    /// Traffic indication map.
    pub tim: Tim,
}

impl Beacon<'_> {
    /// Encodes the frame without FCS and time stamp.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        let mut bytes = frame::management(kind::BEACON, BROADCAST, self.from, self.from);
        bytes.extend([0; 8]);
        bytes.extend(self.interval_tu.to_le_bytes());
        // Capabilities: ESS, short preamble, short slot time (8.4.1.4).
        bytes.extend(0x0421_u16.to_le_bytes());
        let ssid = &self.ssid[..self.ssid.len().min(32)];
        bytes.extend([0, ssid.len() as u8]);
        bytes.extend_from_slice(ssid);
        // Supported rates: 1, 2, 5.5 and 11 Mbit/s mandatory; 6, 9, 12 and 18.
        bytes.extend([1, 8, 0x8B, 0x96, 0x82, 0x84, 0x0C, 0x12, 0x18, 0x24]);
        // DSSS parameter set.
        bytes.extend([3, 1, self.channel]);
        let Tim { dtim_count, dtim_period, waiting } = self.tim;
        bytes.extend([TIM, 4, dtim_count, dtim_period.max(1), 0, waiting]);
        // ERP.
        bytes.extend([42, 1, 0]);
        // Extended supported rates: 24, 36, 48 and 54 Mbit/s.
        bytes.extend([50, 4, 0x30, 0x48, 0x60, 0x6C]);
        // HT capabilities: one stream of 20 MHz, MCS 0 to 7 (8.4.2.58).
        bytes.extend([45, 26, 0x2C, 0x00, 0x00, 0xFF]);
        bytes.extend([0; 22]);
        // HT operation: primary channel (8.4.2.59).
        bytes.extend([61, 22, self.channel]);
        bytes.extend([0; 21]);
        // WMM parameters (Wi-Fi Alliance, WMM 1.2, 2.2.2): the four access categories' defaults.
        bytes.extend([221, 24, 0x00, 0x50, 0xF2, 2, 1, 1, 0, 0]);
        bytes
            .extend([0x03, 0xA4, 0, 0, 0x27, 0xA4, 0, 0, 0x42, 0x43, 0x5E, 0, 0x62, 0x32, 0x2F, 0]);
        bytes
    }
}

/// Length of a beacon with an SSID of `ssid_len` octets, FCS included.
#[must_use]
pub const fn len(ssid_len: usize) -> usize {
    148 + ssid_len
}

/// Traffic indication map in the elements of a beacon; `body` is the data after its header.
#[must_use]
pub fn tim(body: &[u8]) -> Option<Tim> {
    let mut elements = body.get(12..)?;
    while let [id, length, rest @ ..] = elements {
        let element = rest.get(..usize::from(*length))?;
        if let (&TIM, [dtim_count, dtim_period, _, waiting, ..]) = (id, element) {
            return Some(Tim {
                dtim_count: *dtim_count,
                dtim_period: *dtim_period,
                waiting: *waiting,
            });
        }
        elements = &rest[usize::from(*length)..];
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMED: Beacon<'_> = Beacon {
        from: [0x24, 0x6F, 0x28, 0xAB, 0x01, 0xF0],
        channel: 6,
        interval_tu: 100,
        ssid: b"ESP_AB01F0",
        tim: Tim { dtim_count: 0, dtim_period: 1, waiting: 0 },
    };

    #[test]
    fn a_beacon_has_its_elements_one_after_the_other_up_to_its_check() {
        let mpdu = frame::sealed(NAMED.to_vec());
        assert_eq!(mpdu.len(), 158);
        assert_eq!(mpdu.len(), len(10));
        let mut elements = &mpdu[24 + 12..mpdu.len() - 4];
        let mut found = Vec::new();
        while let [id, length, rest @ ..] = elements {
            found.push(*id);
            elements = &rest[usize::from(*length)..];
        }
        assert_eq!(found, [0, 1, 3, 5, 42, 50, 45, 61, 221]);
        assert!(elements.is_empty());
        assert_eq!(&mpdu[38..48], b"ESP_AB01F0");
    }

    #[test]
    fn a_station_reads_for_whom_frames_are_held() {
        let map = Tim { dtim_count: 2, dtim_period: 3, waiting: 0b10 };
        let mpdu = frame::sealed(Beacon { tim: map, ..NAMED }.to_vec());
        let Some(frame::Frame::Beacon(_, body)) = frame::read(&mpdu) else { panic!("a beacon") };
        assert_eq!(tim(body), Some(map));
    }
}
