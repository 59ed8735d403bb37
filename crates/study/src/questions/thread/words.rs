//! Results of a Thread network in words.

use super::Action;
use super::shape::{Network, Range};
use super::step::Outcome;
use crate::quantity::{TIMES, count, duration_in, general, number, time_unit};

/// Formation of the first of `networks` networks.
pub(super) fn formation(attach_ns: &[u64], formed_ns: u64, networks: usize) -> String {
    let unit = time_unit(attach_ns.iter().map(|&ns| ns as f64));
    let text = |ns: u64| duration_in(ns as f64, unit);
    let Some((&leader, others)) = attach_ns.split_first() else { return String::new() };
    let which = if networks > 1 { "first network " } else { "" };
    let formed = format!("{which}formed in {}: leader after {}", text(formed_ns), text(leader));
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
    let begin = duration_in(outcome.begin_ns as f64, TIMES[3]);
    let mut text = format!("{begin}  {}", action(&outcome.action, outcome.node));
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

/// An action, with the number of the node that it added.
fn action(action: &Action, added: Option<usize>) -> String {
    match action {
        Action::Add { x, y } => {
            let name = added.map_or_else(|| "a node".to_owned(), |node| format!("node {node}"));
            format!("{name} added at ({x} m, {y} m)")
        }
        Action::Move { node, x, y } => format!("node {node} moved to ({x} m, {y} m)"),
        Action::Kill { node } => format!("node {node} loses power"),
        Action::Partition { groups } => {
            let nodes = |group: &Vec<usize>| {
                group.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
            };
            let groups = groups.iter().map(nodes).collect::<Vec<_>>().join(" | ");
            format!("network split into groups: {groups}")
        }
        Action::Heal => "partitions ended".to_owned(),
        Action::Ping { from, to, size, count: 1, .. } => {
            format!("ping of {size} B from node {from} to node {to}")
        }
        Action::Ping { from, to, size, count: pings, .. } => {
            format!("{} pings of {size} B from node {from} to node {to}", count(*pings as u64))
        }
        Action::Command { node, line } => format!("node {node} runs `{line}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_a_phrase_with_its_numbers_and_its_outcome() {
        let done = |action| Outcome {
            begin_ns: 10_000_000_000,
            end_ns: 0,
            action,
            node: None,
            lines: None,
            rtt_ns: None,
            text: String::new(),
        };
        assert_eq!(step(&done(Action::Heal)), "10.00 s  partitions ended");
        let added = Outcome { node: Some(4), ..done(Action::Add { x: 80.0, y: 0.5 }) };
        assert_eq!(step(&added), "10.00 s  node 4 added at (80 m, 0.5 m)");
        let groups = vec![vec![1, 2], vec![3]];
        let parted = done(Action::Partition { groups });
        assert_eq!(step(&parted), "10.00 s  network split into groups: 1, 2 | 3");
        let moved = done(Action::Move { node: 2, x: -1.5, y: 40.0 });
        assert_eq!(step(&moved), "10.00 s  node 2 moved to (-1.5 m, 40 m)");
        let killed = done(Action::Kill { node: 3 });
        assert_eq!(step(&killed), "10.00 s  node 3 loses power");
        let (interval_ns, timeout_ns) = (1, 1);
        let ping = Action::Ping { from: 3, to: 1, size: 8, count: 2, interval_ns, timeout_ns };
        let pinged = Outcome { rtt_ns: Some(vec![Some(12_345_678), None]), ..done(ping) };
        assert_eq!(
            step(&pinged),
            "10.00 s  2 pings of 8 B from node 3 to node 1: 12.35 ms, no response"
        );
        let line = Action::Command { node: 2, line: "state, now".to_owned() };
        let lines = Some(vec!["router".to_owned()]);
        let said = Outcome { lines, ..done(line) };
        assert_eq!(step(&said), "10.00 s  node 2 runs `state, now`\n    router");
    }

    #[test]
    fn a_network_forms_from_its_leader_on() {
        let text = formation(&[2_000_000_000, 3_500_000_000, 9_000_000_000], 9_000_000_000, 1);
        assert_eq!(
            text,
            "formed in 9.000 s: leader after 2.000 s, then each node in 3.500 to 9.000 s"
        );
        let text = formation(&[2_000_000_000, 3_500_000_000], 3_500_000_000, 2);
        assert_eq!(
            text,
            "first network formed in 3.500 s: leader after 2.000 s, then each node in 3.500 s"
        );
    }
}
