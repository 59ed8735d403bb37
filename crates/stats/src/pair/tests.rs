use airlag_trace::{Channel, Segment, Trace};

use super::*;

/// A channel that starts low and is high during each `(rise, fall)`, ns.
fn wire(name: &str, pulses: &[(i64, i64)], end_ns: i64) -> Channel {
    let edges_ns = pulses.iter().flat_map(|&(rise, fall)| [rise, fall]).collect();
    let segment = Segment { begin_ns: 0, end_ns, initial: false, edges_ns };
    Channel { name: name.into(), segments: vec![segment] }
}

fn capture(triggers: &[(i64, i64)], strobes: &[(i64, i64)], end_ns: i64) -> Trace {
    Trace {
        channels: vec![wire("trigger", triggers, end_ns), wire("done", strobes, end_ns)],
        ..Trace::default()
    }
}

/// Pulses of `width` ns at the given instants.
fn pulses(width: i64, at: &[i64]) -> Vec<(i64, i64)> {
    at.iter().map(|&t| (t, t + width)).collect()
}

const MS: i64 = 1_000_000;

#[test]
fn a_completion_inside_the_window_is_a_delivery() {
    let trace = capture(&pulses(50, &[10 * MS]), &pulses(20, &[12 * MS]), 20 * MS);
    let run = pair(&trace, PairOptions::default());
    assert_eq!(run.outcome, [Outcome::Delivered]);
    assert_eq!(run.latencies_ns(), [2 * MS]);
}

#[test]
fn a_lost_transfer_is_not_paired_with_the_next_completion() {
    let triggers = pulses(50, &[10 * MS, 20 * MS, 30 * MS]);
    let strobes = pulses(20, &[12 * MS, 32 * MS]);
    let run = pair(&capture(&triggers, &strobes, 40 * MS), PairOptions::default());
    assert_eq!(run.outcome, [Outcome::Delivered, Outcome::Lost, Outcome::Delivered]);
    assert_eq!(run.latencies_ns(), [2 * MS, 2 * MS]);
}

#[test]
fn one_pulse_with_a_notch_is_one_trigger() {
    let triggers = [(10 * MS, 10 * MS + 500_000), (10 * MS + 500_020, 10 * MS + 500_040)];
    let run = pair(&capture(&triggers, &pulses(20, &[12 * MS]), 20 * MS), PairOptions::default());
    assert_eq!(run.trigger_ns, [10 * MS]);
    assert_eq!(run.glitch_ns, [10 * MS + 500_020]);
    assert_eq!(run.outcome, [Outcome::Delivered]);
}

#[test]
fn a_strobe_of_one_sample_counts() {
    let run = pair(
        &capture(&pulses(50, &[10 * MS]), &pulses(10, &[11 * MS]), 20 * MS),
        PairOptions::default(),
    );
    assert_eq!(run.count(Outcome::Delivered), 1);
}

#[test]
fn the_end_of_the_capture_censors_a_window_it_cuts() {
    let triggers = pulses(50, &[10 * MS, 20 * MS]);
    let run = pair(&capture(&triggers, &pulses(20, &[12 * MS]), 23 * MS), PairOptions::default());
    assert_eq!(run.outcome, [Outcome::Delivered, Outcome::Censored]);
}

#[test]
fn a_last_window_observed_in_full_loses_its_transfer() {
    let triggers = pulses(50, &[10 * MS, 20 * MS]);
    let run = pair(&capture(&triggers, &pulses(20, &[12 * MS]), 31 * MS), PairOptions::default());
    assert_eq!(run.outcome, [Outcome::Delivered, Outcome::Lost]);
}

#[test]
fn completions_without_a_trigger_are_spurious() {
    let strobes = pulses(20, &[5 * MS, 12 * MS, 14 * MS]);
    let run = pair(&capture(&pulses(50, &[10 * MS]), &strobes, 20 * MS), PairOptions::default());
    assert_eq!(run.spurious_ns, [5 * MS, 14 * MS]);
    assert_eq!(run.latencies_ns(), [2 * MS]);
}

#[test]
fn a_completion_at_the_instant_of_a_trigger_belongs_to_the_one_before() {
    let triggers = pulses(50, &[10 * MS, 20 * MS]);
    let run = pair(&capture(&triggers, &pulses(20, &[20 * MS]), 25 * MS), PairOptions::default());
    assert_eq!(run.completion_ns, [20 * MS, NONE]);
}

#[test]
fn overlap_pairs_in_order_and_says_late() {
    let triggers = pulses(50, &[10 * MS, 20 * MS, 30 * MS]);
    let strobes = pulses(20, &[25 * MS, 35 * MS, 45 * MS]);
    let options = PairOptions { overlap_ns: Some(18 * MS), ..PairOptions::default() };
    let run = pair(&capture(&triggers, &strobes, 60 * MS), options);
    assert_eq!(run.outcome, [Outcome::Late, Outcome::Late, Outcome::Delivered]);
    assert_eq!(run.latencies_ns(), [15 * MS; 3]);
}

#[test]
fn overlap_gives_up_after_its_limit() {
    let triggers = pulses(50, &[10 * MS, 20 * MS, 30 * MS]);
    let options = PairOptions { overlap_ns: Some(18 * MS), ..PairOptions::default() };
    let run = pair(&capture(&triggers, &pulses(20, &[35 * MS]), 60 * MS), options);
    assert_eq!(run.outcome, [Outcome::Lost, Outcome::Late, Outcome::Lost]);
}

#[test]
fn a_wire_that_starts_high_triggers_only_when_it_rises_again() {
    let mut trace = capture(&[], &pulses(20, &[12 * MS]), 20 * MS);
    trace.channels[0].segments[0].initial = true;
    trace.channels[0].segments[0].edges_ns = vec![MS, 10 * MS];
    let run = pair(&trace, PairOptions::default());
    assert_eq!(run.trigger_ns, [10 * MS]);
}

#[test]
fn a_gap_censors_what_is_in_flight() {
    let mut trace = capture(&pulses(50, &[10 * MS]), &[], 11 * MS);
    let begin_ns = 15 * MS;
    for channel in &mut trace.channels {
        let segment = Segment { begin_ns, end_ns: 60 * MS, initial: false, edges_ns: Vec::new() };
        channel.segments.push(segment);
    }
    trace.channels[0].segments[1].edges_ns = vec![20 * MS, 21 * MS, 30 * MS, 31 * MS];
    trace.channels[1].segments[1].edges_ns = vec![22 * MS, 23 * MS];
    let run = pair(&trace, PairOptions::default());
    assert_eq!(run.outcome, [Outcome::Censored, Outcome::Delivered, Outcome::Lost]);
}
