//! Positions of the lost messages in trains.
//!
//! With independent losses of equal probability, all positions are equally likely. A queue that fills up
//! loses later messages, and a receiver that wakes up late loses earlier ones.

use libm::erfc;

/// 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// Positions of losses.
#[derive(Clone, Debug, PartialEq)]
pub struct Positions {
    /// Number of trains in which the message at each position was lost.
    pub lost: Vec<u32>,
    /// Number of trains.
    pub trains: u32,
    /// Mean position of the losses compared with that of independent losses. `None` if nothing or
    /// everything was lost.
    pub shift: Option<Shift>,
}

/// Mean position of the lost messages, from 0 for the first message to 1 for the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    /// Measured mean.
    pub mean: f64,
    /// Interval that contains the mean of independent losses with a probability of 95 %.
    pub independent: (f64, f64),
    /// Probability of a mean at least this far from the middle for independent losses of this rate.
    pub p: f64,
}

/// Part of a train that loses messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The beginning.
    Earlier,
    /// The end.
    Later,
    /// No particular part, as for independent losses.
    Any,
}

impl Which {
    /// Name in text output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Earlier => "earlier",
            Self::Later => "later",
            Self::Any => "any",
        }
    }
}

impl Shift {
    /// Returns the part of the train that loses more messages, at 95 % confidence.
    #[must_use]
    pub fn which(&self) -> Which {
        let (low, high) = self.independent;
        if self.mean < low {
            Which::Earlier
        } else if self.mean > high {
            Which::Later
        } else {
            Which::Any
        }
    }
}

impl Positions {
    /// Computes the positions from trains of equal length. Each element is true if the message at that
    /// position was lost.
    ///
    /// Wilcoxon's rank sum test determines whether losses depend on the position in a train of messages. The
    /// rank of a message is its position in its train, so messages at the same position in several trains are
    /// ties (F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945) 80;
    /// normal approximation, with the variance of draws without replacement).
    #[must_use]
    pub fn of(trains: &[Vec<bool>]) -> Self {
        let len = trains.iter().map(Vec::len).max().unwrap_or(0);
        let mut lost = vec![0_u32; len];
        for train in trains {
            for (count, &gone) in lost.iter_mut().zip(train) {
                *count += u32::from(gone);
            }
        }
        let shift = shift(&lost, trains.len());
        Self { lost, trains: trains.len() as u32, shift }
    }
}

fn shift(lost: &[u32], trains: usize) -> Option<Shift> {
    let (places, all) = (lost.len() as f64, (lost.len() * trains) as f64);
    let gone: u64 = lost.iter().map(|&count| u64::from(count)).sum();
    let gone = gone as f64;
    if lost.len() < 2 || gone == 0.0 || gone >= all {
        return None;
    }
    let last = places - 1.0;
    let sum: f64 = lost.iter().enumerate().map(|(at, &count)| at as f64 * f64::from(count)).sum();
    let mean = sum / gone / last;
    // For positions 0 to n - 1, (n² - 1) / 12, relative to n - 1.
    let variance = (places * places - 1.0) / 12.0 / (last * last);
    let error = (variance / gone * (all - gone) / (all - 1.0)).sqrt();
    if error == 0.0 {
        return None;
    }
    let p = erfc((mean - 0.5).abs() / error / std::f64::consts::SQRT_2);
    Some(Shift { mean, independent: (0.5 - Z * error, 0.5 + Z * error), p })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `trains` trains of 100 messages. `lost` returns whether a message is lost.
    fn positions(trains: usize, lost: impl Fn(usize, usize) -> bool) -> Positions {
        let train = |of| (0..100).map(|at| lost(of, at)).collect();
        Positions::of(&(0..trains).map(train).collect::<Vec<_>>())
    }

    #[test]
    fn losses_at_the_end_are_told_from_independent_ones() {
        let found = positions(10, |_, at| at >= 82);
        let shift = found.shift.expect("some were lost");
        assert_eq!(found.lost[82..], [10; 18]);
        assert!((shift.mean - 90.5 / 99.0).abs() < 1e-12, "{shift:?}");
        assert!(shift.which() == Which::Later && shift.p < 1e-6, "{shift:?}");
    }

    #[test]
    fn independent_losses_are_called_so_as_often_as_the_test_says() {
        let mut noise = crate::noise::Noise::seed(1);
        let called = (0..1_000)
            .filter(|_| {
                let trains: Vec<Vec<bool>> =
                    (0..10).map(|_| (0..100).map(|_| noise.uniform() < 0.18).collect()).collect();
                Positions::of(&trains).shift.expect("some were lost").which() != Which::Any
            })
            .count();
        // 5 %, with a standard error of 0.7.
        assert!((25..=75).contains(&called), "{called}");
    }

    #[test]
    fn nothing_lost_and_everything_lost_have_no_place() {
        assert_eq!(positions(3, |_, _| false).shift, None);
        assert_eq!(positions(3, |_, _| true).shift, None);
        assert_eq!(Positions::of(&[]).shift, None);
        assert_eq!(Positions::of(&[vec![true]]).shift, None);
    }
}
