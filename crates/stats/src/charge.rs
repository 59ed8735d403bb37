//! Charge per message from a measured current.
//!
//! The charge of a message is the charge from its trigger to the next trigger, minus the charge of
//! the idle current over the same time. The idle current is measured before the first trigger, and
//! in the second half of the time between a completion and the next trigger. The first half of this
//! time is excluded because a stack may still acknowledge, listen or enter sleep after the
//! completion. The time after a trigger without a completion is excluded entirely, because
//! retransmissions may continue until the next trigger.

use airlag_trace::Current;

use crate::interval;
use crate::pair::{NONE, Outcome, Transfers};

/// Attocoulombs (nA × ns) per femtocoulomb.
const AC_PER_FC: f64 = 1e3;
/// Femtocoulombs per nanocoulomb.
const FC_PER_NC: f64 = 1e6;

/// Measured current and charge of one supply during a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Metered {
    /// Name of the supply: an end of the link.
    pub supply: String,
    /// Number of messages with a known charge.
    pub messages: usize,
    /// Charge that a message adds to the idle charge, nC. `None` without messages.
    pub marginal_nc: Option<f64>,
    /// 95 % interval of the mean marginal charge, including the error of the idle current. `None` for fewer
    /// than two messages or idle times.
    pub marginal_interval_nc: Option<(f64, f64)>,
    /// Idle current, nA.
    pub idle_na: f64,
    /// Mean current, nA.
    pub average_na: f64,
    /// Largest sample, nA.
    pub peak_na: u64,
    /// Total charge, nC.
    pub total_nc: f64,
    /// Measured time, ns.
    pub elapsed_ns: u64,
}

impl Metered {
    /// Evaluates the current of a run. Returns `None` if no idle time was measured.
    #[must_use]
    pub fn of(current: &Current, transfers: &Transfers) -> Option<Self> {
        let (total_fc, elapsed_ns) = current.total();
        let idle = Mean::of(&pieces(current, idle_times(current, transfers)))?;
        let windows = transfers.trigger_ns.windows(2).map(|pair| (pair[0], pair[1]));
        let windows = pieces(current, windows);
        let adds =
            |&(charge_ac, ns): &(f64, f64)| (charge_ac - idle.na * ns) / AC_PER_FC / FC_PER_NC;
        let marginal_nc: Vec<f64> = windows.iter().map(adds).collect();
        let count = windows.len() as f64;
        let mean_nc = marginal_nc.iter().sum::<f64>() / count;
        let mean_ns = windows.iter().map(|(_, ns)| ns).sum::<f64>() / count;
        let interval =
            interval::mean(&marginal_nc).zip(idle.reach_na).map(|((low, high), reach)| {
                // All messages share one idle current, so its error does not average out.
                let idle_nc = reach * mean_ns / AC_PER_FC / FC_PER_NC;
                let reach = libm::hypot((high - low) / 2.0, idle_nc);
                (mean_nc - reach, mean_nc + reach)
            });
        Some(Self {
            supply: current.supply.clone(),
            messages: windows.len(),
            marginal_nc: (!windows.is_empty()).then_some(mean_nc),
            marginal_interval_nc: interval,
            idle_na: idle.na,
            average_na: total_fc * AC_PER_FC / elapsed_ns as f64,
            peak_na: current.peak_na,
            total_nc: total_fc / FC_PER_NC,
            elapsed_ns,
        })
    }
}

/// Times without a message in progress.
fn idle_times(current: &Current, transfers: &Transfers) -> Vec<(i64, i64)> {
    let Transfers { trigger_ns, completion_ns, outcome, .. } = transfers;
    let begin_ns = current.stretches.first().and_then(|first| first.at_ns.first().copied());
    let first = begin_ns.zip(trigger_ns.first().copied());
    let after = trigger_ns.iter().skip(1).zip(completion_ns).zip(outcome);
    let after =
        after.filter(|((_, done), outcome)| **outcome == Outcome::Delivered && **done != NONE);
    let after = after.map(|((&next, &done), _)| (done + (next - done) / 2, next));
    first.into_iter().chain(after).filter(|(from, until)| from < until).collect()
}

/// Charge, aC, and duration, ns, of each time with a known current.
fn pieces(current: &Current, times: impl IntoIterator<Item = (i64, i64)>) -> Vec<(f64, f64)> {
    let piece = |(from, until): (i64, i64)| {
        Some((current.charge_fc(from, until)? * AC_PER_FC, (until - from) as f64))
    };
    times.into_iter().filter_map(piece).collect()
}

/// Mean current over several times.
struct Mean {
    na: f64,
    /// Half-width of the 95 % interval. `None` for a single time.
    reach_na: Option<f64>,
}

impl Mean {
    fn of(pieces: &[(f64, f64)]) -> Option<Self> {
        let (charge_ac, ns) =
            pieces.iter().fold((0.0, 0.0), |(q, t), piece| (q + piece.0, t + piece.1));
        let na = charge_ac / ns;
        // Variance of a ratio of sums, from the residuals of each time (Cochran, Sampling Techniques, 1977,
        // section 6.4).
        let count = pieces.len() as f64;
        let beyond: Vec<f64> = pieces.iter().map(|(q, t)| (q - na * t) * count / ns).collect();
        let reach_na = interval::mean(&beyond).map(|(low, high)| (high - low) / 2.0);
        (ns > 0.0).then_some(Self { na, reach_na })
    }
}

#[cfg(test)]
mod tests {
    use airlag_trace::{MemoryLimit, Meter};

    use super::*;

    /// A sender that draws 2 uA idle, and 10 mA for 3 ms per message. Every fifth message is retransmitted
    /// until its window ends, and lost. Samples in `missing` are lost.
    fn run(missing: std::ops::Range<i64>) -> (Current, Transfers) {
        let mut meter = Meter::within(MemoryLimit::of(1 << 24), "sender");
        for nth in (0..200_000_i64).filter(|nth| !missing.contains(nth)) {
            let (message, into) = ((nth - 5_000) / 2_000, (nth - 5_000) % 2_000);
            let is_lost = message % 5 == 4;
            let is_on = nth >= 5_000 && into < if is_lost { 1_900 } else { 300 };
            if nth >= 5_000 && into == 0 {
                meter.knot();
            }
            meter.sample(nth * 10_000, (nth + 1) * 10_000, if is_on { 1e7 } else { 2e3 });
        }
        let trigger_ns: Vec<i64> = (0..97).map(|nth| 50_000_000 + nth * 20_000_000).collect();
        let is_lost = |nth: usize| nth % 5 == 4;
        let completion =
            |(nth, at): (usize, &i64)| if is_lost(nth) { NONE } else { at + 2_000_000 };
        let transfers = Transfers {
            completion_ns: trigger_ns.iter().enumerate().map(completion).collect(),
            outcome: (0..97)
                .map(|nth| if is_lost(nth) { Outcome::Lost } else { Outcome::Delivered })
                .collect(),
            trigger_ns,
            ..Transfers::default()
        };
        (meter.finish(), transfers)
    }

    #[test]
    fn a_message_is_charged_with_what_it_adds_lost_ones_included() {
        let (current, transfers) = run(0..0);
        let found = Metered::of(&current, &transfers).unwrap();
        assert_eq!((found.messages, found.supply.as_str()), (96, "sender"));
        assert!((found.idle_na - 2e3).abs() < 1e-6, "{}", found.idle_na);
        // Of the 96 windows, 77 last 3 ms and 19 last 19 ms, each with a current of 10 mA minus 2
        // uA.
        let expected = 9.998e6 * (77.0 * 3e6 + 19.0 * 19e6) / 96.0 / 1e9;
        let marginal = found.marginal_nc.unwrap();
        assert!((marginal / expected - 1.0).abs() < 1e-9, "{marginal} {expected}");
        let (low, high) = found.marginal_interval_nc.unwrap();
        assert!(low < expected && expected < high && high - low < expected, "{low} {high}");
        assert_eq!((found.peak_na, found.elapsed_ns), (10_000_000, 2_000_000_000));
    }

    #[test]
    fn no_message_is_charged_across_a_gap() {
        // The gap hides 1 ms of the third message.
        let (current, transfers) = run(9_100..9_200);
        let found = Metered::of(&current, &transfers).unwrap();
        assert_eq!(found.messages, 95);
        let expected = 9.998e6 * (76.0 * 3e6 + 19.0 * 19e6) / 95.0 / 1e9;
        assert!((found.marginal_nc.unwrap() / expected - 1.0).abs() < 1e-9);
    }

    #[test]
    fn without_idle_time_there_is_no_charge() {
        let (current, transfers) = run(0..5_000);
        let lost = Transfers {
            completion_ns: vec![NONE; 97],
            outcome: vec![Outcome::Lost; 97],
            ..transfers
        };
        assert_eq!(Metered::of(&current, &lost), None);
        assert_eq!(Metered::of(&Current::default(), &Transfers::default()), None);
    }
}
