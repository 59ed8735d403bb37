//! LoRa and FLRC packets of the SX1280/1281.
//!
//! Semtech SX1280/SX1281 datasheet, sections 7.4.4 (time on air of LoRa) and 14.3 (FLRC). The symbol
//! times are not whole nanoseconds, so each duration is rounded once, at its end.
//!
//! Long interleaving spreads the code over the whole payload. The number of payload symbols is
//! therefore rounded once, and not up to whole blocks.

/// A LoRa packet format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lora {
    /// Base-2 logarithm of the chips per symbol, 5 to 10.
    pub spreading_factor: u8,
    /// Bandwidth, Hz: 203,125, 406,250, 812,500 or 1,625,000.
    pub bandwidth_hz: u32,
    /// Bits on the air for four data bits, 5 to 8.
    pub coded_bits: u8,
    /// Whether the code is interleaved over the whole payload.
    pub long_interleaving: bool,
    /// Programmed preamble, symbols.
    pub preamble: u16,
    /// Whether a header carries length and coding rate.
    pub explicit_header: bool,
    /// Whether the chip appends a CRC of 16 bits.
    pub crc: bool,
}

impl Lora {
    /// Duration of a symbol, ns, rounded.
    #[must_use]
    pub const fn symbol_ns(self) -> u64 {
        self.quarters_ns(4)
    }

    /// Symbols before the payload, in quarters: the preamble, the sync word with the symbols that
    /// mark the start of the frame, and the eight of the header or of the first bits.
    #[must_use]
    pub const fn overhead_quarters(self) -> u64 {
        let start = if self.spreading_factor < 7 { 25 } else { 17 };
        4 * (self.preamble as u64 + 8) + start
    }

    /// Symbols of the payload beyond the first eight.
    #[must_use]
    pub const fn payload_symbols(self, payload: usize) -> u64 {
        let spreading = self.spreading_factor as i64;
        let first = if spreading < 7 { 4 * spreading } else { 4 * (spreading - 2) };
        let bits = 8 * payload as i64 + 16 * self.crc as i64 + 20 * self.explicit_header as i64;
        let bits = if bits > first { (bits - first) as u64 } else { 0 };
        let (block, coded) = (4 * self.spreading_factor as u64, self.coded_bits as u64);
        if self.long_interleaving {
            (bits * coded).div_ceil(block)
        } else {
            bits.div_ceil(block) * coded
        }
    }

    /// Airtime for a payload of `payload` bytes, ns.
    #[must_use]
    pub const fn duration_ns(self, payload: usize) -> u64 {
        self.quarters_ns(self.overhead_quarters() + 4 * self.payload_symbols(payload))
    }

    const fn quarters_ns(self, quarters: u64) -> u64 {
        let chips = quarters << self.spreading_factor;
        let bandwidth = 4 * self.bandwidth_hz as u64;
        (chips * 1_000_000_000 + bandwidth / 2) / bandwidth
    }
}

/// An FLRC packet format with a convolutional code of rate 1/2 and a fixed length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flrc {
    /// Bit rate on the air, bit/s: 260,000, 325,000, 520,000, 650,000, 1,040,000 or 1,300,000.
    pub bit_rate: u32,
    /// Preamble for the gain control, bits.
    pub preamble: u16,
    /// Sync word, bits.
    pub sync_word: u16,
    /// CRC, bits.
    pub crc: u16,
}

impl Flrc {
    /// Bits of the second preamble, after that of the gain control.
    const SECOND_PREAMBLE: u64 = 21;
    /// Bits that return the code to its initial state.
    const TAIL: u64 = 6;

    /// Airtime for a payload of `payload` bytes, ns.
    #[must_use]
    pub const fn duration_ns(self, payload: usize) -> u64 {
        let plain = self.preamble as u64 + Self::SECOND_PREAMBLE + self.sync_word as u64;
        let coded = 2 * (8 * payload as u64 + self.crc as u64 + Self::TAIL);
        let rate = self.bit_rate as u64;
        ((plain + coded) * 1_000_000_000 + rate / 2) / rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lora(spreading_factor: u8, coded_bits: u8, preamble: u16) -> Lora {
        Lora {
            spreading_factor,
            bandwidth_hz: 812_500,
            coded_bits,
            long_interleaving: true,
            preamble,
            explicit_header: false,
            crc: false,
        }
    }

    /// Share by which a duration, ns, differs from one in us.
    fn off(ns: u64, us: u64) -> f64 {
        (ns as f64 / 1e3 / us as f64 - 1.0).abs()
    }

    #[test]
    fn airtimes_are_those_of_a_firmware_that_schedules_by_them() {
        // ExpressLRS, common.cpp, time on air of its rates in us. Those of 100 Hz, 150 Hz, 333 Hz and
        // 50 Hz agree with the formula to a quarter of a symbol. That of 250 Hz is rounded. That of 500
        // Hz is 1507 or 1665 in different releases, on either side of the formula.
        let rows = [
            (lora(5, 8, 12), 13, 2_374, 0.002),
            (lora(7, 8, 12), 13, 7_605, 0.002),
            (lora(7, 8, 12), 8, 5_871, 0.002),
            (lora(8, 8, 12), 8, 10_798, 0.002),
            (lora(6, 8, 14), 8, 3_300, 0.01),
            (lora(5, 6, 12), 8, 1_507, 0.055),
            (lora(5, 6, 12), 8, 1_665, 0.055),
        ];
        for (frame, payload, us, tolerance) in rows {
            let ns = frame.duration_ns(payload);
            assert!(off(ns, us) < tolerance, "{frame:?}: {ns} ns, {us} us");
        }
        // F1000: 389 us.
        let flrc = Flrc { bit_rate: 650_000, preamble: 32, sync_word: 32, crc: 16 };
        assert!(off(flrc.duration_ns(8), 389) < 0.02);
    }

    #[test]
    fn symbols_by_hand() {
        // SF5: 64 bits, of which 20 are in the first eight symbols; 44 bits at 4/6 in symbols of 5
        // bits over 4: 44 x 6 / 20 = 13.2.
        assert_eq!(lora(5, 6, 12).payload_symbols(8), 14);
        // (12 + 6.25 + 8 + 14) symbols of 32 chips at 812.5 kHz.
        assert_eq!(lora(5, 6, 12).duration_ns(8), 1_585_231);
        // In blocks: three of six symbols.
        let blocks = Lora { long_interleaving: false, ..lora(5, 6, 12) };
        assert_eq!(blocks.payload_symbols(8), 18);
        // 32 + 21 + 32 bits, and 86 coded twice, at 650 kbit/s.
        let flrc = Flrc { bit_rate: 650_000, preamble: 32, sync_word: 32, crc: 16 };
        assert_eq!(flrc.duration_ns(8), 395_385);
    }

    #[test]
    fn a_longer_payload_or_symbol_takes_longer() {
        for factor in 5..=10 {
            for coded in 5..=8 {
                let frame = lora(factor, coded, 12);
                let all: [u64; 60] = core::array::from_fn(|nth| frame.duration_ns(nth + 1));
                assert!(all.is_sorted() && all[0] < all[59], "{frame:?}");
                if factor > 5 {
                    assert!(frame.duration_ns(20) > lora(factor - 1, coded, 12).duration_ns(20));
                }
            }
        }
    }
}
