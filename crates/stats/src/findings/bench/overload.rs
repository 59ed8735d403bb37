//! Finding of an overloaded link.

use super::{Bench, Overload};
use crate::findings::{Finding, Name, Value};
use crate::pair::{Outcome, Transfers};

/// Returns the finding if the bench detected that the link is overloaded. The finding contains the offered
/// rate, the carried rate, the number of messages that the link did not accept, and the number of unfinished
/// messages. The advice is the shortest message period without an overload. This period is the shorter of two
/// times: the latency `service_ns` of a single message, and the time per message at the carried rate, which
/// is shorter on a link that carries several messages at once.
pub(super) fn overload(
    transfers: &Transfers,
    bench: &Bench,
    service_ns: Option<i64>,
) -> Option<Finding> {
    let Overload { offered_per_s, carried_per_s } = bench.overload?;
    let unfinished = transfers.count(Outcome::Censored);
    let share = 100.0 * carried_per_s / offered_per_s;
    let carried_ns = 1e9 / carried_per_s.max(1e-9);
    let period_ns = service_ns.map_or(carried_ns, |service| carried_ns.min(service as f64));
    Some(Finding {
        name: Name::Overload,
        evidence: vec![
            ("offered_per_s", Value::Float(offered_per_s)),
            ("carried_per_s", Value::Float(carried_per_s)),
            ("not_taken", Value::Int(bench.not_taken as i64)),
            ("unfinished", Value::Int(unfinished as i64)),
        ],
        message: format!(
            "The link is overloaded: {} messages per second are offered and {} are carried \
             ({} %). Latencies cover only delivered messages.",
            rate(offered_per_s),
            rate(carried_per_s),
            rate(share),
        ),
        advice: format!(
            "Send at most one message every {}, shorten the messages, or choose a faster link.",
            crate::duration::nice(period_ns)
        ),
    })
}

/// Formats a rate with three digits.
fn rate(per_s: f64) -> String {
    let magnitude = if per_s > 0.0 { libm::log10(per_s).floor() as i32 } else { 0 };
    format!("{per_s:.*}", (2 - magnitude).clamp(0, 6) as usize)
}
