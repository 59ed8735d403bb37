//! Finding of lost messages, with the causes that the bench recorded.

use super::Bench;
use crate::duration::nice;
use crate::findings::lost_transfers::{Losses, percent};
use crate::findings::{Finding, Name, Value};
use crate::pair::Transfers;

/// Returns the finding for any loss. Each loss has one cause: not accepted by the board, given up by the
/// link, or lost on the link.
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
    let advice = advice(bench, on_the_way + bench.given_up, service_ns);
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

/// Remedy for the cause of most losses.
fn advice(bench: &Bench, on_the_air: usize, service_ns: Option<i64>) -> String {
    if bench.overload.is_some() || bench.not_taken > on_the_air {
        let apart = service_ns.map_or_else(
            || "less often".to_owned(),
            |ns| {
                let ns = nice(ns as f64);
                format!("more than {ns} apart, the longest time that a single message takes")
            },
        );
        let why = if bench.overload.is_some() {
            "the link is overloaded"
        } else {
            "the board takes one message at a time"
        };
        return format!("Trigger {apart}, because {why}.");
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
