//! OFDM with a convolutional code: IEEE 802.11 from 6 Mbit/s on.
//!
//! The OFDM error rate model is that of ns-3 (G. Pei and T. Henderson, "Validation of OFDM error
//! rate model in ns-3", 2010). The bit error rate of each constellation is calculated with the
//! usual approximations (Proakis, 5.2). The convolutional code is modelled with hard decisions, by
//! a union bound over the distance spectrum of the code. The gain of soft decisions and the losses
//! of a real radio are included in the noise figure of the receiver. With both included, the noise
//! figure is nearly the same at every rate.

use airlag_sim::Duration;

use super::{ErrorRate, any_of, seconds};
use crate::quantity::{DbHz, Hertz};

/// Subcarrier spacing (IEEE Std 802.11-2012, table 18-5).
const SPACING: Hertz = Hertz(312.5e3);

/// Constellation of a subcarrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constellation {
    /// 1 bit per symbol.
    Bpsk,
    /// 2 bits per symbol.
    Qpsk,
    /// 4 bits per symbol.
    Qam16,
    /// 6 bits per symbol.
    Qam64,
}

impl Constellation {
    /// Bit error probability at a `ratio` of symbol energy to noise density.
    fn bit(self, ratio: f64) -> f64 {
        let wrong = |share: f64, per: f64| share * libm::erfc(libm::sqrt(ratio / per));
        match self {
            Self::Bpsk => wrong(1.0 / 2.0, 1.0),
            Self::Qpsk => wrong(1.0 / 2.0, 2.0),
            // Square constellations with Gray coding, nearest neighbours only.
            Self::Qam16 => wrong(3.0 / 8.0, 10.0),
            Self::Qam64 => wrong(7.0 / 24.0, 42.0),
        }
    }
}

/// Rate of the code with generators 133 and 171, octal, after puncturing (IEEE Std 802.11-2012,
/// 18.3.5.6 and 20.3.11.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the numbers")]
pub enum CodeRate {
    Half,
    TwoThirds,
    ThreeQuarters,
    FiveSixths,
}

/// Distance spectrum of a convolutional code. For each Hamming distance, starting at the minimum
/// distance of the code, the spectrum contains the total number of bit errors on all paths of this
/// distance in one puncturing period (D. Haccoun and G. Begin, "High-rate punctured convolutional
/// codes for Viterbi and sequential decoding", IEEE Transactions on Communications 37, 1989). A
/// test derives the first six values of each spectrum from the generators of the code.
struct Spectrum {
    /// Input bits per puncturing period.
    period: f64,
    least: i32,
    step: i32,
    weights: [f64; 9],
}

impl CodeRate {
    const fn spectrum(self) -> Spectrum {
        match self {
            Self::Half => Spectrum {
                period: 1.0,
                least: 10,
                step: 2,
                weights: [
                    36.0,
                    211.0,
                    1_404.0,
                    11_633.0,
                    77_433.0,
                    502_690.0,
                    3_322_763.0,
                    21_292_910.0,
                    134_365_911.0,
                ],
            },
            Self::TwoThirds => Spectrum {
                period: 2.0,
                least: 6,
                step: 1,
                weights: [
                    3.0,
                    70.0,
                    285.0,
                    1_276.0,
                    6_160.0,
                    27_128.0,
                    117_019.0,
                    498_860.0,
                    2_103_891.0,
                ],
            },
            Self::ThreeQuarters => Spectrum {
                period: 3.0,
                least: 5,
                step: 1,
                weights: [
                    42.0,
                    201.0,
                    1_492.0,
                    10_469.0,
                    62_935.0,
                    379_644.0,
                    2_253_373.0,
                    13_073_811.0,
                    75_152_755.0,
                ],
            },
            Self::FiveSixths => Spectrum {
                period: 5.0,
                least: 4,
                step: 1,
                weights: [
                    92.0,
                    528.0,
                    8_694.0,
                    79_453.0,
                    792_114.0,
                    7_375_573.0,
                    67_884_974.0,
                    610_875_423.0,
                    5_427_275_376.0,
                ],
            },
        }
    }

    /// Bit error probability after decoding; `wrong` is the probability before decoding.
    fn decoded(self, wrong: f64) -> f64 {
        let Spectrum { period, least, step, weights } = self.spectrum();
        // Chernoff bound of confusing paths at a given distance.
        let bound = libm::sqrt(4.0 * wrong * (1.0 - wrong));
        let mut power = libm::pow(bound, f64::from(least));
        let further = libm::pow(bound, f64::from(step));
        let mut sum = 0.0;
        for weight in weights {
            sum += weight * power;
            power *= further;
        }
        (sum / (2.0 * period)).min(0.5)
    }
}

/// An OFDM rate. The fields before the data are sent at the slowest rate and are assumed to be
/// received.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ofdm {
    /// Constellation of each subcarrier.
    pub constellation: Constellation,
    /// Rate of the code.
    pub code_rate: CodeRate,
    /// Subcarriers that share the power, including pilots: 52, or 56 for HT in 20 MHz.
    pub subcarriers: u8,
    /// Data rate.
    pub rate: Hertz,
    /// Time of a frame without data: the fields before the data, and the silence after it.
    pub overhead: Duration,
}

impl Ofdm {
    /// Bit error probability after decoding.
    #[must_use]
    pub fn bit(&self, signal: DbHz) -> f64 {
        let occupied = Hertz(SPACING.0 * f64::from(self.subcarriers));
        let ratio = signal.in_bandwidth(occupied).ratio();
        self.code_rate.decoded(self.constellation.bit(ratio))
    }
}

impl ErrorRate for Ofdm {
    fn frame(&self, signal: DbHz, airtime: Duration) -> f64 {
        let bits = seconds(airtime.saturating_sub(self.overhead)) * self.rate.0;
        any_of(bits, self.bit(signal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATES: [CodeRate; 4] =
        [CodeRate::Half, CodeRate::TwoThirds, CodeRate::ThreeQuarters, CodeRate::FiveSixths];

    /// Transmitted output bits for each input bit (18.3.5.6, figures 18-9 and 18-10; 20.3.11.6).
    fn sent(rate: CodeRate) -> &'static [[bool; 2]] {
        const BOTH: [bool; 2] = [true, true];
        const FIRST: [bool; 2] = [true, false];
        const SECOND: [bool; 2] = [false, true];
        match rate {
            CodeRate::Half => &[BOTH],
            CodeRate::TwoThirds => &[BOTH, FIRST],
            CodeRate::ThreeQuarters => &[BOTH, FIRST, SECOND],
            CodeRate::FiveSixths => &[BOTH, FIRST, SECOND, FIRST, SECOND],
        }
    }

    /// Bit errors on all paths that diverge from the correct one and merge again, by distance below
    /// `most`, from every position in the period.
    fn weights(rate: CodeRate, most: usize) -> Vec<f64> {
        let pattern = sent(rate);
        let mut total = vec![0.0; most];
        for begin in 0..pattern.len() {
            // For each state and distance: the number of paths, and their bit errors.
            let mut paths = vec![vec![(0.0, 0.0); most]; 64];
            let mut left = false;
            for at in begin.. {
                let mut next = vec![vec![(0.0, 0.0); most]; 64];
                let mut alive = false;
                for (state, here) in paths.iter().enumerate() {
                    for bit in 0..2_usize {
                        let register = bit << 6 | state;
                        let kept = pattern[at % pattern.len()];
                        let differs =
                            [0o133, 0o171].into_iter().zip(kept).filter(|(generator, kept)| {
                                *kept && (register & generator).count_ones() % 2 == 1
                            });
                        let distance = differs.count();
                        let leaves = !left && state == 0 && bit == 1;
                        for before in 0..most.saturating_sub(distance) {
                            let (count, wrong) =
                                if leaves && before == 0 { (1.0, 0.0) } else { here[before] };
                            if count == 0.0 {
                                continue;
                            }
                            let wrong = wrong + count * bit as f64;
                            let to = register >> 1;
                            if to == 0 {
                                total[before + distance] += wrong;
                            } else {
                                next[to][before + distance].0 += count;
                                next[to][before + distance].1 += wrong;
                                alive = true;
                            }
                        }
                    }
                }
                left = true;
                paths = next;
                if !alive {
                    break;
                }
            }
        }
        total
    }

    #[test]
    fn decoded_bits_are_wrong_as_often_as_ns_3_has_it() {
        // The published formulas have ten terms and were computed with another program; this
        // implementation sums one fewer.
        use CodeRate::{FiveSixths, Half, ThreeQuarters, TwoThirds};
        use Constellation::{Bpsk, Qam16, Qam64, Qpsk};
        for (constellation, code_rate, db, expected) in [
            (Bpsk, Half, 3.5, 4.420_598e-5),
            (Bpsk, ThreeQuarters, 7.0, 5.342_097e-6),
            (Qpsk, Half, 7.0, 7.908_629e-6),
            (Qpsk, ThreeQuarters, 10.0, 5.534_586e-6),
            (Qam16, Half, 13.5, 8.955_685e-6),
            (Qam16, ThreeQuarters, 17.0, 2.444_301e-6),
            (Qam64, TwoThirds, 21.5, 5.524_098e-6),
            (Qam64, ThreeQuarters, 23.0, 2.670_991e-6),
            (Qam64, FiveSixths, 24.5, 8.763_383e-7),
        ] {
            let (rate, overhead) = (Hertz(1e6), Duration::ZERO);
            let modem = Ofdm { constellation, code_rate, subcarriers: 52, rate, overhead };
            let found = modem.bit(DbHz(db + 10.0 * (52.0 * SPACING.0).log10()));
            assert!((found / expected - 1.0).abs() < 0.01, "{constellation:?} {db} dB: {found}");
        }
    }

    #[test]
    fn distances_are_those_of_the_standards_generators() {
        for rate in RATES {
            let Spectrum { least, step, weights: expected, .. } = rate.spectrum();
            let place = |nth: usize| least as usize + nth * step as usize;
            let found = weights(rate, place(5) + 1);
            for (at, weight) in found.iter().enumerate() {
                let nth = (0..6).find(|&nth| place(nth) == at);
                let expected = nth.map_or(0.0, |nth| expected[nth]);
                let error = (weight - expected).abs();
                assert!(error <= 1e-3 * expected, "{rate:?}, {at}: {weight}, not {expected}");
            }
        }
    }
}
