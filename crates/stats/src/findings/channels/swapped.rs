//! Finding of swapped channels: the completion has the regular period.

use super::{FEWEST, completion_rises, gaps};
use crate::findings::{Finding, Name, Value};
use crate::pair::Transfers;

/// Smallest ratio of the spread of the trigger intervals to the spread of the completion intervals
/// at which the channels count as swapped. A completion is a trigger plus a latency, so the
/// variance of the completion intervals is the variance of the trigger intervals plus twice the
/// variance of the latencies. If the completion intervals spread less than the trigger intervals,
/// the channels are swapped. By chance, the interquartile ranges of two samples of 30 intervals
/// differ by a factor of 3 in less than one of ten thousand cases (quartiles have 37 % of the
/// efficiency of a variance: Kendall and Stuart, volume 1, 14.7). If both ends of a link share a
/// crystal, the interquartile ranges never differ by this factor by chance.
const SPREADS: f64 = 3.0;

/// Relative spread below which intervals are attributed to a generator of triggers. Intervals between
/// completions spread more, because the latency of the link varies.
const STEADY: f64 = 1e-3;

/// Returns the finding if the completions are as regular as a generator and the triggers are not.
#[must_use]
pub fn swapped_channels(transfers: &Transfers) -> Option<Finding> {
    let completions = gaps(&completion_rises(transfers));
    let triggers = gaps(&transfers.trigger_ns);
    if triggers.len() < FEWEST || completions.len() < FEWEST {
        return None;
    }
    let (middle, completion_ns) = middle_and_spread(completions);
    let (_, trigger_ns) = middle_and_spread(triggers);
    // One nanosecond is used instead of the sampling step, because a generator may show no
    // variation on a sampling grid.
    let keeps_time = (completion_ns as f64) < STEADY * middle as f64;
    if !keeps_time || (trigger_ns.max(1) as f64) < SPREADS * (completion_ns.max(1) as f64) {
        return None;
    }
    Some(Finding {
        name: Name::SwappedChannels,
        evidence: vec![
            ("trigger_spread_ns", Value::Int(trigger_ns)),
            ("completion_spread_ns", Value::Int(completion_ns)),
            ("period_ns", Value::Int(middle)),
        ],
        message: format!(
            "The completion channel is as regular as a generator: its median interval is {:.4} ms, with an \
             interquartile range of {}, while the trigger interval has one of {}. The channels seem to be swapped.",
            middle as f64 / 1e6,
            near(completion_ns),
            near(trigger_ns),
        ),
        advice: "Swap the channels with --trigger and --completion, and compare. Do not use the latencies of \
                 this pair."
            .to_owned(),
    })
}

fn near(ns: i64) -> String {
    match ns {
        ..1_000 => format!("{ns} ns"),
        1_000..1_000_000 => format!("{:.1} us", ns as f64 / 1e3),
        _ => format!("{:.2} ms", ns as f64 / 1e6),
    }
}

/// Median and interquartile range.
fn middle_and_spread(mut values: Vec<i64>) -> (i64, i64) {
    let last = values.len() - 1;
    let mut at = |quarters: usize| *values.select_nth_unstable(quarters * last / 4).1;
    (at(2), at(3) - at(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{CLEAN, Noise, clean, run};
    use crate::pair::Outcome;

    /// The same channels with exchanged roles.
    fn swapped(right: &Transfers) -> Transfers {
        let completion_ns = right.trigger_ns[1..].to_vec();
        let trigger_ns = right.completion_ns[..completion_ns.len()].to_vec();
        let outcome = vec![Outcome::Delivered; trigger_ns.len()];
        Transfers { trigger_ns, completion_ns, outcome, ..right.clone() }
    }

    #[test]
    fn a_swapped_pair_is_found_whatever_the_latency_looks_like_and_a_right_one_is_not() {
        for (kind, (name, _)) in CLEAN.iter().enumerate() {
            for seed in 0..5 {
                let right = run(50_000_000, &clean(kind, 200, seed));
                assert_eq!(swapped_channels(&right), None, "{name}");
                let found = swapped_channels(&swapped(&right)).expect(name);
                assert_eq!(found.evidence[2].1, Value::Int(50_000_000));
            }
        }
    }

    #[test]
    fn triggers_at_any_moment_are_not_taken_for_completions() {
        let mut noise = Noise::seed(5);
        let mut right = run(50_000_000, &clean(1, 300, 1));
        for (trigger, completion) in right.trigger_ns.iter_mut().zip(&mut right.completion_ns) {
            let later = (20e6 * noise.uniform()) as i64;
            (*trigger, *completion) = (*trigger + later, *completion + later);
        }
        assert_eq!(swapped_channels(&right), None);
    }

    #[test]
    fn a_few_transfers_tell_nothing() {
        assert_eq!(swapped_channels(&swapped(&run(50_000_000, &clean(1, 20, 1)))), None);
        assert_eq!(swapped_channels(&Transfers::default()), None);
    }
}
