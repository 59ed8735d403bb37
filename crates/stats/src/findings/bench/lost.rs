//! Finding of lost messages, with the causes that the bench recorded.

use super::Bench;
use crate::duration::nice;
use crate::findings::lost_transfers::{Losses, percent};
use crate::findings::{Finding, Name, Value};
use crate::pair::{Outcome, Transfers};

/// Returns the finding for any lost message. Each lost message has one cause: the sending board was busy and
/// did not accept it, the link gave it up after its last retry, or it was lost in transit.
pub(super) fn lost(
    transfers: &Transfers,
    bench: &Bench,
    service_ns: Option<i64>,
) -> Option<Finding> {
    let losses = Losses::of(transfers)?;
    let on_the_way = losses.lost.saturating_sub(bench.not_taken + bench.given_up);
    let mut message = format!(
        "{} of {} messages were lost: {}, {}.",
        losses.lost,
        losses.decided,
        percent(losses.ratio),
        losses.interval()
    );
    let counted = [
        ("sending board busy with an earlier message", bench.not_taken),
        ("given up by the link", bench.given_up),
        ("lost in transit", on_the_way),
    ];
    let counted = counted.iter().filter(|(_, count)| *count > 0);
    let causes: Vec<String> = counted.map(|(cause, count)| format!("{cause} {count}")).collect();
    message.push_str(&format!(" Causes: {}.", causes.join(", ")));
    if let Some(range) = bench.range {
        message.push_str(&margin(range.metres, range.fade_margin_db));
    }
    if !bench.events.is_empty() {
        let events: Vec<String> =
            bench.events.iter().map(|(name, count)| format!("{name} {count}")).collect();
        message.push_str(&format!(" Events: {}.", events.join(", ")));
    }
    let mut evidence = losses.evidence(transfers);
    evidence.extend([
        ("not_taken", Value::Int(bench.not_taken as i64)),
        ("given_up", Value::Int(bench.given_up as i64)),
        ("on_the_way", Value::Int(on_the_way as i64)),
    ]);
    if let Some(margin_db) = bench.range.and_then(|range| range.fade_margin_db) {
        evidence.push(("fade_margin_db", Value::Float(margin_db)));
    }
    let advice = advice(transfers, bench, on_the_way + bench.given_up, service_ns);
    Some(Finding { name: Name::LostTransfers, evidence, message, advice })
}

/// Distance and fade margin of radios at a distance.
fn margin(metres: f64, fade_margin_db: Option<f64>) -> String {
    let Some(db) = fade_margin_db else {
        return format!(" The radios are {metres} m apart, and no frame was sent.");
    };
    let side = if db < 0.0 { "below" } else { "above" };
    format!(
        " Fade margin: at {metres} m the mean signal is {:.1} dB {side} the level with a frame loss \
         of 1 %.",
        db.abs()
    )
}

/// Remedy for the cause of most losses. `service_ns` is the longest latency of a few messages that were sent
/// one at a time. Messages of a run with retransmissions can take longer.
fn advice(
    transfers: &Transfers,
    bench: &Bench,
    on_the_air: usize,
    service_ns: Option<i64>,
) -> String {
    if bench.overload.is_some() {
        return match service_ns {
            Some(ns) => format!(
                "Trigger more than {} apart, the longest latency of a few messages sent one at a time, \
                 because the link is overloaded.",
                nice(ns as f64)
            ),
            None => "Trigger less often, because the link is overloaded.".to_owned(),
        };
    }
    if bench.not_taken > on_the_air {
        let seen_ns = occupied_ns(transfers, on_the_air == 0);
        return match service_ns.max(seen_ns) {
            Some(ns) => format!(
                "Trigger more than {} apart, because the board takes one message at a time, and a message \
                 can take that long.",
                nice(ns as f64)
            ),
            None => "Trigger less often, because the board takes one message at a time.".to_owned(),
        };
    }
    if bench.range.is_some() {
        return "Raise the fade margin with more transmit power, a lower rate, a shorter distance, or a \
                better antenna. Retries help only with a positive margin."
            .to_owned();
    }
    "Report the delivery ratio together with the latency. The losses come from the loss parameters, \
     neighbours and queues of this bench; check its settings and events."
        .to_owned()
}

/// Longest time for which a message of this run kept the board busy, ns. This is the longest latency or, if
/// longer, the longest time after an accepted trigger at which the board still refused a message. The second
/// time is known only if the board refused every lost message (`all_refused`).
fn occupied_ns(transfers: &Transfers, all_refused: bool) -> Option<i64> {
    let longest_ns = transfers.latencies_ns().into_iter().max();
    if !all_refused {
        return longest_ns;
    }
    let mut taken_ns = None;
    let mut refused_ns = None;
    for (&trigger_ns, outcome) in transfers.trigger_ns.iter().zip(&transfers.outcome) {
        if *outcome == Outcome::Lost {
            refused_ns = refused_ns.max(taken_ns.map(|taken_ns| trigger_ns - taken_ns));
        } else {
            taken_ns = Some(trigger_ns);
        }
    }
    longest_ns.max(refused_ns)
}
