//! Modem presets, regions and their frequencies.

use airlag_air::Band;
use airlag_link::airtime::lora::{Bandwidth, CodingRate, Frame, SpreadingFactor};

/// Symbols of the preamble below 1 GHz (`RadioInterface.h`, `preambleLengthDefault`).
pub const PREAMBLE: u16 = 16;
/// Sync word of all networks (`RadioLibInterface.h`, `syncWord`).
pub const SYNC_WORD: u8 = 0x2B;

/// A modem preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the firmware")]
pub enum Preset {
    ShortTurbo,
    ShortFast,
    ShortSlow,
    MediumFast,
    MediumSlow,
    LongTurbo,
    LongFast,
    LongModerate,
    LongSlow,
}

impl Preset {
    /// All presets, fastest first.
    pub const ALL: [Self; 9] = [
        Self::ShortTurbo,
        Self::ShortFast,
        Self::ShortSlow,
        Self::MediumFast,
        Self::MediumSlow,
        Self::LongTurbo,
        Self::LongFast,
        Self::LongModerate,
        Self::LongSlow,
    ];

    /// Name of the channel that has no name of its own (`DisplayFormatters.cpp`). It selects the frequency.
    #[must_use]
    pub const fn channel(self) -> &'static str {
        match self {
            Self::ShortTurbo => "ShortTurbo",
            Self::ShortFast => "ShortFast",
            Self::ShortSlow => "ShortSlow",
            Self::MediumFast => "MediumFast",
            Self::MediumSlow => "MediumSlow",
            Self::LongTurbo => "LongTurbo",
            Self::LongFast => "LongFast",
            Self::LongModerate => "LongMod",
            Self::LongSlow => "LongSlow",
        }
    }

    /// Bandwidth.
    #[must_use]
    pub const fn bandwidth(self) -> Bandwidth {
        match self {
            Self::ShortTurbo | Self::LongTurbo => Bandwidth::Khz500,
            Self::LongModerate | Self::LongSlow => Bandwidth::Khz125,
            _ => Bandwidth::Khz250,
        }
    }

    const fn spreading_factor(self) -> SpreadingFactor {
        match self {
            Self::ShortTurbo | Self::ShortFast => SpreadingFactor::Sf7,
            Self::ShortSlow => SpreadingFactor::Sf8,
            Self::MediumFast => SpreadingFactor::Sf9,
            Self::MediumSlow => SpreadingFactor::Sf10,
            Self::LongTurbo | Self::LongFast | Self::LongModerate => SpreadingFactor::Sf11,
            Self::LongSlow => SpreadingFactor::Sf12,
        }
    }

    const fn coding_rate(self) -> CodingRate {
        match self {
            Self::LongTurbo | Self::LongModerate | Self::LongSlow => CodingRate::Cr4_8,
            _ => CodingRate::Cr4_5,
        }
    }

    /// Packet format, with the coding rate of the preset or a more redundant one (`RadioInterface.cpp`,
    /// `applyModemConfig`).
    #[must_use]
    pub fn frame(self, least: CodingRate) -> Frame {
        let coding_rate = self.coding_rate().max(least);
        let frame = Frame::new(self.spreading_factor(), self.bandwidth(), coding_rate);
        Frame { preamble: PREAMBLE, ..frame }
    }
}

/// A region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// 869.4 to 869.65 MHz.
    Eu868,
    /// 902 to 928 MHz.
    Us,
}

impl Region {
    /// Frequencies of the region (`RadioInterface.cpp`, `regions`).
    #[must_use]
    pub const fn band(self) -> Band {
        match self {
            Self::Eu868 => Band { low_khz: 869_400, high_khz: 869_650 },
            Self::Us => Band { low_khz: 902_000, high_khz: 928_000 },
        }
    }

    /// Whether the firmware offers a preset in the region: its bandwidth fits.
    #[must_use]
    pub const fn allows(self, preset: Preset) -> bool {
        let Band { low_khz, high_khz } = self.band();
        preset.bandwidth().hz() / 1_000 <= high_khz - low_khz
    }

    /// Frequencies of the channel of a preset: one of the slots into which its bandwidth divides the
    /// region, by a hash of its name (`RadioInterface.cpp`, `applyModemConfig`).
    #[must_use]
    pub fn channel(self, preset: Preset) -> Band {
        let Band { low_khz, high_khz } = self.band();
        let width = preset.bandwidth().hz() / 1_000;
        let slots = ((high_khz - low_khz + width / 2) / width).max(1);
        let low_khz = low_khz + hash(preset.channel()) % slots * width;
        Band { low_khz, high_khz: low_khz + width }
    }
}

/// The hash djb2 of D. Bernstein.
fn hash(name: &str) -> u32 {
    name.bytes()
        .fold(5_381_u32, |hash, byte| (hash << 5).wrapping_add(hash).wrapping_add(u32::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_fast_is_on_the_frequency_of_published_logs() {
        // KMX415/meshpoint, issue 12: a node in the US sends on 906.875 MHz.
        assert_eq!(Region::Us.channel(Preset::LongFast).centre_khz(), 906_875);
        assert_eq!(Region::Eu868.channel(Preset::LongFast).centre_khz(), 869_525);
    }

    #[test]
    fn a_channel_is_within_its_region_where_the_preset_is_offered() {
        for region in [Region::Eu868, Region::Us] {
            for preset in Preset::ALL {
                let (Band { low_khz, high_khz }, all) = (region.channel(preset), region.band());
                let is_inside = low_khz >= all.low_khz && high_khz <= all.high_khz;
                assert_eq!(is_inside, region.allows(preset), "{region:?} {preset:?}");
            }
        }
    }

    #[test]
    fn a_coding_rate_is_never_less_redundant_than_that_of_the_preset() {
        for preset in Preset::ALL {
            for least in CodingRate::ALL {
                let rate = preset.frame(least).coding_rate;
                assert!(rate >= least && rate >= preset.coding_rate());
                assert!(rate == least || rate == preset.coding_rate());
            }
        }
    }
}
