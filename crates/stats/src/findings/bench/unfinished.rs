//! Finding of messages that are in transit at the end of the run.

use crate::findings::delivered::listed;
use crate::findings::{Finding, Name, Value};
use crate::pair::{Outcome, Transfers};

/// Returns the finding for any message that is neither complete nor given up at the end of the run.
pub(super) fn unfinished(transfers: &Transfers) -> Option<Finding> {
    let count = transfers.count(Outcome::Censored);
    (count > 0).then(|| Finding {
        name: Name::CensoredEnd,
        evidence: vec![
            ("count", Value::Int(count as i64)),
            ("indices", listed(transfers.indices(Outcome::Censored))),
        ],
        message: format!(
            "The run ends with {count} message{} in transit. {} neither as delivered nor as lost.",
            if count == 1 { "" } else { "s" },
            if count == 1 { "It counts" } else { "They count" }
        ),
        advice:
            "Run more triggers, so that fewer of them are near the end, or use a longer period."
                .to_owned(),
    })
}
