//! Frame loss on one path, and the interface for loss models.
//!
//! A model decides once for every frame that arrives at a receiver, and draws only from the stream
//! of that path. An additional node or path therefore does not change the other draws.

use airlag_sim::Stream;

use crate::frame::Frame;

/// Decides which frames a path loses.
pub trait Loss {
    /// Returns true if the receiver does not get `frame`.
    fn loses(&mut self, frame: &Frame, stream: &mut Stream) -> bool;

    /// Makes the draws of a frame whose outcome has no effect, so that later frames have the same
    /// draws as after [`Loss::loses`].
    fn skip(&mut self, stream: &mut Stream);
}

/// Loses each frame independently with the same probability.
#[derive(Clone, Copy, Debug)]
pub struct Independent {
    /// Probability that a frame is lost.
    pub probability: f64,
}

impl Loss for Independent {
    fn loses(&mut self, _: &Frame, stream: &mut Stream) -> bool {
        stream.chance(self.probability)
    }

    fn skip(&mut self, stream: &mut Stream) {
        stream.bits();
    }
}

/// Loses frames hit by a burst of interference. Bursts are random and much shorter than a frame, so
/// the loss probability grows with airtime.
#[derive(Clone, Copy, Debug)]
pub struct Disturbed {
    /// Mean number of bursts per second.
    pub per_second: f64,
}

impl Disturbed {
    /// Probability that a frame of `seconds` is hit: 1 - exp(-rate time).
    ///
    /// The exponential is computed as (1 - x/2^20)^(2^20) by squaring. Products of doubles are the
    /// same on every machine, which a library's `exp` does not guarantee.
    #[must_use]
    pub fn probability(&self, seconds: f64) -> f64 {
        let expected = (self.per_second * seconds).clamp(0.0, 1_000.0);
        let missed = (0..20).fold(1.0 - expected / f64::from(1 << 20), |p, _| p * p);
        1.0 - missed
    }
}

impl Loss for Disturbed {
    fn loses(&mut self, frame: &Frame, stream: &mut Stream) -> bool {
        let seconds = frame.end.since(frame.begin).as_ns() as f64 / 1e9;
        stream.chance(self.probability(seconds))
    }

    fn skip(&mut self, stream: &mut Stream) {
        stream.bits();
    }
}

/// Two models in sequence: either may lose the frame, and both draw for every frame.
impl<A: Loss, B: Loss> Loss for (A, B) {
    fn loses(&mut self, frame: &Frame, stream: &mut Stream) -> bool {
        let first = self.0.loses(frame, stream);
        self.1.loses(frame, stream) || first
    }

    fn skip(&mut self, stream: &mut Stream) {
        self.0.skip(stream);
        self.1.skip(stream);
    }
}

/// Gilbert-Elliott model: a good and a bad state that last for several frames (Gilbert, 1960;
/// Elliott, 1963).
#[derive(Clone, Copy, Debug)]
pub struct Burst {
    /// Probability per frame of a transition to the bad state.
    pub turns_bad: f64,
    /// Probability per frame of a transition to the good state.
    pub turns_good: f64,
    /// Probability that a frame is lost in the good state.
    pub lost_in_good: f64,
    /// Probability that a frame is lost in the bad state.
    pub lost_in_bad: f64,
    /// Current state.
    pub bad: bool,
}

impl Burst {
    /// Creates a model that loses all frames in the bad state and none in the good one, with mean
    /// loss `share` and bad periods of `mean_length` frames on average.
    #[must_use]
    pub fn gilbert(share: f64, mean_length: f64) -> Self {
        let turns_good = 1.0 / mean_length.max(1.0);
        let share = share.clamp(0.0, 0.999);
        let turns_bad = (turns_good * share / (1.0 - share)).min(1.0);
        Self { turns_bad, turns_good, lost_in_good: 0.0, lost_in_bad: 1.0, bad: false }
    }
}

impl Loss for Burst {
    fn loses(&mut self, _: &Frame, stream: &mut Stream) -> bool {
        let turn = if self.bad { self.turns_good } else { self.turns_bad };
        self.bad ^= stream.chance(turn);
        stream.chance(if self.bad { self.lost_in_bad } else { self.lost_in_good })
    }

    fn skip(&mut self, stream: &mut Stream) {
        let turn = if self.bad { self.turns_good } else { self.turns_bad };
        self.bad ^= stream.chance(turn);
        stream.bits();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::medium::tests::any_frame;

    #[test]
    fn interference_costs_frames_in_proportion_to_their_time() {
        let air = Disturbed { per_second: 0.05 };
        for seconds in [0.0, 0.02, 0.2, 10.0] {
            let expected = -f64::exp_m1(-0.05 * seconds);
            assert!((air.probability(seconds) - expected).abs() < 1e-6, "{seconds} s");
        }
    }

    #[test]
    fn two_causes_lose_what_either_loses() {
        let (mut both, mut stream) = (
            (Independent { probability: 0.1 }, Independent { probability: 0.2 }),
            Stream::new(1, "both"),
        );
        let frame = any_frame();
        let lost = (0..100_000).filter(|_| both.loses(&frame, &mut stream)).count();
        // 1 - 0.9 * 0.8, within five standard deviations.
        assert!(lost.abs_diff(28_000) < 710, "{lost}");
    }

    #[test]
    fn a_skipped_frame_draws_as_much_as_a_lost_one() {
        let models: [fn() -> Box<dyn Loss>; 4] = [
            || Box::new(Independent { probability: 0.1 }),
            || Box::new(Disturbed { per_second: 0.05 }),
            || Box::new(Burst::gilbert(0.1, 5.0)),
            || Box::new((Burst::gilbert(0.2, 3.0), Independent { probability: 0.1 })),
        ];
        let frame = any_frame();
        for model in models {
            let (mut whole, mut partial) = (model(), model());
            let mut streams = [Stream::new(1, "path"), Stream::new(1, "path")];
            for nth in 0..2_000 {
                let lost = whole.loses(&frame, &mut streams[0]);
                if nth % 7 < 5 {
                    partial.skip(&mut streams[1]);
                } else {
                    assert_eq!(partial.loses(&frame, &mut streams[1]), lost, "frame {nth}");
                }
            }
        }
    }

    #[test]
    fn bursts_have_the_share_and_the_length_asked_for() {
        let (mut burst, mut stream) = (Burst::gilbert(0.1, 5.0), Stream::new(1, "burst"));
        let frame = any_frame();
        let lost: Vec<bool> = (0..200_000).map(|_| burst.loses(&frame, &mut stream)).collect();
        let share = lost.iter().filter(|&&l| l).count() as f64 / lost.len() as f64;
        let bursts = lost.windows(2).filter(|pair| !pair[0] && pair[1]).count();
        let length = share * lost.len() as f64 / bursts as f64;
        assert!((share - 0.1).abs() < 0.01, "{share}");
        assert!((length - 5.0).abs() < 0.25, "{length}");
    }
}
