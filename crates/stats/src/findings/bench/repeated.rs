//! Finding of duplicate messages.

use crate::findings::{Finding, Name, Value};
use crate::pair::Transfers;

/// Returns the finding for any completion of a message that was already complete.
pub(super) fn repeated(transfers: &Transfers) -> Option<Finding> {
    let count = transfers.spurious_ns.len();
    (count > 0).then(|| Finding {
        name: Name::StrayCompletion,
        evidence: vec![
            ("count", Value::Int(count as i64)),
            ("before_first", Value::Int(0)),
            ("after_complete", Value::Int(count as i64)),
        ],
        message: format!(
            "{count} completion{} of messages that were already complete: the link delivered them \
             more than once.",
            if count == 1 { "" } else { "s" }
        ),
        advice: "Number the messages, and drop duplicates at the receiver. A frame whose acknowledgement \
                 is lost is sent again."
            .to_owned(),
    })
}
