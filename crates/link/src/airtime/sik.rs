//! Packets of the open SiK telemetry firmware on an EZRadioPRO transceiver.
//!
//! `radio_443x.c` of the SiK firmware configures the packet handler of the transceiver. A packet
//! has a preamble of 16 nibbles, two sync bytes, two header bytes with the network ID, a length
//! byte, the payload, and a CRC of two bytes. With error correction, the firmware disables the
//! header and the CRC of the packet handler. The payload of the packet then consists of
//! Golay(23,12) code words. These code words contain the network ID, the length, a CRC and the
//! data, and every three bytes of these contents become six bytes (`radio_transmit_golay`).

/// Bits of the preamble: 16 nibbles.
pub const PREAMBLE_BITS: u64 = 64;

/// Preamble bits that a receiver has to detect before the sync word: 5 nibbles.
pub const PREAMBLE_THRESHOLD_BITS: u64 = 20;

/// Largest packet of the packet handler, bytes. It is a multiple of six, because the code words
/// fill six bytes at a time.
pub const MAX_PACKET: usize = 252;

/// Trailer after the data, bytes: 13 bits of window and three flags.
pub const TRAILER: usize = 2;

/// Air data rates with register settings in the firmware, kbit/s.
pub const RATES_KBPS: [u64; 13] = [2, 4, 8, 16, 19, 24, 32, 48, 64, 96, 128, 192, 250];

/// Step of the transmit data rate register, Si4430/31/32 datasheet, "Data rate": 1 MHz over 2^16
/// where the rate is 30 kbit/s or more, 1 MHz over 2^21 below.
const RATE_REGISTER: [u64; 13] = [
    0x1062, 0x20C5, 0x4189, 0x8312, 0x9BA6, 0xC49C, 0x0831, 0x0C4A, 0x1062, 0x1893, 0x20C5, 0x3127,
    0x4000,
];

/// Returns the lowest rate with register settings that is at least `wanted` kbit/s, or the fastest.
#[must_use]
pub const fn rate_kbps(wanted: u64) -> u64 {
    RATES_KBPS[index(wanted)]
}

const fn index(wanted: u64) -> usize {
    let mut at = 0;
    while at + 1 < RATES_KBPS.len() && RATES_KBPS[at] < wanted {
        at += 1;
    }
    at
}

/// Frame format on the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Air data rate, kbit/s; rounded up to one of [`RATES_KBPS`].
    pub rate_kbps: u64,
    /// Whether packets are Golay coded.
    pub ecc: bool,
}

impl Frame {
    /// Bits on the air for `payload` bytes, trailer included.
    #[must_use]
    pub const fn bits(self, payload: usize) -> u64 {
        let carried = if self.ecc {
            // Sync word and length come first, then network and length, length and CRC, and
            // payload.
            2 + 1 + 2 * (3 + 3 + payload.div_ceil(3) * 3)
        } else {
            2 + 2 + 1 + payload + 2
        };
        PREAMBLE_BITS + 8 * carried as u64
    }

    /// Duration of `bits` at the rate that the transmitter's register sets, nanoseconds.
    #[must_use]
    pub const fn bits_ns(self, bits: u64) -> u64 {
        let at = index(self.rate_kbps);
        let steps = if RATES_KBPS[at] >= 30 { 1_u64 << 16 } else { 1 << 21 };
        // bit = 2^16 / (register x 1 MHz)
        (bits * steps * 1_000 + RATE_REGISTER[at] / 2) / RATE_REGISTER[at]
    }

    /// Airtime for `payload` bytes, trailer included, nanoseconds.
    #[must_use]
    pub const fn duration_ns(self, payload: usize) -> u64 {
        self.bits_ns(self.bits(payload))
    }

    /// Largest user data of one packet, bytes.
    #[must_use]
    pub const fn max_data(self) -> usize {
        if self.ecc { MAX_PACKET / 2 - (6 + TRAILER) } else { MAX_PACKET - TRAILER }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_registers_set_the_rates_they_are_named_after() {
        for kbps in RATES_KBPS {
            let frame = Frame { rate_kbps: kbps, ecc: false };
            let nominal = 1_000_000 / kbps;
            let off = frame.bits_ns(1_000).abs_diff(nominal * 1_000);
            assert!(off <= nominal, "{kbps}: {} ns", frame.bits_ns(1_000));
        }
    }

    #[test]
    fn a_packet_without_data_and_one_with_twelve_bytes_last_what_an_analyser_shows() {
        // Published plots of power versus time show "~2 ms" and "~3.7 ms".
        let frame = Frame { rate_kbps: 64, ecc: false };
        assert_eq!(frame.bits(TRAILER), 64 + 8 * 9);
        assert!(frame.duration_ns(TRAILER).abs_diff(2_125_000) < 500);
        assert!(frame.duration_ns(12 + TRAILER).abs_diff(3_625_000) < 500);
    }

    #[test]
    fn error_correction_sends_every_byte_twice_and_a_header_more() {
        let (plain, coded) =
            (Frame { rate_kbps: 64, ecc: false }, Frame { rate_kbps: 64, ecc: true });
        assert_eq!(coded.bits(9) - coded.bits(3), 2 * (plain.bits(9) - plain.bits(3)));
        assert_eq!(coded.bits(3), 64 + 8 * (3 + 18));
        assert_eq!((plain.max_data(), coded.max_data()), (250, 118));
        // The largest packet fits into the packet handler.
        assert!(2 * (6 + (coded.max_data() + TRAILER).div_ceil(3) * 3) <= MAX_PACKET);
    }

    #[test]
    fn a_rate_without_settings_becomes_the_next_faster_one() {
        assert_eq!([1, 2, 3, 60, 64, 65, 250, 255].map(rate_kbps), [2, 2, 4, 64, 64, 96, 250, 250]);
    }
}
