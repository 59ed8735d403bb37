//! Finding of pulses with more than one rising edge.

use super::{Finding, Name, Value};
use crate::duration::nice;
use crate::pair::Transfers;

/// Returns the finding for any rising edge that [`crate::pair::PairOptions::min_low_ns`] rejected.
#[must_use]
pub fn trigger_glitch(transfers: &Transfers) -> Option<Finding> {
    let count = transfers.glitch_ns.len();
    if count == 0 {
        return None;
    }
    let triggers = transfers.trigger_ns.len();
    let mut evidence = vec![("count", Value::Int(count as i64))];
    let lows = &transfers.glitch_low_ns;
    let mut width = String::new();
    if let (Some(&shortest), Some(&longest)) = (lows.iter().min(), lows.iter().max()) {
        evidence.push(("shortest_low_ns", Value::Int(shortest)));
        evidence.push(("longest_low_ns", Value::Int(longest)));
        width = if shortest == longest {
            format!(" of {}", nice(shortest))
        } else {
            format!(" of {} to {}", nice(shortest), nice(longest))
        };
    }
    Some(Finding {
        name: Name::TriggerGlitch,
        evidence,
        message: format!(
            "The trigger channel has {} rising edges for {triggers} triggers: {count} followed a low{width} \
             inside the pulse and were not counted. Each would have been an additional transfer with its own \
             latency.",
            triggers + count
        ),
        advice: "Clean up the edge with a Schmitt trigger or a series resistor at the source, or a shorter \
                 ground lead at the analyser. If such short lows are real triggers, reduce the minimum low \
                 time."
            .to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::run;

    #[test]
    fn rejected_rises_are_reported_with_the_width_of_their_lows() {
        let mut ringing = run(1_000_000, &[10, 11]);
        assert_eq!(trigger_glitch(&ringing), None);
        ringing.glitch_ns = vec![1_000_500, 2_000_500];
        ringing.glitch_low_ns = vec![20, 40];
        let found = trigger_glitch(&ringing).unwrap();
        assert_eq!(
            found.evidence,
            [
                ("count", Value::Int(2)),
                ("shortest_low_ns", Value::Int(20)),
                ("longest_low_ns", Value::Int(40))
            ]
        );
        assert!(found.message.contains("4 rising edges for 2 triggers"), "{}", found.message);
        ringing.glitch_low_ns.clear();
        assert!(trigger_glitch(&ringing).unwrap().message.contains("a low inside"));
    }
}
