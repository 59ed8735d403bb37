//! Coded PHY of Bluetooth LE: a convolutional code over LE 1M symbols. Each coded bit is sent once
//! (S = 2) or four times (S = 8).
//!
//! Bluetooth Core Specification 5.4, volume 6, part B, defines the convolutional code in section
//! 3.3.1 (constraint length 4, generators 1 + x + x^2 + x^3 and 1 + x^2 + x^3) and the pattern
//! mapper in section 3.3.2. The symbols are noncoherent binary FSK, as in uncoded LE 1M. To compare
//! two paths through the trellis of the code, the decoder adds up the powers of all symbols in
//! which the two paths differ. The probability of confusing two paths at Hamming distance d is
//! therefore the error probability of a bit that is sent over d symbols (Proakis, "Digital
//! communications", 4th edition, 12.1-24, noncoherent square-law combining). The bit error
//! probability is the union bound over the distance spectrum of the code (Proakis, 8.2.3).
//!
//! With the noise figure for the LE 1M sensitivity of the nRF52840 datasheet (-95 dBm), this yields
//! -99.7 and -103.9 dBm, where the datasheet has -99 and -103.

use airlag_sim::Duration;

use super::{ErrorRate, any_of, seconds};
use crate::quantity::{DbHz, Hertz};

/// Symbol rate, coded or not.
const SYMBOLS: Hertz = Hertz(1e6);

/// Preamble, access address, coding indicator and first terminator, always at S = 8 (section 2.2):
/// 80 us, and 37 bits of 8 us.
const HEAD: Duration = Duration::from_us(80 + 37 * 8);
const HEAD_BITS: f64 = 37.0;
/// Symbols for each coded bit of the head.
const HEAD_REPEATS: u32 = 4;

/// Minimum distance of the code, and the total bit errors on all paths of each distance from there
/// on (derived from the generators in a test).
const LEAST: u32 = 6;
const WEIGHTS: [f64; 9] = [2.0, 7.0, 18.0, 49.0, 130.0, 333.0, 836.0, 2_069.0, 5_060.0];

/// LE Coded at one of its two rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeCoded {
    /// 500 kbit/s.
    S2,
    /// 125 kbit/s.
    S8,
}

impl LeCoded {
    /// Symbols for each coded bit.
    const fn repeats(self) -> u32 {
        match self {
            Self::S2 => 1,
            Self::S8 => 4,
        }
    }

    /// Probability that a bit of header, payload or CRC is wrong after decoding.
    #[must_use]
    pub fn bit(self, signal: DbHz) -> f64 {
        decoded(signal, self.repeats())
    }
}

impl ErrorRate for LeCoded {
    fn frame(&self, signal: DbHz, airtime: Duration) -> f64 {
        let repeats = self.repeats();
        let rest = seconds(airtime.saturating_sub(HEAD)) * SYMBOLS.0 / f64::from(2 * repeats);
        let wrong =
            [any_of(HEAD_BITS, decoded(signal, HEAD_REPEATS)), any_of(rest, self.bit(signal))];
        1.0 - (1.0 - wrong[0]) * (1.0 - wrong[1])
    }
}

/// Probability that a bit is wrong after decoding where each coded bit is sent `repeats` times.
fn decoded(signal: DbHz, repeats: u32) -> f64 {
    let symbol = signal.in_bandwidth(SYMBOLS).ratio();
    let wrong = (LEAST..).zip(WEIGHTS).map(|(distance, weight)| {
        let symbols = distance * repeats;
        weight * combined(symbols, f64::from(symbols) * symbol)
    });
    wrong.sum::<f64>().min(0.5)
}

/// Probability that the combined powers of `symbols` symbols favour the wrong tone, at a `ratio` of
/// signal energy over all of them to noise density.
fn combined(symbols: u32, ratio: f64) -> f64 {
    let (half, choices) = (0.5 * ratio, f64::from(2 * symbols - 1));
    // The sum over n = 0 .. L - 1 - k of (2 L - 1 over n), for every k, the largest k first.
    let (mut choose, mut sum) = (1.0, 0.0);
    let mut prefix = Vec::with_capacity(symbols as usize);
    for n in 0..symbols {
        sum += choose;
        prefix.push(sum);
        choose *= (choices - f64::from(n)) / f64::from(n + 1);
    }
    // Each term includes its share of the exponential, which is at most 1, so nothing overflows.
    let (mut power, mut total) = (libm::exp(-half), 0.0);
    for (k, paths) in (1_u32..).zip(prefix.iter().rev()) {
        total += paths * power;
        power *= half / f64::from(k);
    }
    total / libm::pow(2.0, choices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error_rate::{BitErrors, NoncoherentFsk};
    use crate::quantity::{Db, Dbm};
    use crate::signal::noise_figure;

    /// Bit errors on all paths that diverge from the correct one and merge again, by distance below
    /// `most`.
    fn weights(most: usize) -> Vec<f64> {
        let mut total = vec![0.0; most];
        // For each state and distance: the number of paths, and their bit errors. The first bit
        // diverges from the correct path.
        let mut paths = vec![vec![(0.0, 0.0); most]; 8];
        let output = |register: usize| {
            [0b1111, 0b1101]
                .iter()
                .filter(|&&g: &&usize| (register & g).count_ones() % 2 == 1)
                .count()
        };
        paths[0b100][output(0b1000)] = (1.0, 1.0);
        while paths.iter().flatten().any(|&(count, _)| count > 0.0) {
            let mut next = vec![vec![(0.0, 0.0); most]; 8];
            for (state, here) in paths.iter().enumerate() {
                for bit in 0..2_usize {
                    let register = bit << 3 | state;
                    let distance = output(register);
                    for before in 0..most.saturating_sub(distance) {
                        let (count, wrong) = here[before];
                        let wrong = wrong + count * bit as f64;
                        if register >> 1 == 0 {
                            total[before + distance] += wrong;
                        } else {
                            next[register >> 1][before + distance].0 += count;
                            next[register >> 1][before + distance].1 += wrong;
                        }
                    }
                }
            }
            paths = next;
        }
        total
    }

    #[test]
    fn distances_are_those_of_the_standards_generators() {
        let found = weights(LEAST as usize + WEIGHTS.len());
        assert!(found[..LEAST as usize].iter().all(|&weight| weight == 0.0));
        assert_eq!(found[LEAST as usize..], WEIGHTS);
    }

    #[test]
    fn one_symbol_is_an_uncoded_bit_and_more_of_them_are_surer() {
        for db in [3.0_f64, 8.0, 11.0] {
            let ratio = 10.0_f64.powf(db / 10.0);
            // Proakis, 5.4.1: exp(-Eb / 2 N0) / 2.
            assert!((combined(1, ratio) / (0.5 * (-0.5 * ratio).exp()) - 1.0).abs() < 1e-12);
            // Two symbols by hand: exp(-g/2) (4 + g/2) / 8.
            let two = (-0.5 * ratio).exp() * (4.0 + 0.5 * ratio) / 8.0;
            assert!((combined(2, ratio) / two - 1.0).abs() < 1e-12);
            let each = |symbols: u32| combined(symbols, f64::from(symbols) * ratio);
            assert!(each(1) > each(2) && each(2) > each(6) && each(6) > each(24));
        }
    }

    #[test]
    fn sensitivities_are_the_data_sheets_within_a_decibel() {
        // Limits of the nRF52840 Product Specification (RADIO) at a bit error rate of 0.1 %: -95
        // dBm at 1M, -99 and -103 dBm coded.
        let uncoded = NoncoherentFsk { rate: Hertz(1e6) };
        let Db(figure) = uncoded.noise_figure(Dbm(-95.0), 1e-3);
        for (coded, sheet) in [(LeCoded::S2, -99.0), (LeCoded::S8, -103.0)] {
            let Db(needed) = noise_figure(Dbm(sheet), |signal| coded.bit(signal) > 1e-3);
            assert!((needed - figure).abs() < 1.0, "{coded:?}: {needed} dB, {figure} dB uncoded");
        }
    }

    #[test]
    fn a_stronger_signal_and_a_shorter_frame_are_never_worse() {
        for coded in [LeCoded::S2, LeCoded::S8] {
            let mut last = 1.0;
            for tenth in 500..1_800 {
                let signal = DbHz(f64::from(tenth) / 10.0);
                let fails = coded.frame(signal, Duration::from_us(2_704));
                assert!((0.0..=1.0).contains(&fails) && fails <= last + 1e-12, "{signal:?}");
                assert!(coded.frame(signal, Duration::from_us(720)) <= fails);
                last = fails;
            }
            assert!(last < 1e-6);
        }
    }
}
