//! How a signal differs from frame to frame where its mean stays: many paths arrive together, and
//! add up to more or less as anything moves or the frequency hops.
//!
//! A strong path and many weak ones make an amplitude distributed as Rice found (S. O. Rice,
//! "Mathematical analysis of random noise", Bell System Technical Journal 24, 1945); without the
//! strong one it is Rayleigh's. The power is one on the mean, so a path loss is what it was.
//!
//! Every frame has a draw of its own. Between boards that stand still on one channel the fading is
//! the same for many frames, and then it is a part of the place.

use airlag_sim::Stream;

use crate::quantity::Db;

/// Distribution of the power of a frame about its mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fading {
    /// Always the mean; nothing is drawn.
    Steady,
    /// A strong path beside many weak ones.
    Rician {
        /// Power of the strong one over that of all others.
        k: Db,
    },
    /// Many weak ones.
    Rayleigh,
}

/// Steps of each of the two dimensions in which a mean is taken.
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

    /// What a frame has above the mean; two draws, or none.
    pub fn draw(self, stream: &mut Stream) -> Db {
        let Some(ratio) = self.ratio() else { return Db(0.0) };
        let unit = 1.0 / (1_u64 << 53) as f64;
        // Above zero, so that the logarithm exists.
        let share = ((stream.bits() >> 11) + 1) as f64 * unit;
        gain(ratio, share, (stream.bits() >> 11) as f64 * unit)
    }

    /// The mean of `of` over all frames, such as of a probability to be lost.
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

/// Of a strong path with `ratio` times the power of the weak ones, whose sum has a power that a
/// `share` of all frames exceeds, and a phase of `turn` turns.
fn gain(ratio: f64, share: f64, turn: f64) -> Db {
    // The power of the weak ones is exponential: Box and Muller, 1958.
    let weak = libm::sqrt(-libm::log(share) / (ratio + 1.0));
    let angle = 2.0 * std::f64::consts::PI * turn;
    let along = libm::sqrt(ratio / (ratio + 1.0)) + weak * libm::cos(angle);
    let across = weak * libm::sin(angle);
    Db(10.0 * libm::log10((along * along + across * across).max(1e-30)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Share of frames `depth` dB and more below the mean.
    fn outage(fading: Fading, depth: f64) -> f64 {
        fading.mean(|Db(gain)| f64::from(gain <= -depth))
    }

    fn close(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() <= within, "{found}, not {expected}");
    }

    #[test]
    fn rayleigh_is_ten_decibels_down_one_frame_in_ten() {
        // The power is exponential: 1 - exp(-x) of all frames have at most x.
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
        // 1 - Q(sqrt(2 K), sqrt(2 (K + 1) x)) with Marcum's Q, summed as a series by hand.
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
                // Five standard errors, and what the steps of the mean leave.
                close(found, share, 5.0 * (share * (1.0 - share) / 5e4).sqrt() + 0.002);
            }
        }
    }
}
