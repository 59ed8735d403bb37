//! How often a demodulator gets a frame wrong, by how far the signal is above the noise.
//!
//! What goes in is C/N0, the power of the signal over that of the noise in one hertz: it holds for
//! every bandwidth. How many bits a frame has follows from how long it lasts, so preamble, address
//! and check count as what they are: a frame is lost with any of them.
//!
//! What is left out: that a receiver misses a preamble that its demodulator could have read, that
//! errors come in groups, and fading within a frame.

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

/// What reads the frames of a radio, at whichever of its modulations they come.
pub trait Demodulator {
    /// Probability that `frame` does not arrive whole.
    fn fails(&self, signal: DbHz, frame: &Frame) -> f64;

    /// What frames of another `modulation` do to `frame` where they overlap: as much as noise of
    /// their power, unless the radio's kind knows better.
    fn disturbance(&self, _frame: &Frame, _modulation: Modulation) -> Disturbance {
        Disturbance::Noise
    }
}

/// What a frame does to another that it overlaps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Disturbance {
    /// It is noise.
    Noise,
    /// It destroys a frame that is not stronger by this, and does nothing to one that is.
    Unless(Db),
}

impl<M: ErrorRate> Demodulator for M {
    fn fails(&self, signal: DbHz, frame: &Frame) -> f64 {
        self.frame(signal, frame.end.since(frame.begin))
    }
}

/// A modulation with its demodulator.
pub trait ErrorRate {
    /// Probability that a frame of `airtime` does not arrive whole.
    fn frame(&self, signal: DbHz, airtime: Duration) -> f64;
}

/// Probability that any of `count` is wrong, each with `probability`: 1 - (1 - p)^n, exact for small p.
#[must_use]
pub fn any_of(count: f64, probability: f64) -> f64 {
    -libm::expm1(count * libm::log1p(-probability.clamp(0.0, 1.0)))
}

fn seconds(airtime: Duration) -> f64 {
    airtime.as_ns() as f64 / 1e9
}

/// Two tones, told apart by their power: nRF24, Bluetooth LE, the basic rate of Bluetooth Classic. A bit is wrong with probability
/// exp(-Eb / 2 N0) / 2 (Proakis, "Digital communications", 4th edition, 5.4.1, orthogonal binary
/// signals, noncoherent). The narrower tones and filters of GFSK cost some dB more, which
/// belong to the noise figure: see [`BitErrors::noise_figure`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoncoherentFsk {
    /// Bits a second.
    pub rate: Hertz,
}

/// Phases, each against the one before: IEEE 802.11 at 1 Mbit/s. A bit is wrong with probability
/// exp(-Eb / N0) / 2 (Proakis, 5.2.8). The 11 chips of a bit (IEEE 802.11-2020, clause 15)
/// spread signal and noise alike, so C/N0 over the bit rate is all that counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dbpsk {
    /// Bits a second.
    pub rate: Hertz,
}

/// Sixteen codes of 32 chips: IEEE 802.15.4 at 2450 MHz, 250 kbit/s. A bit is wrong with
/// probability 8/15 1/16 sum over k = 2 .. 16 of (-1)^k (16 over k) exp(20 SINR (1/k - 1)), the
/// ratio taken in 2 MHz (IEEE 802.15.4-2006, annex E.4.1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OqpskDsss;

/// Chirps (Elshabrawy and Robert, "Closed form approximation of LoRa modulation BER performance",
/// IEEE Communications Letters 22, 2018): a bit before decoding is wrong with probability
/// Q(sqrt(2^(SF+1) SNR) - sqrt(1.386 SF + 1.154)) / 2, the ratio taken in the chirp's bandwidth.
/// Coding rates 4/7 and 4/8 put one wrong bit in a code word right, 4/5 and 4/6 none (Hamming's
/// distances). Header and preamble are taken as safe: they have more redundancy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lora {
    /// SF, from 6 to 12.
    pub spreading_factor: u8,
    /// Of the chirps.
    pub bandwidth: Hertz,
    /// Bits on the air for four bits of data, from 5 to 8.
    pub coded_bits: u8,
    /// Two bits fewer a symbol.
    pub low_data_rate_optimize: bool,
    /// Symbols of preamble and header, which do not count.
    pub overhead_symbols: f64,
}

/// A demodulator that needs more signal than its formula says: what a chip loses at one of its
/// settings beyond what its noise figure holds of all of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detuned<M> {
    /// By the formula.
    pub demodulator: M,
    /// How much more.
    pub loss: Db,
}

impl<M: ErrorRate> ErrorRate for Detuned<M> {
    fn frame(&self, DbHz(signal): DbHz, airtime: Duration) -> f64 {
        self.demodulator.frame(DbHz(signal - self.loss.0), airtime)
    }
}

/// A demodulator whose bits are wrong independently of each other.
pub trait BitErrors {
    /// Bits a second.
    fn rate(&self) -> Hertz;

    /// Probability that a bit is wrong.
    fn bit(&self, signal: DbHz) -> f64;

    /// The noise figure that makes a receiver with this demodulator as sensitive as its datasheet
    /// says: `rate` bits wrong at `sensitivity`. It holds all that the formula leaves out.
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
    /// Probability that a bit is wrong before decoding.
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

/// Q: the share of a standard normal above `x`.
fn upper_tail(x: f64) -> f64 {
    0.5 * libm::erfc(x / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests;
