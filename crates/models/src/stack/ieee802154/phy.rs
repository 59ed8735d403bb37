//! Channels of the three bands (IEEE Std 802.15.4-2006, 6.1.2.1).

use airlag_air::{Band, Modulation};
use airlag_link::airtime::ieee802154::Phy;

/// Family of IEEE 802.15.4 radios.
pub const FAMILY: &str = "ieee802154";

/// A channel of page 0: 0 is in the 868 MHz band, 1 to 10 in the 915 MHz band, 11 to 26 in the
/// 2450 MHz band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel(u8);

impl Channel {
    /// Channel with this number, if it exists.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number <= 26 { Some(Self(number)) } else { None }
    }

    /// First channel of a band.
    #[must_use]
    pub const fn first(phy: Phy) -> Self {
        match phy {
            Phy::Bpsk868 => Self(0),
            Phy::Bpsk915 => Self(1),
            Phy::Oqpsk2450 => Self(11),
        }
    }

    /// Channel number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// PHY of its band.
    #[must_use]
    pub const fn phy(self) -> Phy {
        match self.0 {
            0 => Phy::Bpsk868,
            1..=10 => Phy::Bpsk915,
            _ => Phy::Oqpsk2450,
        }
    }

    /// Frequency band. The width is that of the spread signal between its first nulls: twice the
    /// chip rate of BPSK (300 and 600 kchip/s), and the 2 Mchip/s of O-QPSK with half-sine pulses.
    #[must_use]
    pub const fn band(self) -> Band {
        let number = self.0 as u32;
        match self.phy() {
            Phy::Bpsk868 => Band::around(868_300, 600),
            Phy::Bpsk915 => Band::around(906_000 + 2_000 * (number - 1), 1_200),
            Phy::Oqpsk2450 => Band::around(2_405_000 + 5_000 * (number - 11), 2_000),
        }
    }

    /// Returns the modulation of the PHY's frames.
    #[must_use]
    pub const fn modulation(self) -> Modulation {
        let setting = (1_000_000_000 / self.phy().symbol_ns()) as u32;
        Modulation { family: FAMILY, setting }
    }
}
