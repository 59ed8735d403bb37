//! Frame error rates of demodulators as a function of the signal-to-noise ratio.
//!
//! The argument of every error rate function is C/N0: the signal power divided by the noise power
//! in 1 Hz. C/N0 is independent of the bandwidth of the radio. The number of bits in a frame is
//! calculated from the frame's duration. The number of bits therefore includes the preamble, the
//! address and the check sequence as well as the payload, and a bit error in any of these four
//! parts loses the frame.
//!
//! The models omit preamble detection failures, clustered bit errors, and fading within a frame.

mod block_code;
mod coded;
mod dpsk;
mod ofdm;

use airlag_sim::Duration;

use crate::frame::{Frame, Modulation};
use crate::quantity::{Db, DbHz, Hertz};

pub use block_code::more_wrong_than;
pub use coded::LeCoded;
pub use dpsk::DifferentialPsk;
pub use ofdm::{CodeRate, Constellation, Ofdm};

/// A demodulator for the frames of a radio, at any of its modulations.
pub trait Demodulator {
    /// Probability that `frame` is not received correctly.
    fn fails(&self, signal: DbHz, frame: &Frame) -> f64;

    /// Effect on `frame` of an overlapping frame with another `modulation`. The default treats it
    /// as noise of the same power.
    fn disturbance(&self, _frame: &Frame, _modulation: Modulation) -> Disturbance {
        Disturbance::Noise
    }
}

/// Effect of a frame on another that it overlaps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Disturbance {
    /// The overlapping frame acts as noise.
    Noise,
    /// The overlapping frame destroys the received frame, unless the received frame is stronger by
    /// this ratio. It then has no effect.
    Unless(Db),
}

impl<M: ErrorRate> Demodulator for M {
    fn fails(&self, signal: DbHz, frame: &Frame) -> f64 {
        self.frame(signal, frame.end.since(frame.begin))
    }
}

/// A modulation with its demodulator.
pub trait ErrorRate {
    /// Probability that a frame of duration `airtime` is not received correctly.
    fn frame(&self, signal: DbHz, airtime: Duration) -> f64;
}

/// Returns the probability that at least one of `count` independent events with this `probability`
/// occurs: 1 - (1 - p)^n. The result is accurate for small p.
#[must_use]
pub fn any_of(count: f64, probability: f64) -> f64 {
    -libm::expm1(count * libm::log1p(-probability.clamp(0.0, 1.0)))
}

fn seconds(airtime: Duration) -> f64 {
    airtime.as_ns() as f64 / 1e9
}

/// Noncoherent binary FSK, for nRF24, Bluetooth LE, and the basic rate of Bluetooth Classic. The
/// bit error probability is exp(-Eb / 2 N0) / 2 (Proakis, "Digital communications", 4th edition,
/// 5.4.1, orthogonal binary signals, noncoherent). The GFSK of these radios has more closely spaced
/// tones and narrower filters than this formula assumes, which costs some dB. The noise figure
/// includes this loss, see [`BitErrors::noise_figure`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoncoherentFsk {
    /// Bit rate.
    pub rate: Hertz,
}

/// Differential BPSK, for IEEE 802.11 at 1 Mbit/s. The bit error probability is exp(-Eb / N0) / 2
/// (Proakis, 5.2.8). Spreading each bit over 11 chips (IEEE 802.11-2020, clause 15) does not change
/// Eb/N0. The error probability therefore depends only on the ratio of C/N0 to the bit rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dbpsk {
    /// Bit rate.
    pub rate: Hertz,
}

/// O-QPSK with DSSS (sixteen codes of 32 chips), for IEEE 802.15.4 at 2450 MHz and 250 kbit/s. The
/// bit error probability is 8/15 * 1/16 * sum over k = 2 .. 16 of (-1)^k * binomial(16, k) * exp(20
/// SINR (1/k - 1)). SINR is the signal-to-interference-and-noise ratio in a bandwidth of 2 MHz
/// (IEEE 802.15.4-2006, annex E.4.1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OqpskDsss;

/// LoRa chirps (Elshabrawy and Robert, "Closed form approximation of LoRa modulation BER
/// performance", IEEE Communications Letters 22, 2018). The bit error probability before error
/// correction is Q(sqrt(2^(SF+1) SNR) - sqrt(1.386 SF + 1.154)) / 2, where SNR is the
/// signal-to-noise ratio in the chirp's bandwidth. According to their Hamming distances, the coding
/// rates 4/7 and 4/8 correct one wrong bit per code word, and the coding rates 4/5 and 4/6 correct
/// no wrong bit. The model assumes that header and preamble are received, because they have more
/// redundancy than the payload.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lora {
    /// Spreading factor, from 6 to 12.
    pub spreading_factor: u8,
    /// Bandwidth of the chirps.
    pub bandwidth: Hertz,
    /// Bits on the air for four data bits, from 5 to 8.
    pub coded_bits: u8,
    /// Whether a symbol carries two bits fewer.
    pub low_data_rate_optimize: bool,
    /// Symbols of preamble and header, which are not subject to errors.
    pub overhead_symbols: f64,
}

/// A demodulator that needs more signal than its formula predicts: the loss of a chip at one of its
/// settings in addition to the noise figure common to all of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detuned<M> {
    /// Demodulator according to the formula.
    pub demodulator: M,
    /// Additional loss.
    pub loss: Db,
}

impl<M: ErrorRate> ErrorRate for Detuned<M> {
    fn frame(&self, DbHz(signal): DbHz, airtime: Duration) -> f64 {
        self.demodulator.frame(DbHz(signal - self.loss.0), airtime)
    }
}

/// A demodulator with independent bit errors.
pub trait BitErrors {
    /// Bit rate.
    fn rate(&self) -> Hertz;

    /// Bit error probability.
    fn bit(&self, signal: DbHz) -> f64;

    /// Returns the noise figure with which a receiver with this demodulator has the sensitivity of
    /// its datasheet: a bit error rate of `rate` at a received power of `sensitivity`. This noise
    /// figure includes all effects that the formula of the bit error probability omits.
    #[must_use]
    fn noise_figure(&self, sensitivity: crate::quantity::Dbm, rate: f64) -> Db {
        crate::signal::noise_figure(sensitivity, |signal| self.bit(signal) > rate)
    }
}

impl BitErrors for NoncoherentFsk {
    fn rate(&self) -> Hertz {
        self.rate
    }
    fn bit(&self, signal: DbHz) -> f64 {
        0.5 * libm::exp(-0.5 * signal.in_bandwidth(self.rate).ratio())
    }
}

impl BitErrors for Dbpsk {
    fn rate(&self) -> Hertz {
        self.rate
    }
    fn bit(&self, signal: DbHz) -> f64 {
        0.5 * libm::exp(-signal.in_bandwidth(self.rate).ratio())
    }
}

impl BitErrors for OqpskDsss {
    fn rate(&self) -> Hertz {
        Hertz(250e3)
    }
    fn bit(&self, signal: DbHz) -> f64 {
        let ratio = signal.in_bandwidth(Hertz(2e6)).ratio();
        let mut choose = 16.0;
        let mut sum = 0.0;
        for k in 2..=16 {
            let k = f64::from(k);
            // (16 over k) from (16 over k - 1), with the sign.
            choose *= -(17.0 - k) / k;
            sum -= choose * libm::exp(20.0 * ratio * (1.0 / k - 1.0));
        }
        (8.0 / 15.0 / 16.0 * sum).clamp(0.0, 0.5)
    }
}

impl<M: BitErrors> ErrorRate for M {
    fn frame(&self, signal: DbHz, airtime: Duration) -> f64 {
        any_of(seconds(airtime) * self.rate().0, self.bit(signal))
    }
}

impl Lora {
    /// Bit error probability before decoding.
    #[must_use]
    pub fn bit(&self, signal: DbHz) -> f64 {
        let exponent = f64::from(self.spreading_factor);
        let ratio = signal.in_bandwidth(self.bandwidth).ratio();
        let chirp = libm::sqrt(ratio * libm::pow(2.0, exponent + 1.0));
        0.5 * upper_tail(chirp - libm::sqrt(1.386 * exponent + 1.154))
    }
}

impl ErrorRate for Lora {
    fn frame(&self, signal: DbHz, airtime: Duration) -> f64 {
        let exponent = f64::from(self.spreading_factor);
        let bits = if self.low_data_rate_optimize { exponent - 2.0 } else { exponent };
        let symbol_s = libm::pow(2.0, exponent) / self.bandwidth.0;
        let symbols = (seconds(airtime) / symbol_s - self.overhead_symbols).max(0.0);
        let coded = f64::from(self.coded_bits);
        let words = symbols * bits / coded;
        let wrong = self.bit(signal);
        if self.coded_bits < 7 {
            return any_of(4.0 * words, wrong);
        }
        let right = 1.0 - wrong;
        let word = libm::pow(right, coded) + coded * wrong * libm::pow(right, coded - 1.0);
        any_of(words, 1.0 - word)
    }
}

/// The Q function: the share of a standard normal distribution above `x`.
fn upper_tail(x: f64) -> f64 {
    0.5 * libm::erfc(x / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests;
