//! Finding of completions without a trigger.

use super::{Finding, Name, Value};
use crate::pair::Transfers;

/// Returns the finding for any spurious completion. There is no threshold.
#[must_use]
pub fn stray_completion(transfers: &Transfers) -> Option<Finding> {
    let count = transfers.spurious_ns.len();
    if count == 0 {
        return None;
    }
    let first_ns = transfers.trigger_ns.first().copied().unwrap_or(i64::MAX);
    let before_first = transfers.spurious_ns.iter().filter(|&&at| at <= first_ns).count();
    let after_complete = count - before_first;
    let mut parts = Vec::new();
    if before_first > 0 {
        parts.push(format!("{before_first} before the first trigger"));
    }
    if after_complete > 0 {
        parts.push(format!("{after_complete} after the transfer was complete"));
    }
    let advice = if after_complete > 0 {
        "Look for duplicates (a retry after a lost acknowledgement), several strobes per message, \
         or noise on the completion channel."
    } else {
        "It belongs to a transfer triggered before the capture began. Start the capture first."
    };
    Some(Finding {
        name: Name::StrayCompletion,
        evidence: vec![
            ("count", Value::Int(count as i64)),
            ("before_first", Value::Int(before_first as i64)),
            ("after_complete", Value::Int(after_complete as i64)),
        ],
        message: format!("Completions without a transfer: {}.", parts.join(", ")),
        advice: advice.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::run;

    #[test]
    fn strays_are_told_apart_by_where_they_lie() {
        let mut stray = run(1_000_000, &[10, 11]);
        assert_eq!(stray_completion(&stray), None);
        stray.spurious_ns = vec![5];
        assert!(stray_completion(&stray).unwrap().advice.contains("Start the capture first"));
        stray.spurious_ns.push(1_500_000);
        let found = stray_completion(&stray).unwrap();
        let counts: Vec<_> = found.evidence.iter().map(|(_, value)| value.clone()).collect();
        assert_eq!(counts, [Value::Int(2), Value::Int(1), Value::Int(1)]);
    }
}
