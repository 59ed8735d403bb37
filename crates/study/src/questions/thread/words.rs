//! Results of a Thread network in words.

use serde_json::Value;

use super::shape::{Network, Range};
use super::step::Outcome;
use crate::quantity::{TIMES, count, duration_in, general, number, time_unit};

/// Formation of a network.
pub(super) fn formation(attach_ns: &[u64], formed_ns: u64) -> String {
    let unit = time_unit(attach_ns.iter().map(|&ns| ns as f64));
    let text = |ns: u64| duration_in(ns as f64, unit);
    let Some((&leader, others)) = attach_ns.split_first() else { return String::new() };
    let formed = format!("formed in {}: leader after {}", text(formed_ns), text(leader));
    let (Some(&first), Some(&last)) = (others.iter().min(), others.iter().max()) else {
        return formed;
    };
    let first_text = number(first as f64 / unit.size, 4);
    let last = if last > first { format!("to {}", text(last)) } else { unit.name.to_owned() };
    format!("{formed}, then each node in {first_text} {last}")
}

/// Activity on the air.
pub(super) fn radio(found: &Network) -> String {
    let each = number(found.frames as f64 / found.delivered.max(1) as f64, 3);
    let full = match found.co_processor_full {
        0 => String::new(),
        times => format!(" · co-processor full {} times", count(times)),
    };
    format!(
        "{} frames, {each} per delivered message, network management included · {} retransmissions · {} missing \
         acknowledgements · channel busy: {}{full}",
        count(found.frames),
        count(found.retries),
        count(found.no_acks),
        count(found.busy),
    )
}

/// Smallest, median and largest result over several networks.
pub(super) fn spread(found: &Network) -> String {
    let three = |of: Range, scale: f64| {
        [of.min, of.median, of.max].map(|one| number(one.0 * scale, 4)).join(" ")
    };
    let networks = count(found.by_seed.len() as u64);
    let mut parts = vec![format!("{networks} networks: minimum, median, maximum")];
    for (name, times) in [("p50", found.spread.p50_ns), ("p99", found.spread.p99_ns)] {
        let Some(times) = times else { continue };
        let unit = time_unit([times.max.0]);
        parts.push(format!("{name} {} {}", three(times, 1.0 / unit.size), unit.name));
    }
    parts.extend(
        found.spread.goodput_kbps.map(|kbps| format!("goodput {} kbit/s", three(kbps, 1.0))),
    );
    parts
        .extend(found.spread.delivered_share.map(|of| format!("delivered {} %", three(of, 100.0))));
    parts.join(" · ")
}

/// A step of a script and its outcome.
pub(super) fn step(outcome: &Outcome) -> String {
    let action = serde_json::to_value(&outcome.action).unwrap_or_default();
    let (name, facts) = match &action {
        Value::Object(one) => {
            one.iter().next().map_or(("", None), |(name, facts)| (name.as_str(), facts.as_object()))
        }
        other => (other.as_str().unwrap_or_default(), None),
    };
    let mut text = format!("{}  {name}", duration_in(outcome.begin_ns as f64, TIMES[3]));
    for (key, value) in facts.into_iter().flatten().filter(|(key, _)| !key.ends_with("_ns")) {
        let value = match value {
            Value::String(line) => line.clone(),
            other => other.to_string().replace(',', ", "),
        };
        text.push_str(&format!(" {key} {value}"));
    }
    text.extend(outcome.node.map(|node| format!(": node {node}")));
    if let Some(times) = &outcome.rtt_ns {
        let time = |rtt: &Option<u64>| match rtt {
            Some(ns) => format!("{} ms", general(*ns as f64 / 1e6, 4)),
            None => "no response".to_owned(),
        };
        text.push_str(&format!(": {}", times.iter().map(time).collect::<Vec<_>>().join(", ")));
    }
    text.extend(outcome.lines.iter().flatten().map(|line| format!("\n    {line}")));
    text
}

#[cfg(test)]
mod tests {
    use super::super::Action;
    use super::*;

    #[test]
    fn a_step_is_named_with_its_numbers_and_its_outcome() {
        let done = |action| Outcome {
            begin_ns: 10_000_000_000,
            end_ns: 0,
            action,
            node: None,
            lines: None,
            rtt_ns: None,
            text: String::new(),
        };
        assert_eq!(step(&done(Action::Heal)), "10.00 s  heal");
        let added = Outcome { node: Some(4), ..done(Action::Add { x: 80.0, y: 0.5 }) };
        assert_eq!(step(&added), "10.00 s  add x 80.0 y 0.5: node 4");
        let groups = vec![vec![1, 2], vec![3]];
        let parted = done(Action::Partition { groups });
        assert_eq!(step(&parted), "10.00 s  partition groups [[1, 2], [3]]");
        let (interval_ns, timeout_ns) = (1, 1);
        let ping = Action::Ping { from: 3, to: 1, size: 8, count: 2, interval_ns, timeout_ns };
        let pinged = Outcome { rtt_ns: Some(vec![Some(12_345_678), None]), ..done(ping) };
        assert_eq!(
            step(&pinged),
            "10.00 s  ping from 3 to 1 size 8 count 2: 12.35 ms, no response"
        );
        let line = Action::Command { node: 2, line: "state, now".to_owned() };
        let lines = Some(vec!["router".to_owned()]);
        let said = Outcome { lines, ..done(line) };
        assert_eq!(step(&said), "10.00 s  command node 2 line state, now\n    router");
    }

    #[test]
    fn a_network_forms_from_its_leader_on() {
        let text = formation(&[2_000_000_000, 3_500_000_000, 9_000_000_000], 9_000_000_000);
        assert_eq!(
            text,
            "formed in 9.000 s: leader after 2.000 s, then each node in 3.500 to 9.000 s"
        );
        let text = formation(&[2_000_000_000, 3_500_000_000], 3_500_000_000);
        assert_eq!(text, "formed in 3.500 s: leader after 2.000 s, then each node in 3.500 s");
    }
}
