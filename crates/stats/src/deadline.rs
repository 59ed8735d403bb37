//! Checks whether a required share of all messages meets a deadline.
//!
//! A lost message misses the deadline like a late message. The quantiles of this module cover *all* transfers
//! with a known outcome; lost transfers count as the slowest. Without losses, these quantiles equal the
//! quantiles of [`crate::dist::Summary`].
//!
//! The verdicts on latency and losses have 95 % confidence and assume no distribution. The confidence
//! interval of a latency quantile follows from order statistics. The confidence interval of the loss ratio is
//! Wilson's. If the required limit is within the confidence interval, the verdict is [`Verdict::Close`].

use crate::dist::{Among, Delivery, among};
use crate::interval::{quantile_ranks, wilson};
use crate::pair::Transfers;
use crate::places::{ANY, LocationRequirement, Places};

/// Requirement on a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Requirement {
    /// Deadline from trigger to completion, ns.
    pub deadline_ns: i64,
    /// Share of all messages that must meet the deadline, such as 0.99.
    pub share: f64,
    /// Largest loss ratio over all messages.
    pub max_loss: f64,
}

/// Verdict on a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The requirement is met.
    Passes,
    /// Undecided: the limit lies within the confidence interval.
    Close,
    /// The requirement is not met.
    Fails,
}

/// Result of checking a run against a requirement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// Transfers with a known outcome.
    pub n: usize,
    /// Transfers completed within the deadline.
    pub in_time: usize,
    /// The 95 % confidence interval of the share completed in time (Wilson, or for several
    /// locations the interval of [`Places`]).
    pub in_time_interval: (f64, f64),
    /// Lost transfers.
    pub lost: usize,
    /// The 95 % confidence interval of the loss ratio (Wilson).
    pub loss_interval: (f64, f64),
    /// Median of all transfers.
    pub p50: Among,
    /// Latency at the required share.
    pub quantile: Among,
    /// Verdict on the latency.
    pub latency: Verdict,
    /// Verdict on the losses.
    pub loss: Verdict,
}

impl Judgement {
    /// Checks a run against a requirement. Returns `None` if no outcome is known.
    #[must_use]
    pub fn of(transfers: &Transfers, asked: Requirement) -> Option<Self> {
        let Delivery { delivered, lost, low, high, .. } = Delivery::of(transfers)?;
        let n = delivered + lost;
        let latencies = transfers.latencies_ns();
        let in_time = latencies.iter().filter(|&&ns| ns <= asked.deadline_ns).count();
        let loss_interval = (1.0 - high, 1.0 - low);
        // The value with rank r (from 0) meets the deadline if more than r values meet it.
        let (low, high) = quantile_ranks(n, asked.share);
        let places = Places::of(
            transfers,
            LocationRequirement { deadline_ns: Some(asked.deadline_ns), ..ANY },
        );
        let latency = if high.is_some_and(|rank| rank < in_time) {
            Verdict::Passes
        } else if low.is_some_and(|rank| rank >= in_time) {
            Verdict::Fails
        } else {
            Verdict::Close
        };
        let loss = if loss_interval.1 <= asked.max_loss {
            Verdict::Passes
        } else if loss_interval.0 > asked.max_loss {
            Verdict::Fails
        } else {
            Verdict::Close
        };
        Some(Self {
            n,
            in_time,
            in_time_interval: places.map_or(wilson(in_time, n)?, |share| share.mean_interval),
            lost,
            loss_interval,
            p50: among(&latencies, n, 0.5),
            quantile: among(&latencies, n, asked.share),
            latency,
            loss,
        })
    }

    /// Verdict on latency and losses: passes if both pass, and fails if one fails.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.latency.max(self.loss)
    }
}

/// Number of transfers that is sufficient to check a requirement: ten transfers are expected beyond the
/// required quantile, and ten losses at the permitted loss ratio.
#[must_use]
pub fn transfers_for(asked: Requirement) -> usize {
    let rarest = (1.0 - asked.share).min(asked.max_loss);
    // A share such as 0.999 is not exact, so the result is rounded down within a tolerance.
    (10.0 / rarest - 1e-6).ceil() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{NONE, Outcome};

    const ASKED: Requirement = Requirement { deadline_ns: 10_000, share: 0.99, max_loss: 0.01 };

    /// A run with these latencies, ns. `None` is a lost transfer.
    fn transfers(latencies: impl Iterator<Item = Option<i64>>) -> Transfers {
        let mut made = Transfers::default();
        for (nth, latency) in latencies.enumerate() {
            let trigger = nth as i64 * 1_000_000;
            made.trigger_ns.push(trigger);
            made.completion_ns.push(latency.map_or(NONE, |ns| trigger + ns));
            made.outcome.push(latency.map_or(Outcome::Lost, |_| Outcome::Delivered));
        }
        made
    }

    /// `n` transfers, of which the first `late` take twice the deadline and the next `lost` are lost.
    fn judged(n: usize, late: usize, lost: usize) -> Judgement {
        let latency = |nth: usize| match nth {
            nth if nth < late => Some(20_000),
            nth if nth < late + lost => None,
            nth => Some(1_000 + nth as i64 % 7),
        };
        Judgement::of(&transfers((0..n).map(latency)), ASKED).expect("fates")
    }

    #[test]
    fn a_percentile_is_claimed_only_when_its_interval_is_on_one_side() {
        // The condition for a bound is 0.99^n <= 0.025: the largest of 367 values gives no bound,
        // that of 368 values does.
        assert_eq!(judged(367, 0, 0).latency, Verdict::Close);
        assert_eq!(judged(368, 0, 0).latency, Verdict::Passes);
        assert_eq!(judged(368, 1, 0).latency, Verdict::Close);
        // Binomial distribution with 1000 trials of 0.01: P(at most 3) = 0.0101, P(at most 4) =
        // 0.0287; P(at least 18) = 0.0140, P(at least 17) = 0.0264.
        let verdicts = [3, 4, 17, 18].map(|late| judged(1_000, late, 0).latency);
        assert_eq!(verdicts, [Verdict::Passes, Verdict::Close, Verdict::Close, Verdict::Fails]);
    }

    #[test]
    fn a_lost_message_misses_the_deadline_as_a_late_one_does() {
        for missed in [0, 3, 4, 10, 17, 18, 500, 1_000] {
            let (late, lost) = (judged(1_000, missed, 0), judged(1_000, 0, missed));
            assert_eq!(late.latency, lost.latency);
            assert_eq!((late.in_time, late.lost), (1_000 - missed, 0));
            assert_eq!((lost.in_time, lost.lost), (1_000 - missed, missed));
        }
        let half = judged(1_000, 0, 500);
        assert_eq!((half.quantile.value_ns, half.verdict()), (None, Verdict::Fails));
        assert_eq!(judged(10, 0, 10).p50, Among::default());
    }

    #[test]
    fn losses_are_judged_by_themselves_too() {
        let asked = Requirement { share: 0.5, ..ASKED };
        let run = |lost: usize| {
            let latency = |nth: usize| (nth >= lost).then_some(1_000);
            Judgement::of(&transfers((0..1_000).map(latency)), asked).expect("fates")
        };
        // Wilson intervals: 0 of 1000 is at most 0.38 %, 10 of 1000 is within 0.54 % and 1.8 %, 20
        // of 1000 is above 1.3 %.
        let found = [0, 10, 20].map(|lost| (run(lost).latency, run(lost).verdict()));
        assert_eq!(found[0], (Verdict::Passes, Verdict::Passes));
        assert_eq!(found[1], (Verdict::Passes, Verdict::Close));
        assert_eq!(found[2], (Verdict::Passes, Verdict::Fails));
    }

    #[test]
    fn a_right_claim_is_made_at_least_as_often_as_promised() {
        // The 99 % quantile of this link equals the deadline. Both passing and failing would be
        // wrong, and each occurs in at most 2.5 % of the runs.
        let mut state = 7_u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut counts = [0_u32; 3];
        for _ in 0..4_000 {
            let missed = (0..1_000).filter(|_| draw() > 0.99).count();
            counts[judged(1_000, missed, 0).latency as usize] += 1;
        }
        assert!(counts[0] <= 100 && counts[2] <= 100, "{counts:?}");
        assert!(counts[0] + counts[2] > 20, "{counts:?}");
    }

    #[test]
    fn rarer_events_need_more_transfers() {
        assert_eq!(transfers_for(ASKED), 1_000);
        assert_eq!(transfers_for(Requirement { share: 0.999, ..ASKED }), 10_000);
        assert_eq!(transfers_for(Requirement { max_loss: 0.001, ..ASKED }), 10_000);
    }
}
