//! Fading: variation of the signal power from frame to frame about a constant mean. Many paths
//! arrive together, and their sum changes as anything moves or the frequency hops.
//!
//! The sum of a strong path and many weak paths has a Rician amplitude (S. O. Rice, "Mathematical
//! analysis of random noise", Bell System Technical Journal 24, 1945). Without the strong path, the
//! amplitude has a Rayleigh distribution. The mean power gain of fading is 1, so fading does not
//! change the mean path loss.
//!
//! Every frame has an independent draw. Between stationary boards on one channel, the fading is the
//! same for many frames and is then a property of the location.

use airlag_sim::Stream;

use crate::quantity::Db;

/// Distribution of the power of a frame about its mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fading {
    /// No fading; no random numbers are drawn.
    Steady,
    /// A strong path and many weak ones.
    Rician {
        /// Power of the strong path over that of all others.
        k: Db,
    },
    /// Many weak paths.
    Rayleigh,
}

/// Integration steps in each of the two dimensions of a mean.
const STEPS: (u32, u32) = (400, 48);

impl Fading {
    /// Power of the strong path over that of all others.
    fn ratio(self) -> Option<f64> {
        match self {
            Self::Steady => None,
            Self::Rician { k } => Some(k.ratio()),
            Self::Rayleigh => Some(0.0),
        }
    }

    /// Gain of a frame over the mean. Two random numbers are drawn, or none without fading.
    pub fn draw(self, stream: &mut Stream) -> Db {
        let Some(ratio) = self.ratio() else { return Db(0.0) };
        let unit = 1.0 / (1_u64 << 53) as f64;
        // The share is above zero, so that its logarithm exists.
        let share = ((stream.bits() >> 11) + 1) as f64 * unit;
        gain(ratio, share, (stream.bits() >> 11) as f64 * unit)
    }

    /// Makes the draws of [`Fading::draw`] without computing the gain.
    pub fn skip(self, stream: &mut Stream) {
        if self.ratio().is_some() {
            stream.bits();
            stream.bits();
        }
    }

    /// Returns the mean of `of`, for example of a loss probability, over all frames.
    pub fn mean(self, of: impl Fn(Db) -> f64) -> f64 {
        let Some(ratio) = self.ratio() else { return of(Db(0.0)) };
        let (shares, turns) = STEPS;
        let middle = |step: u32, steps: u32| (f64::from(step) + 0.5) / f64::from(steps);
        let mut sum = 0.0;
        for share in 0..shares {
            for turn in 0..turns {
                sum += of(gain(ratio, middle(share, shares), middle(turn, turns)));
            }
        }
        sum / f64::from(shares * turns)
    }
}

/// Gain with a strong path of `ratio` times the power of the weak ones. The weak paths' sum has the
/// power that a `share` of all frames exceeds, and a phase of `turn` turns.
fn gain(ratio: f64, share: f64, turn: f64) -> Db {
    // The power of the weak paths has an exponential distribution (Box and Muller, 1958).
    let weak = libm::sqrt(-libm::log(share) / (ratio + 1.0));
    let angle = 2.0 * std::f64::consts::PI * turn;
    let along = libm::sqrt(ratio / (ratio + 1.0)) + weak * libm::cos(angle);
    let across = weak * libm::sin(angle);
    Db(10.0 * libm::log10((along * along + across * across).max(1e-30)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Share of frames that are `depth` dB or more below the mean.
    fn outage(fading: Fading, depth: f64) -> f64 {
        fading.mean(|Db(gain)| f64::from(gain <= -depth))
    }

    fn close(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() <= within, "{found}, not {expected}");
    }

    #[test]
    fn rayleigh_is_ten_decibels_down_one_frame_in_ten() {
        // The power has an exponential distribution: a share of 1 - exp(-x) of all frames has at
        // most x.
        for (depth, share) in [(0.0, 0.6321), (10.0, 0.0952), (20.0, 0.00995)] {
            close(outage(Fading::Rayleigh, depth), share, 0.0013);
        }
    }

    #[test]
    fn rice_without_a_strong_path_is_rayleigh_and_with_nothing_else_steady() {
        let weak = Fading::Rician { k: Db(-80.0) };
        close(outage(weak, 10.0), outage(Fading::Rayleigh, 10.0), 0.001);
        let strong = Fading::Rician { k: Db(80.0) };
        assert_eq!(outage(strong, 0.1), 0.0);
        assert_eq!(outage(Fading::Steady, 0.1), 0.0);
    }

    #[test]
    fn a_strong_path_takes_the_depth_from_fades() {
        // The share is 1 - Q(sqrt(2 K), sqrt(2 (K + 1) x)) with Marcum's Q, summed as a series by
        // hand.
        for (k, depth, share) in [(3.0, 10.0, 0.0462), (6.0, 10.0, 0.0165), (9.0, 5.0, 0.0383)] {
            close(outage(Fading::Rician { k: Db(k) }, depth), share, 0.001);
        }
        let depths = [3.0, 6.0, 9.0, 12.0].map(|k| outage(Fading::Rician { k: Db(k) }, 10.0));
        assert!(depths.is_sorted_by(|one, other| one > other), "{depths:?}");
        assert!(depths[0] < outage(Fading::Rayleigh, 10.0));
    }

    #[test]
    fn the_mean_power_is_one_and_draws_are_spread_as_the_mean_says() {
        for fading in
            [Fading::Rayleigh, Fading::Rician { k: Db(3.0) }, Fading::Rician { k: Db(9.0) }]
        {
            close(fading.mean(Db::ratio), 1.0, 0.005);
            let mut stream = Stream::new(1, "fading");
            let drawn: Vec<f64> = (0..50_000).map(|_| fading.draw(&mut stream).0).collect();
            for depth in [0.0, 3.0, 10.0] {
                let share = outage(fading, depth);
                let found = drawn.iter().filter(|&&gain| gain <= -depth).count() as f64 / 5e4;
                // Five standard errors, plus the discretisation error of the mean.
                close(found, share, 5.0 * (share * (1.0 - share) / 5e4).sqrt() + 0.002);
            }
        }
    }
}
