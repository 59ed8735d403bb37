//! Transfers of a virtual run by message identity: each completion belongs to the message that caused it,
//! regardless of other triggers in between.

use airlag_rig::messages::{Matched, Message, MessageOutcome};
use airlag_rig::run::Run;
use airlag_stats::{NONE, Outcome, Transfers};

/// Returns the transfers of the first direction of a run.
#[must_use]
pub fn transfers(run: &Run) -> Transfers {
    way(run, 0)
}

/// Returns the transfers of the `nth` direction of a run.
#[must_use]
pub fn way(run: &Run, nth: usize) -> Transfers {
    let none = Matched::default();
    let matched = run.matched.get(nth).unwrap_or(&none);
    of(matched, &run.places_ns, run.trace.end_ns())
}

/// Transfers of one direction of a run that ended at `end_ns`, with locations that start at `places_ns`.
///
/// A message that is neither complete nor given up by the link counts as lost in three cases: the
/// simulated location changed after the message was triggered, a later message completed, or the
/// message is at least as old as one trigger period and as the longest latency of the run. In all
/// other cases, the outcome of the message is censored.
fn of(matched: &Matched, places_ns: &[i64], end_ns: i64) -> Transfers {
    let Matched { messages, repeated_ns } = matched;
    let latency = |one: &Message| match one.outcome {
        MessageOutcome::Completed(at_ns) => Some(at_ns - one.trigger_ns),
        _ => None,
    };
    let mut transfers = Transfers {
        trigger_ns: messages.iter().map(|one| one.trigger_ns).collect(),
        completion_ns: Vec::with_capacity(messages.len()),
        outcome: Vec::with_capacity(messages.len()),
        spurious_ns: repeated_ns.clone(),
        end_ns,
        places_ns: places_ns.to_vec(),
        ..Transfers::default()
    };
    let period_ns = transfers.trigger_period_ns();
    let longest_ns = messages.iter().filter_map(latency).max().unwrap_or(0);
    let last_place_ns = places_ns.last().copied().unwrap_or(i64::MIN);
    let last_complete = messages.iter().rposition(|one| latency(one).is_some());
    for (nth, one) in messages.iter().enumerate() {
        let next_ns = messages.get(nth + 1).map_or(i64::MAX, |next| next.trigger_ns);
        let (completion_ns, outcome) = match one.outcome {
            MessageOutcome::Completed(at_ns) if at_ns <= next_ns => (at_ns, Outcome::Delivered),
            MessageOutcome::Completed(at_ns) => (at_ns, Outcome::Late),
            MessageOutcome::NotTaken | MessageOutcome::GivenUp => (NONE, Outcome::Lost),
            MessageOutcome::Open => {
                let passed = one.trigger_ns < last_place_ns || last_complete > Some(nth);
                let age_ns = end_ns - one.trigger_ns;
                let old = period_ns.is_some_and(|period_ns| age_ns >= period_ns.max(longest_ns));
                (NONE, if passed || old { Outcome::Lost } else { Outcome::Censored })
            }
        };
        transfers.completion_ns.push(completion_ns);
        transfers.outcome.push(outcome);
    }
    transfers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched(outcomes: &[(i64, MessageOutcome)]) -> Matched {
        let message =
            |&(trigger_ns, outcome): &(i64, MessageOutcome)| Message { trigger_ns, outcome };
        Matched { messages: outcomes.iter().map(message).collect(), repeated_ns: vec![] }
    }

    #[test]
    fn a_message_keeps_its_own_latency_behind_others() {
        let run = matched(&[
            (0, MessageOutcome::Completed(50)),
            (10, MessageOutcome::NotTaken),
            (20, MessageOutcome::GivenUp),
            (60, MessageOutcome::Completed(65)),
            (70, MessageOutcome::Open),
        ]);
        let found = of(&run, &[], 80);
        let expected =
            [Outcome::Late, Outcome::Lost, Outcome::Lost, Outcome::Delivered, Outcome::Censored];
        assert_eq!((found.outcome.as_slice(), found.latencies_ns()), (&expected[..], vec![50, 5]));
    }

    #[test]
    fn what_is_passed_too_old_or_left_behind_is_lost() {
        let passed = matched(&[
            (0, MessageOutcome::Open),
            (10, MessageOutcome::Completed(12)),
            (20, MessageOutcome::Open),
        ]);
        assert_eq!(of(&passed, &[], 25).outcome[0], Outcome::Lost);
        assert_eq!(of(&passed, &[], 29).outcome[2], Outcome::Censored);
        assert_eq!(of(&passed, &[], 30).outcome[2], Outcome::Lost, "a whole period has passed");
        let left = matched(&[
            (0, MessageOutcome::Completed(2)),
            (10, MessageOutcome::Open),
            (20, MessageOutcome::Completed(22)),
        ]);
        assert_eq!(of(&left, &[0, 15], 30).outcome[1], Outcome::Lost);
    }
}
