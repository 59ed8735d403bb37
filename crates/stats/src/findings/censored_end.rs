//! Finding of a window that was not observed to its end.

use super::delivered::listed;
use super::{Finding, Name, Value};
use crate::pair::{Outcome, Transfers};

/// Returns the finding for any censored transfer. There is no threshold.
#[must_use]
pub fn censored_end(transfers: &Transfers) -> Option<Finding> {
    let count = transfers.count(Outcome::Censored);
    if count == 0 {
        return None;
    }
    let only_last = count == 1 && transfers.outcome.last() == Some(&Outcome::Censored);
    let message = if only_last {
        "The capture ends inside the window of the last trigger, so the outcome of that transfer is \
             unknown. It counts neither as delivered nor as lost."
            .to_owned()
    } else {
        format!(
            "The observation was interrupted inside the windows of {count} triggers, so the outcome of those \
             transfers is unknown. They count neither as delivered nor as lost."
        )
    };
    Some(Finding {
        name: Name::CensoredEnd,
        evidence: vec![
            ("count", Value::Int(count as i64)),
            ("indices", listed(transfers.indices(Outcome::Censored))),
        ],
        message,
        advice: "End the capture at least one trigger period after the stimulus.".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::run;

    #[test]
    fn a_cut_window_is_reported_and_a_complete_run_is_not() {
        let mut cut = run(100, &[1, 2, 3]);
        assert_eq!(censored_end(&cut), None);
        cut.outcome[2] = Outcome::Censored;
        let found = censored_end(&cut).unwrap();
        assert_eq!(found.evidence[0].1, Value::Int(1));
        assert_eq!(found.evidence[1].1, Value::List(vec![2]));
        assert!(found.message.contains("last trigger"));
        cut.outcome[0] = Outcome::Censored;
        assert!(censored_end(&cut).unwrap().message.contains("2 triggers"));
    }
}
