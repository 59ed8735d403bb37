//! Frame error rates at each rate by signal-to-noise ratio.

use airlag_air::Frame;
use airlag_air::error_rate::{CodeRate, Constellation, Demodulator, Ofdm};
use airlag_air::quantity::{DbHz, Hertz};
use airlag_link::airtime::wifi::{Mcs, Rate};
use airlag_sim::Duration;

use super::access::rate_of;
use super::sensitivity;

/// A radio that decodes frames at any rate, subject to their modulations.
///
/// Each OFDM rate has its own constellation and code. DSSS uses the formula for 1 Mbit/s. CCK and
/// the long-range rates are modelled as the phase modulation of 1 Mbit/s at a higher or lower bit
/// rate. All rates have the noise figure of 1 Mbit/s. With this noise figure, the signal that a
/// rate needs differs from the signal that the formula of the rate predicts. The difference
/// ([`sensitivity::loss`]) is calculated from the datasheet of the ESP32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EveryRate;

impl Demodulator for EveryRate {
    /// This receiver ignores frames of other kinds of radio, so they do not fail.
    fn fails(&self, signal: DbHz, frame: &Frame) -> f64 {
        let Some(rate) = rate_of(frame.modulation) else { return 0.0 };
        let signal = DbHz(signal.0 - sensitivity::loss(rate).0);
        sensitivity::formula(rate, signal, frame.end.since(frame.begin))
    }
}

fn bits(rate: Rate) -> Hertz {
    Hertz(f64::from(rate.kbps()) * 1e3)
}

/// OFDM parameters of a rate. `None` for other modulations (IEEE Std 802.11-2012, tables 18-4 and
/// 20-30).
#[must_use]
pub fn ofdm(rate: Rate) -> Option<Ofdm> {
    use CodeRate::{Half, ThreeQuarters, TwoThirds};
    use Constellation::{Bpsk, Qam16, Qam64, Qpsk};
    let (constellation, code_rate) = match rate {
        Rate::Ofdm6 => (Bpsk, Half),
        Rate::Ofdm9 => (Bpsk, ThreeQuarters),
        Rate::Ofdm12 => (Qpsk, Half),
        Rate::Ofdm18 => (Qpsk, ThreeQuarters),
        Rate::Ofdm24 => (Qam16, Half),
        Rate::Ofdm36 => (Qam16, ThreeQuarters),
        Rate::Ofdm48 => (Qam64, TwoThirds),
        Rate::Ofdm54 => (Qam64, ThreeQuarters),
        Rate::Ht(mcs, _) => of_mcs(mcs),
        Rate::LongRange256
        | Rate::LongRange512
        | Rate::Dsss1
        | Rate::Dsss2
        | Rate::Cck5_5
        | Rate::Cck11 => return None,
    };
    let subcarriers = if matches!(rate, Rate::Ht(..)) { 56 } else { 52 };
    // 19.8.3, 20.4.3: the signal extension is silence.
    let overhead = Duration::from_ns(rate.preamble_ns() + 6_000);
    Some(Ofdm { constellation, code_rate, subcarriers, rate: bits(rate), overhead })
}

const fn of_mcs(mcs: Mcs) -> (Constellation, CodeRate) {
    use CodeRate::{FiveSixths, Half, ThreeQuarters, TwoThirds};
    use Constellation::{Bpsk, Qam16, Qam64, Qpsk};
    [
        (Bpsk, Half),
        (Qpsk, Half),
        (Qpsk, ThreeQuarters),
        (Qam16, Half),
        (Qam16, ThreeQuarters),
        (Qam64, TwoThirds),
        (Qam64, ThreeQuarters),
        (Qam64, FiveSixths),
    ][mcs.index() as usize]
}

#[cfg(test)]
mod tests {
    use airlag_air::error_rate::ErrorRate;
    use airlag_air::quantity::Dbm;
    use airlag_air::signal::noise_figure;
    use airlag_link::airtime::wifi::GuardInterval;

    use super::*;

    /// Noise figure at which a rate has its datasheet sensitivity. The sensitivity is defined as
    /// the signal at which 10 % of frames are lost. The definition uses frames of 1000 octets at
    /// the rates of clause 18 of IEEE Std 802.11-2012 (18.3.10.2), and frames of 4096 octets with
    /// HT (20.3.22.2).
    fn figure(rate: Rate, sensitivity: f64) -> f64 {
        let octets = if matches!(rate, Rate::Ht(..)) { 4_096 } else { 1_000 };
        let airtime = Duration::from_ns(rate.duration_ns(octets));
        let modem = ofdm(rate).expect("OFDM");
        noise_figure(Dbm(sensitivity), |signal| modem.frame(signal, airtime) > 0.1).0
    }

    fn ht(index: usize) -> Rate {
        Rate::Ht(Mcs::new(index as u8).expect("below 8"), GuardInterval::Long)
    }

    const OFDM: [Rate; 8] = [
        Rate::Ofdm6,
        Rate::Ofdm9,
        Rate::Ofdm12,
        Rate::Ofdm18,
        Rate::Ofdm24,
        Rate::Ofdm36,
        Rate::Ofdm48,
        Rate::Ofdm54,
    ];

    #[test]
    fn one_noise_figure_makes_every_rate_as_sensitive_as_the_datasheet_says() {
        // ESP32-C6 v1.3, table 6-4, 802.11g and 802.11n in 20 MHz.
        let g = [-94.0, -93.2, -92.6, -90.0, -86.8, -83.2, -79.0, -77.6];
        let n = [-93.6, -92.4, -89.6, -86.2, -82.8, -78.8, -77.2, -75.6];
        let mut figures: Vec<f64> =
            OFDM.into_iter().zip(g).map(|(rate, at)| figure(rate, at)).collect();
        figures.extend(n.into_iter().enumerate().map(|(index, at)| figure(ht(index), at)));
        let mean = figures.iter().sum::<f64>() / figures.len() as f64;
        assert!((mean - 2.05).abs() < 0.1, "{mean} of {figures:?}");
        // The noise figures of the slowest and the fastest rate are 18.4 dB apart. With half-rate
        // BPSK, which needs the weakest signal, other effects dominate.
        let slow = [figures.remove(8), figures.remove(0)];
        assert!(slow.iter().all(|one| (1.5..2.1).contains(&(one - mean))), "{slow:?}");
        assert!(figures.iter().all(|one| (one - mean).abs() < 1.0), "{figures:?}");
    }

    #[test]
    fn a_faster_rate_needs_more_signal() {
        let needs = |rate| -figure(rate, 0.0);
        for pair in OFDM.windows(2).filter(|pair| pair[0] != Rate::Ofdm9) {
            assert!(needs(pair[0]) < needs(pair[1]), "{pair:?}");
        }
        for index in 1..8 {
            assert!(needs(ht(index - 1)) < needs(ht(index)), "{index}");
        }
    }
}
