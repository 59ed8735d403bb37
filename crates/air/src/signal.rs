//! Loss by signal and noise: transmit power, antennas, path, noise floor, demodulator.
//!
//! ```text
//!  power + gains - path loss - shadowing + fading = received power
//!  received power - (kT + noise figure)  = C/N0  ──► error rate of a frame of its length
//! ```
//!
//! The model omits motion. A lost frame still keeps a channel busy and still collides.
//! [`interference`](crate::interference) describes the effect of other frames.

use airlag_sim::Stream;

use crate::error_rate::Demodulator;
use crate::fading::Fading;
use crate::frame::Frame;
use crate::loss::Loss;
use crate::propagation::PathLoss;
use crate::quantity::{Db, DbHz, Dbm, Hertz, Metres};

/// Thermal noise in one hertz, kT at 290 K: 1.380649e-23 J/K times 290 K (IEEE's standard
/// temperature for noise figures) is -173.975 dBm.
pub const THERMAL_NOISE: Dbm = Dbm(-173.975);

/// Link budget of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Power at the sender's antenna port.
    pub power: Dbm,
    /// Gain of both antennas together, relative to isotropic ones.
    pub antenna_gain: Db,
    /// Path loss by distance.
    pub path: PathLoss,
    /// Distance between the antennas.
    pub range: Metres,
    /// Shadowing: loss of this path relative to the mean.
    pub shadowing: Db,
    /// Fading from frame to frame.
    pub fading: Fading,
    /// Noise figure of the receiver.
    pub noise_figure: Db,
}

impl Budget {
    /// Mean received power of frames at `frequency`.
    #[must_use]
    pub fn received(&self, frequency: Hertz) -> Dbm {
        let loss = self.path.loss(self.range, frequency) + self.shadowing;
        self.power + self.antenna_gain - loss
    }

    /// Mean C/N0 of frames at `frequency`.
    #[must_use]
    pub fn signal(&self, frequency: Hertz) -> DbHz {
        DbHz((self.received(frequency) - (THERMAL_NOISE + self.noise_figure)).0)
    }
}

/// Mean signal at which a share `lost` of all frames is lost; `fails` is the loss probability of a
/// frame at a given signal.
#[must_use]
pub fn needed(lost: f64, fading: Fading, fails: impl Fn(DbHz) -> f64) -> DbHz {
    DbHz(
        -noise_figure(THERMAL_NOISE, |DbHz(mean)| {
            fading.mean(|Db(gain)| fails(DbHz(mean + gain))) > lost
        })
        .0,
    )
}

/// Loses frames by the error rate of their demodulator. Draws once for each frame, in addition to
/// the draws of its fading.
#[derive(Clone, Copy, Debug)]
pub struct BySignal<M> {
    /// Path.
    pub budget: Budget,
    /// Demodulator at its end.
    pub demodulator: M,
}

impl<M: Demodulator> BySignal<M> {
    /// Probability that `frame` is lost if it arrives `gain` above the mean.
    #[must_use]
    pub fn probability(&self, frame: &Frame, Db(gain): Db) -> f64 {
        let DbHz(mean) = self.budget.signal(frame.band.centre());
        self.demodulator.fails(DbHz(mean + gain), frame)
    }
}

impl<M: Demodulator> Loss for BySignal<M> {
    fn loses(&mut self, frame: &Frame, stream: &mut Stream) -> bool {
        let gain = self.budget.fading.draw(stream);
        stream.chance(self.probability(frame, gain))
    }

    fn skip(&mut self, stream: &mut Stream) {
        self.budget.fading.skip(stream);
        stream.bits();
    }
}

/// Noise figure of a receiver that just meets `sensitivity`, where `fails` returns whether a signal
/// is too weak. The signal is found by bisection between -50 and 150 dB-Hz, to a millionth of a dB.
#[must_use]
pub fn noise_figure(sensitivity: Dbm, fails: impl Fn(DbHz) -> bool) -> Db {
    let (mut weak, mut strong) = (-50.0, 150.0);
    for _ in 0..48 {
        let middle = f64::midpoint(weak, strong);
        *(if fails(DbHz(middle)) { &mut weak } else { &mut strong }) = middle;
    }
    (sensitivity - THERMAL_NOISE) - Db(strong)
}

#[cfg(test)]
mod tests {
    use airlag_sim::{Duration, Instant};

    use super::*;
    use crate::error_rate::NoncoherentFsk;
    use crate::medium::tests::any_frame;

    const AT_2450: Hertz = Hertz(2.45e9);

    fn budget(range: f64) -> Budget {
        Budget {
            power: Dbm(0.0),
            antenna_gain: Db(0.0),
            path: PathLoss::FreeSpace,
            range: Metres(range),
            shadowing: Db(0.0),
            fading: Fading::Steady,
            noise_figure: Db(15.0),
        }
    }

    #[test]
    fn a_budget_adds_up_as_by_hand() {
        // 0 dBm of power, 100.23 dB of loss over 1 km at 2.45 GHz, and noise of -173.975 + 15 dBm
        // in one hertz.
        let signal = budget(1_000.0).signal(AT_2450);
        assert!((signal.0 - (-100.23 + 158.975)).abs() < 0.005, "{signal:?}");
        let louder = Budget { power: Dbm(20.0), antenna_gain: Db(4.0), ..budget(1_000.0) };
        assert!((louder.signal(AT_2450).0 - signal.0 - 24.0).abs() < 1e-9);
        let shaded = Budget { shadowing: Db(8.0), ..budget(1_000.0) };
        assert!((signal.0 - shaded.signal(AT_2450).0 - 8.0).abs() < 1e-9);
    }

    #[test]
    fn thermal_noise_is_that_of_boltzmann_at_290_kelvin() {
        let milliwatts: f64 = 1.380_649e-23 * 290.0 * 1e3;
        assert!((10.0 * milliwatts.log10() - THERMAL_NOISE.0).abs() < 0.001);
    }

    #[test]
    fn a_noise_figure_gives_the_sensitivity_it_was_made_from() {
        // A bit error rate of 0.1 % needs an Eb/N0 of 10.944 dB (2 ln 500); the bit rate is 53.979
        // dB-Hz.
        let figure = noise_figure(Dbm(-94.0), |signal| signal.0 < 10.944 + 53.979);
        assert!((figure.0 - 15.052).abs() < 0.001, "{figure:?}");
    }

    #[test]
    fn frames_are_lost_as_often_as_the_formula_says_and_more_with_range() {
        let mut frame = any_frame();
        frame.end = Instant::START + Duration::from_us(1_000);
        let mut shares = Vec::new();
        for range in [250.0, 400.0, 450.0, 500.0, 3_000.0] {
            let demodulator = NoncoherentFsk { rate: Hertz(250e3) };
            let mut loss = BySignal { budget: budget(range), demodulator };
            let mut stream = Stream::new(1, "path");
            let lost = (0..20_000).filter(|_| loss.loses(&frame, &mut stream)).count();
            let p = loss.probability(&frame, Db(0.0));
            // Five standard deviations.
            let within = 5.0 * (20_000.0 * p * (1.0 - p)).sqrt() + 1.0;
            assert!((lost as f64 - 20_000.0 * p).abs() < within, "{range} m: {lost}, {p}");
            shares.push(p);
        }
        assert!(shares.is_sorted() && shares[0] < 1e-3 && shares[4] > 0.999, "{shares:?}");
    }

    #[test]
    fn a_fading_signal_is_lost_as_often_as_the_mean_over_its_fades_says() {
        let mut frame = any_frame();
        frame.end = Instant::START + Duration::from_us(1_000);
        let demodulator = NoncoherentFsk { rate: Hertz(250e3) };
        for fading in [Fading::Rayleigh, Fading::Rician { k: Db(9.0) }] {
            let budget = Budget { fading, ..budget(250.0) };
            let mut loss = BySignal { budget, demodulator };
            let mut stream = Stream::new(1, "path");
            let lost = (0..20_000).filter(|_| loss.loses(&frame, &mut stream)).count();
            let p = fading.mean(|gain| loss.probability(&frame, gain));
            // Five standard deviations, plus the discretisation error of the mean.
            let within = 5.0 * (20_000.0 * p * (1.0 - p)).sqrt() + 20.0;
            assert!((lost as f64 - 20_000.0 * p).abs() < within, "{fading:?}: {lost}, {p}");
            assert!(lost > 100, "{fading:?}: {lost}");
        }
    }

    #[test]
    fn a_skipped_frame_draws_as_much_as_a_faded_one() {
        let frame = any_frame();
        let demodulator = NoncoherentFsk { rate: Hertz(250e3) };
        for fading in [Fading::Steady, Fading::Rayleigh, Fading::Rician { k: Db(9.0) }] {
            let budget = Budget { fading, ..budget(400.0) };
            let mut loss = BySignal { budget, demodulator };
            let mut streams = [Stream::new(1, "path"), Stream::new(1, "path")];
            for _ in 0..100 {
                loss.loses(&frame, &mut streams[0]);
                loss.skip(&mut streams[1]);
            }
            assert_eq!(streams[0].bits(), streams[1].bits(), "{fading:?}");
        }
    }

    #[test]
    fn one_frame_in_a_hundred_is_lost_of_a_signal_that_is_as_strong_as_needed() {
        let demodulator = NoncoherentFsk { rate: Hertz(250e3) };
        let mut frame = any_frame();
        frame.end = Instant::START + Duration::from_us(1_000);
        let fails = |signal| demodulator.fails(signal, &frame);
        let steady = needed(0.01, Fading::Steady, fails);
        assert!((fails(steady) - 0.01).abs() < 1e-6);
        // Powers have an exponential distribution: exp(-u) is summed over the frames that have u
        // times the mean.
        let DbHz(fading) = needed(0.01, Fading::Rayleigh, fails);
        let step = 1e-5;
        let lost = |nth: u32| {
            let power = (f64::from(nth) + 0.5) * step;
            step * (-power).exp() * fails(DbHz(fading + 10.0 * power.log10()))
        };
        let share: f64 = (0..1_000_000).map(lost).sum();
        assert!((share - 0.01).abs() < 2e-4 && fading > steady.0 + 15.0, "{share} {fading}");
    }
}
