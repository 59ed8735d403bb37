//! Channels of the regulatory domains (`FHSS.cpp`).

use airlag_air::Band;

/// A regulatory domain of the firmware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// 2.4 GHz.
    Ism2400,
    /// 915 MHz in the United States.
    Fcc915,
    /// 915 MHz in Australia.
    Au915,
    /// 868 MHz in the European Union.
    Eu868,
}

impl Domain {
    /// First and last channel, kHz, and number of channels.
    const fn channels(self) -> (u32, u32, u32) {
        match self {
            Self::Ism2400 => (2_400_400, 2_479_400, 80),
            Self::Fcc915 => (903_500, 926_900, 40),
            Self::Au915 => (915_500, 926_900, 20),
            Self::Eu868 => (863_275, 869_575, 13),
        }
    }

    /// Number of channels.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.channels().2
    }

    /// Distance from one channel to the next, kHz.
    #[must_use]
    pub const fn spacing_khz(self) -> u32 {
        let (first, last, count) = self.channels();
        (last - first) / (count - 1)
    }

    /// Centre of the channel `nth`, kHz.
    #[must_use]
    pub const fn centre_khz(self, nth: u32) -> u32 {
        self.channels().0 + nth * self.spacing_khz()
    }

    /// Channel on which synchronisation is sent, near the middle of the domain.
    #[must_use]
    pub const fn sync_channel(self) -> u32 {
        self.count() / 2 + 1
    }

    /// Band from the first channel to the last, for channels of a width in kHz.
    #[must_use]
    pub const fn band(self, width_khz: u32) -> Band {
        let (first, last, _) = self.channels();
        Band { low_khz: first - width_khz / 2, high_khz: last + width_khz / 2 }
    }

    /// Whether the domain is at 2.4 GHz.
    #[must_use]
    pub const fn is_at_2400(self) -> bool {
        matches!(self, Self::Ism2400)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_evenly_spaced_up_to_the_last_one() {
        let rows = [
            (Domain::Ism2400, 1_000, 2_479_400),
            (Domain::Fcc915, 600, 926_900),
            (Domain::Au915, 600, 926_900),
            (Domain::Eu868, 525, 869_575),
        ];
        for (domain, spacing, last) in rows {
            assert_eq!(domain.spacing_khz(), spacing);
            assert_eq!(domain.centre_khz(domain.count() - 1), last);
        }
    }
}
