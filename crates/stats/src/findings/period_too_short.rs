//! Triggers that come before the link is done with the message before.

use super::{Finding, Name, Value};
use crate::pair::Transfers;

/// Raised when a trigger comes no later than `service_ns` after the one before it: what one message
/// takes alone, ns. Such a trigger finds the link at work: its message waits, is refused, or its
/// strobe falls into a window that is not its own, unless completions are `matched` by identity.
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
    Some(Finding {
        name: Name::PeriodTooShort,
        evidence: vec![
            ("count", Value::Int(soon as i64)),
            ("shortest_ns", Value::Int(shortest)),
            ("service_ns", Value::Int(service_ns)),
        ],
        message: format!(
            "{soon} triggers came before the link was done with the message before: one takes \
             {:.3} ms alone, the closest triggers are {:.3} ms apart. {}",
            ms(service_ns),
            ms(shortest),
            if matched {
                "Latencies include the wait for earlier messages."
            } else {
                "The edges do not show which completion belongs to which trigger, so these latencies \
                 may be those of other messages."
            }
        ),
        advice: format!("Trigger more than {:.3} ms apart.", ms(service_ns)),
    })
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

    #[test]
    fn nothing_is_said_where_there_is_room_or_nobody_knows() {
        assert_eq!(period_too_short(&every(&[9, 50, 50]), Some(49), false), None);
        assert_eq!(period_too_short(&every(&[9, 1, 1]), None, false), None);
        assert_eq!(period_too_short(&every(&[9]), Some(100), false), None);
    }
}
