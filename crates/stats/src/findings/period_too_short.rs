//! Finding of triggers while the link is busy with the previous message.

use super::delivered::FALSE_ALARM;
use super::{Finding, Name, Value};
use crate::interval::ln_choose;
use crate::pair::{NONE, Outcome, Transfers};

/// Smallest ratio of two durations at which the first duration counts as longer than the second. The ratio is
/// used for two comparisons. In the first comparison, a latency is compared with the latency of a single
/// message. In the second comparison, the shortest interval between two completions is compared with the
/// trigger period. If even the shortest interval is longer than the trigger period, messages are served one
/// after the other. Jitter and the frequency difference of two crystals do not make the shortest interval
/// longer, because they shorten intervals as often as they lengthen them.
const LONGER: f64 = 1.05;

/// Returns the finding if a trigger comes within `service_ns` of the previous trigger. `service_ns` is the
/// latency of a single message, ns. At such a trigger, the link is still busy with the previous message. The
/// new message therefore waits or is rejected. Unless completions are `matched` to triggers by message
/// identity, the strobe of the new message may also fall into the window of another trigger.
#[must_use]
pub fn period_too_short(
    transfers: &Transfers,
    service_ns: Option<i64>,
    matched: bool,
) -> Option<Finding> {
    let service_ns = service_ns?;
    let gaps = || transfers.trigger_ns.windows(2).map(|pair| pair[1] - pair[0]);
    let soon = gaps().filter(|&gap| gap <= service_ns).count();
    if soon == 0 {
        return None;
    }
    let shortest = gaps().min()?;
    let ms = |ns: i64| ns as f64 / 1e6;
    let meaning = match (matched, has_waited(transfers, service_ns)) {
        (true, true) => " Latencies include the wait for earlier messages.",
        (true, false) => "",
        (false, _) => {
            " The edges do not show which completion belongs to which trigger, so these latencies may belong to \
             other messages."
        }
    };
    Some(Finding {
        name: Name::PeriodTooShort,
        evidence: vec![
            ("count", Value::Int(soon as i64)),
            ("shortest_ns", Value::Int(shortest)),
            ("service_ns", Value::Int(service_ns)),
        ],
        message: format!(
            "{soon} messages were triggered before the previous one was complete: a single message takes {:.3} ms, \
             but the shortest interval between triggers is {:.3} ms.{meaning}",
            ms(service_ns),
            ms(shortest),
        ),
        advice: format!("Trigger more than {:.3} ms apart.", ms(service_ns)),
    })
}

/// Whether a delivered message was triggered before an earlier message was complete, and took longer than a
/// single message takes. The first condition shows that the board has a queue: a board without a queue
/// delivers no message that was triggered while the board was busy. The second condition alone does not show
/// that a message waited, because a retransmission also makes a message take longer.
fn has_waited(transfers: &Transfers, service_ns: i64) -> bool {
    let mut complete_ns = i64::MIN;
    let delivered = transfers.trigger_ns.iter().zip(&transfers.completion_ns);
    delivered.filter(|&(_, &done)| done != NONE).any(|(&trigger, &done)| {
        let meanwhile = trigger < complete_ns;
        complete_ns = complete_ns.max(done);
        meanwhile && (done - trigger) as f64 > LONGER * service_ns as f64
    })
}

/// Like [`period_too_short`], for a capture in which the latency of a single message is unknown. The finding
/// is reported if transfers are lost and no interval between two completions is as short as a trigger period.
/// This pattern appears if the link takes longer than a trigger period for a message. The pattern is the same
/// for a sender that skips triggers and for a sender that queues them. In both cases, a completion belongs to
/// an earlier trigger than the last trigger before the completion.
#[must_use]
pub fn may_be_too_short(transfers: &Transfers) -> Option<Finding> {
    let period_ns = transfers.trigger_period_ns()?;
    let known = transfers.outcome.iter().zip(&transfers.completion_ns);
    let known: Vec<i64> =
        known.filter(|(fate, _)| **fate != Outcome::Censored).map(|(_, done)| *done).collect();
    let done: Vec<(usize, i64)> =
        known.iter().copied().enumerate().filter(|&(_, done)| done != NONE).collect();
    let lost = known.len() - done.len();
    let gaps = || done.windows(2).map(|pair| (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1));
    let shortest = gaps().map(|(_, ns)| ns).min()?;
    if lost == 0 || (shortest as f64) < LONGER * period_ns as f64 {
        return None;
    }
    let apart = gaps().map(|(triggers, _)| triggers).min()?;
    let p = if apart > 1 {
        spread_by_chance(done.len(), known.len(), apart)
    } else {
        // Without a queue, an interval is longer than a period as often as it is shorter.
        let next = gaps().filter(|&(triggers, _)| triggers == 1).count();
        libm::pow(0.5f64, next as f64)
    };
    if p >= FALSE_ALARM {
        return None;
    }
    let ms = |ns: i64| ns as f64 / 1e6;
    Some(Finding {
        name: Name::PeriodTooShort,
        evidence: vec![
            ("count", Value::Int(lost as i64)),
            ("shortest_ns", Value::Int(period_ns)),
            ("service_ns", Value::Int(shortest)),
            ("p", Value::Float(p)),
        ],
        message: format!(
            "{lost} triggers have no completion, and no two completions are closer than {:.3} ms, although \
             the trigger period is {:.3} ms: the link may be overloaded. The edges do not show which \
             completion belongs to which trigger, so these latencies may belong to earlier messages.",
            ms(shortest),
            ms(period_ns)
        ),
        advice: format!(
            "Trigger more than {:.3} ms apart, or specify the link and the payload (--link, --size), \
             so that the lower bound of the latency is known.",
            ms(shortest)
        ),
    })
}

/// Probability that `count` random ones of `n` positions are all at least `apart` from each other.
fn spread_by_chance(count: usize, n: usize, apart: usize) -> f64 {
    let taken = count.saturating_sub(1) * (apart - 1);
    if count == 0 || n < taken + count {
        return 1.0;
    }
    let ways = |n: usize| ln_choose(n as f64, count as f64);
    libm::exp(ways(n - taken) - ways(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every(gaps_ns: &[i64]) -> Transfers {
        let times = gaps_ns.iter().scan(0, |at, gap| {
            *at += gap;
            Some(*at)
        });
        Transfers { trigger_ns: times.collect(), ..Transfers::default() }
    }

    #[test]
    fn a_trigger_within_the_time_of_the_message_before_is_counted() {
        let found =
            period_too_short(&every(&[9, 50, 40, 41, 60]), Some(41), false).expect("two of them");
        assert_eq!(found.evidence[0], ("count", Value::Int(2)));
        assert_eq!(found.evidence[1], ("shortest_ns", Value::Int(40)));
    }

    /// Triggers every millisecond, and completions at these instants, us. Each belongs to the last trigger
    /// before it.
    fn completing(triggers: usize, at_us: impl IntoIterator<Item = i64>) -> Transfers {
        let trigger_ns: Vec<i64> = (0..triggers as i64).map(|nth| nth * 1_000_000).collect();
        let mut completion_ns = vec![NONE; triggers];
        for us in at_us {
            if let Some(slot) = completion_ns.get_mut((us / 1000) as usize) {
                *slot = us * 1000;
            }
        }
        let fate = |&done: &i64| if done == NONE { Outcome::Lost } else { Outcome::Delivered };
        let outcome = completion_ns.iter().map(fate).collect();
        Transfers { trigger_ns, completion_ns, outcome, ..Transfers::default() }
    }

    fn service_ns(transfers: &Transfers) -> Option<Value> {
        let found = may_be_too_short(transfers)?;
        found.evidence.into_iter().find(|(name, _)| *name == "service_ns").map(|(_, value)| value)
    }

    #[test]
    fn a_sender_that_misses_triggers_while_it_sends_is_seen_without_knowing_the_link() {
        // Each message takes 5.4 ms, and the next trigger starts the next message.
        let busy = completing(200, (0..33).map(|nth| 6_000 * nth + 5_400));
        assert_eq!(service_ns(&busy), Some(Value::Int(6_000_000)));
    }

    #[test]
    fn a_queue_that_drains_slower_than_it_fills_is_seen_without_knowing_the_link() {
        let queued = completing(200, (0..160).map(|nth| 1_250 * nth + 1_300));
        assert_eq!(service_ns(&queued), Some(Value::Int(1_250_000)));
    }

    #[test]
    fn losses_that_come_one_by_one_are_no_overload() {
        for every in [2, 7, 50] {
            // A drift of 20 us per second, and up to half of the frames lost at random.
            let lossy = (0..1_000_i64).filter(|nth| (nth * 7_919) % 101 % every != 0);
            let found =
                service_ns(&completing(1_000, lossy.map(|nth| 1_000 * nth + 300 + nth / 50)));
            assert_eq!(found, None, "{every}");
        }
        assert_eq!(service_ns(&completing(100, (0..100).map(|nth| 1_000 * nth + 300))), None);
        // Four losses in a hundred that happen to be apart prove nothing.
        assert_eq!(service_ns(&completing(100, [10_300, 30_300, 60_300, 85_300])), None);
    }

    #[test]
    fn how_likely_places_are_apart_is_counted() {
        // Of the 10 pairs of 5 positions, 6 are not neighbours.
        assert!((spread_by_chance(2, 5, 2) - 0.6).abs() < 1e-9);
        assert_eq!(spread_by_chance(1, 5, 3), 1.0);
    }

    #[test]
    fn no_finding_with_enough_room_or_an_unknown_end() {
        assert_eq!(period_too_short(&every(&[9, 50, 50]), Some(49), false), None);
        assert_eq!(period_too_short(&every(&[9, 1, 1]), None, false), None);
        assert_eq!(period_too_short(&every(&[9]), Some(100), false), None);
    }
}
