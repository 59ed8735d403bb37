//! Frame error rates in each band by signal-to-noise ratio.

use airlag_air::error_rate::{Dbpsk, ErrorRate, OqpskDsss};
use airlag_air::quantity::{DbHz, Dbm, Hertz};
use airlag_link::airtime::ieee802154::Phy;
use airlag_sim::Duration;

/// The demodulator of a band.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Demodulator {
    /// Sixteen codes of 32 chips, at 2450 MHz (IEEE Std 802.15.4-2006, 6.5.2; its error rate is
    /// that of annex E.4.1).
    Oqpsk(OqpskDsss),
    /// Differential BPSK with 15 chips per bit, at 868 and 915 MHz (6.6.2.2 to 6.6.2.4). The chips
    /// spread signal and noise alike.
    Bpsk(Dbpsk),
}

impl Demodulator {
    /// Demodulator of a band.
    #[must_use]
    pub const fn of(phy: Phy) -> Self {
        match phy {
            Phy::Oqpsk2450 => Self::Oqpsk(OqpskDsss),
            Phy::Bpsk868 => Self::Bpsk(Dbpsk { rate: Hertz(20e3) }),
            Phy::Bpsk915 => Self::Bpsk(Dbpsk { rate: Hertz(40e3) }),
        }
    }
}

impl ErrorRate for Demodulator {
    fn frame(&self, signal: DbHz, airtime: Duration) -> f64 {
        match self {
            Self::Oqpsk(modem) => modem.frame(signal, airtime),
            Self::Bpsk(modem) => modem.frame(signal, airtime),
        }
    }
}

/// Sensitivity required by the standard: at most 1 % loss of frames with 20 octets (6.5.3.3,
/// 6.6.3.4). Every real chip is better.
#[must_use]
pub const fn least_sensitivity(phy: Phy) -> Dbm {
    match phy {
        Phy::Oqpsk2450 => Dbm(-85.0),
        Phy::Bpsk868 | Phy::Bpsk915 => Dbm(-92.0),
    }
}

#[cfg(test)]
mod tests {
    use airlag_air::signal::noise_figure;

    use super::*;

    /// Largest noise figure that meets the standard, dB.
    fn room(phy: Phy) -> f64 {
        let airtime = Duration::from_ns(phy.duration_ns(20));
        let fails = |signal| Demodulator::of(phy).frame(signal, airtime) > 0.01;
        noise_figure(least_sensitivity(phy), fails).0
    }

    #[test]
    fn every_band_leaves_room_for_a_cheap_receiver() {
        // 10 log10 of 20 and 40 kbit/s are 43.0 and 46.0 dB-Hz; 1 % loss of 26 octets needs 9.9 dB
        // with DPSK: ln(0.5 / 4.8e-5) = 9.24. -92 dBm are 81.98 dB above kT.
        assert!((room(Phy::Bpsk868) - (81.975 - 43.01 - 9.66)).abs() < 0.05);
        assert!((room(Phy::Bpsk868) - room(Phy::Bpsk915) - 3.01).abs() < 0.01);
        assert!((20.0..30.0).contains(&room(Phy::Oqpsk2450)), "{}", room(Phy::Oqpsk2450));
    }

    #[test]
    fn slower_bands_read_weaker_frames() {
        let airtime = |phy: Phy| Duration::from_ns(phy.duration_ns(20));
        let signal = DbHz(54.0);
        let lost = |phy| Demodulator::of(phy).frame(signal, airtime(phy));
        assert!(lost(Phy::Bpsk868) < lost(Phy::Bpsk915));
        assert!(lost(Phy::Bpsk915) < lost(Phy::Oqpsk2450));
    }
}
