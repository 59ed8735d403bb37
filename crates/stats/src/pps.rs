//! Time base of a capture with a pulse-per-second (PPS) signal, such as the output of a GNSS
//! receiver.
//!
//! **Input:** one channel of a capture, whose rising edges mark whole seconds. **Output:**
//! [`TimeBase`], which converts times of the capture's clock to the time of the pulses, and
//! [`Quality`], which states the accuracy of the conversion.
//!
//! Between two pulses, times of the capture are converted linearly to the time of the pulses. The conversion
//! removes the frequency error of the crystal, and changes of this error that take more than a second. Before
//! the first pulse, the conversion uses the mean rate of the [`REACH_S`] seconds after the first pulse. After
//! the last pulse, the conversion uses the mean rate of the [`REACH_S`] seconds before the last pulse. The
//! errors in [`Quality`] are measured: the time of a pulse is predicted from other pulses, and compared with
//! the actual time of this pulse.
//!
//! - [`pulses`]: which edges are pulses, which pulses are missing, which edges are spurious.

pub mod pulses;
#[cfg(test)]
mod tests;

pub use pulses::{NotPps, Pulses};

use airlag_trace::Segment;

/// A second, ns.
pub const SECOND_NS: i64 = 1_000_000_000;
/// Time over which the clock rate is averaged, s, to convert times before the first pulse and after the last
/// pulse. Averaging over more seconds reduces the effect of pulse jitter on the rate, but increases the effect
/// of frequency changes of the crystal. [`Quality::extrapolation_ns`] measures the error that results. The
/// number is assumed, because no source states one.
pub const REACH_S: i64 = 10;
/// Variance of the distance between a pulse and the midpoint of its two neighbours, if each of the three pulses
/// has variance 1.
const MIDDLE_VARIANCE: f64 = 1.5;

/// Conversion from the clock of a capture to the time of its pulses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeBase {
    pulses: Pulses,
}

/// Properties of the pulses and of the clock that timestamped them, and measured errors of the conversion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Mean frequency error of the clock, ppm. Positive if it runs fast.
    pub ppm: f64,
    /// Smallest and largest frequency error between two pulses, ppm.
    pub ppm_range: [f64; 2],
    /// Standard deviation of the pulses about the clock, ns: jitter of the receiver and error of the sampling
    /// together. `None` without three consecutive pulses.
    pub jitter_ns: Option<f64>,
    /// Largest distance of a pulse from the line through its two neighbours, ns. `None` without three
    /// consecutive pulses.
    pub interpolation_ns: Option<f64>,
    /// Largest error of an interpolation over a gap as long as the longest gap, ns. It is measured where no
    /// pulse is missing: a pulse is compared with the line through an earlier and a later pulse, which are as
    /// far apart as the ends of the longest gap, with the compared pulse in the middle. `None` if the pulses
    /// have no gap, or if no sequence of pulses without a gap is as long as the longest gap.
    pub gap_ns: Option<f64>,
    /// Largest error of a pulse that is extrapolated by a second from the pulses before or after it, ns. `None`
    /// without three pulses.
    pub extrapolation_ns: Option<f64>,
}

impl TimeBase {
    /// Finds the pulses of a channel.
    ///
    /// # Errors
    ///
    /// [`NotPps`] if its rising edges are not a pulse per second.
    pub fn of(channel: &[Segment]) -> Result<Self, NotPps> {
        Ok(Self { pulses: pulses::find(channel)? })
    }

    /// The pulses.
    #[must_use]
    pub const fn pulses(&self) -> &Pulses {
        &self.pulses
    }

    /// Converts a time of the capture to nanoseconds since the first pulse. Later times are never converted to
    /// earlier ones.
    #[must_use]
    pub fn since_first_ns(&self, at_ns: i64) -> i64 {
        let Pulses { at_ns: at, second, .. } = &self.pulses;
        let after = at.partition_point(|&pulse| pulse <= at_ns);
        let last = at.len() - 1;
        let (from, to) = match after {
            0 => (0, self.reach_after(0)),
            all if all > last => (self.reach_before(last), last),
            between => (between - 1, between),
        };
        // The line passes through the nearest pulse.
        let near = if after > last { last } else { from };
        let line = i128::from(second[to] - second[from]) * i128::from(SECOND_NS);
        let part = rounded(i128::from(at_ns - at[near]) * line, i128::from(at[to] - at[from]));
        (i128::from(second[near]) * i128::from(SECOND_NS) + part)
            .clamp(i128::from(i64::MIN / 2), i128::from(i64::MAX / 2)) as i64
    }

    /// Measures the clock and the errors of the conversion.
    #[must_use]
    pub fn quality(&self) -> Quality {
        let Pulses { at_ns: at, second, .. } = &self.pulses;
        let last = at.len() - 1;
        let ppm = |from: usize, to: usize| {
            let true_ns = (second[to] - second[from]) as f64 * SECOND_NS as f64;
            ((at[to] - at[from]) as f64 / true_ns - 1.0) * 1e6
        };
        let each = (0..last).map(|nth| ppm(nth, nth + 1));
        let range = each.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], one| {
            [low.min(one), high.max(one)]
        });
        let middles: Vec<f64> = self.middles(2).collect();
        let square = middles.iter().map(|error| error * error).sum::<f64>();
        let jitter = (square / middles.len() as f64 / MIDDLE_VARIANCE).sqrt();
        let longest = self.pulses.longest_gap_s();
        Quality {
            ppm: ppm(0, last),
            ppm_range: range,
            jitter_ns: (!middles.is_empty()).then_some(jitter),
            interpolation_ns: largest(middles.into_iter()),
            gap_ns: largest(self.middles(longest)).filter(|_| longest > 1),
            extrapolation_ns: largest(self.extrapolated()),
        }
    }

    /// Index of the last pulse at most [`REACH_S`] after the pulse `from`, but at least the next index.
    fn reach_after(&self, from: usize) -> usize {
        let second = &self.pulses.second;
        let until = second.partition_point(|&s| s <= second[from] + REACH_S);
        (until - 1).max(from + 1)
    }

    /// Index of the first pulse at most [`REACH_S`] before the pulse `to`, but at most the previous index.
    fn reach_before(&self, to: usize) -> usize {
        let second = &self.pulses.second;
        second.partition_point(|&s| s < second[to] - REACH_S).min(to - 1)
    }

    /// Distances of the middle pulse from the line through both ends, of all complete sets of pulses over
    /// `seconds`, ns.
    fn middles(&self, seconds: i64) -> impl Iterator<Item = f64> {
        let Pulses { at_ns: at, second, .. } = &self.pulses;
        let width = usize::try_from(seconds).unwrap_or(usize::MAX);
        let many = at.len().saturating_sub(width);
        (0..many).filter(move |&nth| second[nth + width] - second[nth] == seconds).map(move |nth| {
            let half = width / 2;
            let line = (at[nth + width] - at[nth]) as f64 * half as f64 / width as f64;
            (at[nth + half] - at[nth]) as f64 - line
        })
    }

    /// Errors of pulses that are extrapolated by one second, ns. Uses pulses with the full reach of
    /// pulses on the other side or, if there are none, all pulses.
    fn extrapolated(&self) -> impl Iterator<Item = f64> {
        let Pulses { at_ns: at, second, .. } = &self.pulses;
        let last = at.len() - 1;
        let full = (REACH_S as usize + 1).min(last).max(2);
        let error = move |pulse: usize, near: usize, far: usize| {
            let rate = (at[near] - at[far]) as f64 / (second[near] - second[far]) as f64;
            (at[pulse] - at[near]) as f64 - rate * (second[pulse] - second[near]) as f64
        };
        let is_next = move |one: usize| second[one + 1] - second[one] == 1;
        let forward = (full..=last)
            .filter(move |&nth| is_next(nth - 1))
            .map(move |nth| error(nth, nth - 1, self.reach_before(nth - 1)));
        let backward = (0..(last + 1).saturating_sub(full))
            .filter(move |&nth| is_next(nth) && nth + 2 <= last)
            .map(move |nth| error(nth, nth + 1, self.reach_after(nth + 1)));
        forward.chain(backward)
    }
}

/// The largest magnitude.
fn largest(errors: impl Iterator<Item = f64>) -> Option<f64> {
    errors.map(f64::abs).reduce(f64::max)
}

/// A quotient, rounded to the nearest whole number, halves upward.
const fn rounded(part: i128, whole: i128) -> i128 {
    (2 * part + whole).div_euclid(2 * whole)
}
