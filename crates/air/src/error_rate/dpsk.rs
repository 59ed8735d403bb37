//! Differential phase shift keying: the enhanced rates of Bluetooth.
//!
//! The symbol error probability with M phases is
//!
//! ```text
//! sin(pi/M) / 2 pi  integral from -pi/2 to pi/2 of  exp(-g (1 - cos(pi/M) cos t)) / (1 - cos(pi/M) cos t) dt
//! ```
//!
//! In the formula of the symbol error probability, g is the ratio of symbol energy to noise density
//! (Pawula, Rice and Roberts, "Distribution of the phase angle between two vectors perturbed by
//! Gaussian noise", IEEE Transactions on Communications 30, 1982). With Gray coding, most symbol
//! errors cause a single bit error. The rotation of pi/4-DQPSK by an eighth of a turn per symbol
//! has no effect on the error probability, since only phase differences matter.
//!
//! The model omits the noise that adjacent symbols share, which makes errors come in pairs, and
//! carrier phase drift.

use std::sync::LazyLock;

use super::BitErrors;
use crate::quantity::{DbHz, Hertz};

/// Differential phase shift keying, differentially detected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DifferentialPsk {
    /// Symbol rate.
    pub symbols: Hertz,
    /// Bits per symbol: 1 for two phases, 2 for four, 3 for eight.
    pub bits: u8,
}

impl BitErrors for DifferentialPsk {
    fn rate(&self) -> Hertz {
        Hertz(self.symbols.0 * f64::from(self.bits))
    }

    fn bit(&self, signal: DbHz) -> f64 {
        let ratio = signal.in_bandwidth(self.symbols).ratio();
        symbol(f64::from(1_u32 << self.bits), ratio) / f64::from(self.bits)
    }
}

/// Steps of Simpson's rule over half of the range; the integrand is even.
const STEPS: u32 = 64;

/// Cosines at the steps.
static COSINES: LazyLock<[f64; STEPS as usize + 1]> =
    LazyLock::new(|| std::array::from_fn(|nth| libm::cos(STEP * nth as f64)));

/// Length of a step.
const STEP: f64 = std::f64::consts::FRAC_PI_2 / STEPS as f64;

/// Symbol error probability with `phases` phases.
fn symbol(phases: f64, ratio: f64) -> f64 {
    let (sine, cosine) = libm::sincos(std::f64::consts::PI / phases);
    let cosines = &*COSINES;
    let at = |nth: u32| {
        let apart = 1.0 - cosine * cosines[nth as usize];
        libm::exp(-ratio * apart) / apart
    };
    let weighed = |nth: u32| match nth {
        0 | STEPS => at(nth),
        _ if nth % 2 == 1 => 4.0 * at(nth),
        _ => 2.0 * at(nth),
    };
    let half = (0..=STEPS).map(weighed).sum::<f64>() * STEP / 3.0;
    sine / std::f64::consts::PI * half
}

#[cfg(test)]
mod tests {
    use airlag_sim::Stream;

    use super::*;

    /// C/N0 at a ratio of symbol energy to noise density in dB.
    fn per_symbol(db: f64) -> DbHz {
        DbHz(db + 60.0)
    }

    fn keyed(bits: u8) -> DifferentialPsk {
        DifferentialPsk { symbols: Hertz(1e6), bits }
    }

    #[test]
    fn of_two_phases_it_is_the_textbooks_exponential() {
        // Proakis, 5.2.8: exp(-Eb / N0) / 2.
        for db in [-3.0_f64, 0.0, 5.0, 8.0, 11.0] {
            let expected = 0.5 * (-(10.0_f64.powf(db / 10.0))).exp();
            assert!((keyed(1).bit(per_symbol(db)) / expected - 1.0).abs() < 1e-9, "{db} dB");
        }
    }

    #[test]
    fn of_four_phases_it_is_marcums_q_function_of_the_textbook() {
        // Proakis, 5.2.8: Q1(a, b) - I0(ab) exp(-(a^2 + b^2) / 2) / 2, a^2 and b^2 = 2 Eb/N0 (1 -+
        // 1/sqrt 2), computed with another program. The Gray approximation is slightly below it at
        // low ratios.
        for (per_bit, expected) in TEXTBOOK {
            let found = keyed(2).bit(per_symbol(per_bit + 10.0 * 2.0_f64.log10()));
            assert!((found / expected - 1.0).abs() < 0.01, "{per_bit} dB: {found}, {expected}");
        }
    }

    const TEXTBOOK: [(f64, f64); 3] = [
        (6.0, 0.017_235_900_604_799_7),
        (9.0, 0.001_267_103_568_767_74),
        (11.0, 6.789_512_819_503_6e-5),
    ];

    /// Standard normal, as the sum of twelve uniform values.
    fn noise(stream: &mut Stream) -> f64 {
        let unit = |stream: &mut Stream| (stream.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        (0..12).map(|_| unit(stream)).sum::<f64>() - 6.0
    }

    #[test]
    fn symbols_in_noise_are_wrong_as_often_as_it_says() {
        let mut stream = Stream::new(1, "noise");
        for (bits, db) in [(2_u8, 9.0_f64), (3, 14.0), (3, 16.0)] {
            let phases = f64::from(1_u32 << bits);
            // For a symbol with energy 1, the standard deviation of the noise in each of the two
            // components.
            let deviation = (0.5 / 10.0_f64.powf(db / 10.0)).sqrt();
            let mut noisy =
                || (1.0 + deviation * noise(&mut stream), deviation * noise(&mut stream));
            let mut before = noisy();
            let symbols = 200_000;
            let wrong = (0..symbols).filter(|_| {
                let now = noisy();
                let turn = (now.1 * before.0 - now.0 * before.1)
                    .atan2(now.0 * before.0 + now.1 * before.1);
                before = now;
                turn.abs() > std::f64::consts::PI / phases
            });
            let wrong = wrong.count() as f64;
            let expected = f64::from(symbols) * f64::from(bits) * keyed(bits).bit(per_symbol(db));
            // Six standard deviations, because errors come in pairs, plus the deviation of the sum
            // of twelve from normal.
            let within = 6.0 * (2.0 * expected).sqrt() + 0.02 * expected;
            assert!((wrong - expected).abs() < within, "{bits} bits, {db} dB: {wrong}, {expected}");
            assert!(wrong > 500.0, "{wrong}");
        }
    }
}
