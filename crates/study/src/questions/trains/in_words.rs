//! Losses of trains in words: their position, their cause, and the effect of remedies.

use super::{Answer, Position, Sent, Which};
use crate::quantity::{self, count, duration_in, exact, number, share, time_unit};
use crate::train::{Cause, Explained};

/// Number of parts of a train for which the queue is reported.
const PARTS: usize = 5;

fn percent(ratio: f64) -> String {
    format!("{} %", number(100.0 * ratio, 4))
}

/// States whether losses depend on the position.
pub(super) fn position(found: &Position) -> String {
    let mean = percent(found.mean);
    let (low, high) = (percent(found.independent.0), percent(found.independent.1));
    let expected =
        format!("for independent losses of this rate, it would be between {low} and {high}");
    let place = format!("the mean position of lost messages is at {mean} of the train length");
    match found.which {
        Which::Any => format!("Losses do not depend on position: {place}; {expected}."),
        Which::Earlier => format!("The earlier messages are lost: {place}; {expected}."),
        Which::Later => format!("The later messages are lost: {place}; {expected}."),
    }
}

/// Send and arrival intervals, if messages were sent and arrived.
pub(super) fn rate(found: &Explained) -> Option<String> {
    let (sent, arrived) = (found.handed_every_ns?, found.arrived_every_ns?);
    let unit = time_unit([sent, arrived]);
    let [sent, arrived] = [sent, arrived].map(|ns| duration_in(ns, unit));
    Some(format!("send interval {sent}, arrival interval {arrived}."))
}

/// Messages in flight along the train, for trains that are long enough.
pub(super) fn queue(found: &Explained) -> Option<String> {
    let under_way = &found.under_way;
    if under_way.len() < PARTS {
        return None;
    }
    let places = (1..=PARTS).map(|part| under_way.len() * part / PARTS);
    let levels: Vec<String> =
        places.map(|nth| format!("{} at message {nth}", number(under_way[nth - 1], 3))).collect();
    Some(format!("messages sent but not yet received, without lost ones: {}.", levels.join(", ")))
}

/// Where messages are lost, and whether losses are reported to the sending program.
pub(super) fn cause(found: &Explained, lost_at: &[u32]) -> String {
    let lost = found.refused + found.on_the_way;
    match found.cause {
        Cause::Refused => {
            let first = lost_at.iter().position(|&many| many > 0).unwrap_or(0);
            format!(
                "full queue: {} of the lost messages were refused, from message {} on. Each refusal \
                 was reported to the sending program.",
                share(found.refused, lost),
                first + 1,
            )
        }
        Cause::OnTheWay => format!(
            "loss on the link: {} of the lost messages are not reported to the sending program.",
            share(found.on_the_way, lost),
        ),
        Cause::None => "no losses.".to_owned(),
    }
}

/// Command-line options of a remedy, and its effect on delivery, goodput and retransmissions.
pub(super) fn remedy(before: &Answer, after: &Sent, goodput_share: f64) -> (String, String) {
    let mut options: Vec<String> = Vec::new();
    options.extend(after.pace_ns.map(|ns| format!("--pace {}", exact(ns))));
    options.extend(after.repeat.then(|| "--repeat".to_owned()));
    let sent: u64 = after.trials.iter().map(|one| one.handed).sum();
    let again = sent.saturating_sub(u64::from(before.count) * after.trials.len() as u64);
    let again = match again {
        0 => String::new(),
        many => format!(", {} retransmitted", count(many)),
    };
    let change = quantity::general(100.0 * (goodput_share - 1.0), 2);
    let sign = if goodput_share < 1.0 { "" } else { "+" };
    let text = format!(
        "delivered {} → {} %, goodput {} → {} kbit/s ({sign}{change} %){again}",
        number(100.0 * before.sent.delivery, 4),
        number(100.0 * after.delivery, 4),
        number(before.sent.goodput_kbps, 4),
        number(after.goodput_kbps, 4),
    );
    (options.join(" "), text)
}
