//! LoRa frames of the SX1276/77/78/79.
//!
//! Semtech SX1276/77/78/79 datasheet, revision 7: section 4.1.1.5 (spreading factor, symbol rate),
//! 4.1.1.6 (frame structure, low data rate optimisation) and 4.1.1.7 (time on air).
//!
//! All durations are exact, in whole nanoseconds. Each bandwidth is 500 kHz divided by a whole
//! number, so the duration of a chip is an even number of microseconds. The preamble ends with a
//! quarter of a symbol. Even a quarter of the shortest symbol is a whole number of nanoseconds.

/// Spreading factor: the base-2 logarithm of the number of chips per symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names are the numbers")]
pub enum SpreadingFactor {
    Sf6 = 6,
    Sf7 = 7,
    Sf8 = 8,
    Sf9 = 9,
    Sf10 = 10,
    Sf11 = 11,
    Sf12 = 12,
}

impl SpreadingFactor {
    /// All spreading factors, shortest symbol first.
    pub const ALL: [Self; 7] =
        [Self::Sf6, Self::Sf7, Self::Sf8, Self::Sf9, Self::Sf10, Self::Sf11, Self::Sf12];

    /// Spreading factor with the given exponent.
    #[must_use]
    pub const fn new(exponent: u8) -> Option<Self> {
        if exponent < 6 || exponent > 12 { None } else { Some(Self::ALL[exponent as usize - 6]) }
    }

    /// Returns the spreading factor as a number: the exponent of two in the chips per symbol.
    #[must_use]
    pub const fn exponent(self) -> u8 {
        self as u8
    }

    /// Chips per symbol.
    #[must_use]
    pub const fn chips(self) -> u64 {
        1 << self as u8
    }
}

/// Signal bandwidth. The names contain the datasheet's values, rounded to kilohertz.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names are the numbers")]
pub enum Bandwidth {
    Khz7_8,
    Khz10_4,
    Khz15_6,
    Khz20_8,
    Khz31_25,
    Khz41_7,
    Khz62_5,
    Khz125,
    Khz250,
    Khz500,
}

impl Bandwidth {
    /// All bandwidths, in the order of the datasheet's register code.
    pub const ALL: [Self; 10] = [
        Self::Khz7_8,
        Self::Khz10_4,
        Self::Khz15_6,
        Self::Khz20_8,
        Self::Khz31_25,
        Self::Khz41_7,
        Self::Khz62_5,
        Self::Khz125,
        Self::Khz250,
        Self::Khz500,
    ];

    /// Divisor of 500 kHz.
    #[must_use]
    pub const fn divider(self) -> u32 {
        match self {
            Self::Khz7_8 => 64,
            Self::Khz10_4 => 48,
            Self::Khz15_6 => 32,
            Self::Khz20_8 => 24,
            Self::Khz31_25 => 16,
            Self::Khz41_7 => 12,
            Self::Khz62_5 => 8,
            Self::Khz125 => 4,
            Self::Khz250 => 2,
            Self::Khz500 => 1,
        }
    }

    /// Bandwidth in hertz, rounded.
    #[must_use]
    pub const fn hz(self) -> u32 {
        (500_000 + self.divider() / 2) / self.divider()
    }

    /// Returns the bandwidth whose rounded value is `hz`.
    #[must_use]
    pub const fn from_hz(hz: u32) -> Option<Self> {
        let mut index = 0;
        while index < Self::ALL.len() {
            if Self::ALL[index].hz() == hz {
                return Some(Self::ALL[index]);
            }
            index += 1;
        }
        None
    }

    /// Chip duration, nanoseconds, exact: the inverse of the bandwidth.
    #[must_use]
    pub const fn chip_ns(self) -> u64 {
        2_000 * self.divider() as u64
    }
}

/// Coding rate: the number of bits on the air for four data bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names are the numbers")]
pub enum CodingRate {
    Cr4_5 = 5,
    Cr4_6 = 6,
    Cr4_7 = 7,
    Cr4_8 = 8,
}

impl CodingRate {
    /// All coding rates, least redundant first.
    pub const ALL: [Self; 4] = [Self::Cr4_5, Self::Cr4_6, Self::Cr4_7, Self::Cr4_8];

    /// Returns the coding rate 4/`denominator`.
    #[must_use]
    pub const fn new(denominator: u8) -> Option<Self> {
        if denominator < 5 || denominator > 8 {
            None
        } else {
            Some(Self::ALL[denominator as usize - 5])
        }
    }

    /// Bits on the air for four data bits.
    #[must_use]
    pub const fn denominator(self) -> u8 {
        self as u8
    }
}

/// Frame parameters common to all packets of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Spreading factor.
    pub spreading_factor: SpreadingFactor,
    /// Bandwidth.
    pub bandwidth: Bandwidth,
    /// Coding rate of the payload; a header is always coded 4/8.
    pub coding_rate: CodingRate,
    /// Programmed preamble length in symbols. The radio adds 4.25.
    pub preamble: u16,
    /// Whether a header carries length, coding rate and the presence of a CRC.
    pub explicit_header: bool,
    /// Whether a 16-bit CRC covers the payload.
    pub crc: bool,
    /// Whether a symbol carries two bits fewer. This is required for symbols so long that the
    /// crystals drift apart within a frame.
    pub low_data_rate_optimize: bool,
}

impl Frame {
    /// Creates a frame with explicit header, CRC, a preamble of 8, and low data rate optimisation
    /// where the datasheet requires it.
    #[must_use]
    pub const fn new(
        spreading_factor: SpreadingFactor,
        bandwidth: Bandwidth,
        coding_rate: CodingRate,
    ) -> Self {
        Self {
            spreading_factor,
            bandwidth,
            coding_rate,
            preamble: 8,
            explicit_header: true,
            crc: true,
            low_data_rate_optimize: Self::needs_optimize(spreading_factor, bandwidth),
        }
    }

    /// Returns true if a symbol lasts longer than 16 ms (section 4.1.1.6).
    #[must_use]
    pub const fn needs_optimize(spreading_factor: SpreadingFactor, bandwidth: Bandwidth) -> bool {
        spreading_factor.chips() * bandwidth.chip_ns() > 16_000_000
    }

    /// Symbol duration, nanoseconds.
    #[must_use]
    pub const fn symbol_ns(self) -> u64 {
        self.spreading_factor.chips() * self.bandwidth.chip_ns()
    }

    /// Preamble duration, nanoseconds, with the sync word and the final 2.25 symbols.
    #[must_use]
    pub const fn preamble_ns(self) -> u64 {
        self.preamble as u64 * self.symbol_ns() + 17 * self.symbol_ns() / 4
    }

    /// Symbols of header, payload and CRC.
    #[must_use]
    pub const fn payload_symbols(self, payload: usize) -> u64 {
        let spreading = self.spreading_factor as i64;
        let bits = 8 * payload as i64 - 4 * spreading + 28 + 16 * self.crc as i64
            - 20 * !self.explicit_header as i64;
        let per_block = 4 * (spreading - 2 * self.low_data_rate_optimize as i64);
        let blocks = if bits > 0 { (bits + per_block - 1) / per_block } else { 0 };
        8 + blocks as u64 * self.coding_rate as u64
    }

    /// Airtime for a payload of `payload` bytes, nanoseconds.
    #[must_use]
    pub const fn duration_ns(self, payload: usize) -> u64 {
        self.preamble_ns() + self.payload_symbols(payload) * self.symbol_ns()
    }
}

#[cfg(test)]
mod tests;
