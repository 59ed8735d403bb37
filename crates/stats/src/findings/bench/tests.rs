use super::{Bench, OF_CAPTURES, Overload, Range};
use crate::duration::nice;
use crate::findings::run::{Context, of_run};
use crate::findings::{Finding, Name, Value};
use crate::noise::{Noise, run, run_with_losses};
use crate::pair::Transfers;

const MS: i64 = 1_000_000;

fn found(transfers: &Transfers, bench: Bench, service_ns: Option<i64>) -> Vec<Finding> {
    of_run(transfers, &Context { service_ns, bench: Some(bench), ..Context::default() })
}

fn one(findings: &[Finding], name: Name) -> Option<&Finding> {
    findings.iter().find(|finding| finding.name == name)
}

fn losing(every: usize) -> Transfers {
    let fates: Vec<Option<i64>> =
        (1..=400).map(|nth| (nth % every != 0).then_some(20 * MS)).collect();
    run_with_losses(250 * MS, &fates)
}

#[test]
fn a_loss_by_fade_margin_is_named_so() {
    let range = Some(Range { metres: 60.0, fade_margin_db: Some(-3.25) });
    let findings = found(&losing(10), Bench { range, ..Bench::default() }, None);
    let lost = one(&findings, Name::LostTransfers).expect("40 are lost");
    assert!(lost.message.contains("at 60 m the mean signal is 3.2 dB below"), "{}", lost.message);
    assert!(lost.advice.contains("fade margin"), "{}", lost.advice);
    assert!(lost.evidence.contains(&("fade_margin_db", Value::Float(-3.25))));
}

#[test]
fn losses_are_counted_by_cause_and_overload_says_both_rates_first() {
    let overload = Some(Overload { offered_per_s: 4.0, carried_per_s: 0.184 });
    let bench = Bench { not_taken: 30, given_up: 4, overload, ..Bench::default() };
    let findings = found(&losing(10), bench, Some(5_441 * MS));
    let first = &findings[0];
    assert_eq!(first.name, Name::Overload);
    assert!(first.message.contains("4.00 messages per second are offered and 0.184 are carried"));
    let lost = one(&findings, Name::LostTransfers).expect("40 are lost");
    assert!(lost.message.contains("Causes: sending board busy with an earlier message 30"));
    assert!(lost.message.contains("given up by the link 4, lost in transit 6"));
    assert!(lost.advice.contains("the link is overloaded"), "{}", lost.advice);
}

#[test]
fn a_busy_board_needs_intervals_longer_than_the_latencies_of_its_run() {
    // Every tenth message is refused, 250 ms after one with a latency of 240 ms.
    let fates: Vec<Option<i64>> = (0..400)
        .map(|nth| match nth % 10 {
            8 => Some(240 * MS),
            9 => None,
            _ => Some(20 * MS),
        })
        .collect();
    let transfers = run_with_losses(250 * MS, &fates);
    let advised = |not_taken, given_up, service_ns| {
        let bench = Bench { not_taken, given_up, ..Bench::default() };
        let findings = found(&transfers, bench, service_ns);
        one(&findings, Name::LostTransfers).expect("40 are lost").advice.clone()
    };
    let cases = [
        (40, 0, Some(55 * MS), 250 * MS),
        (39, 1, Some(55 * MS), 240 * MS),
        (39, 1, None, 240 * MS),
        (40, 0, Some(900 * MS), 900 * MS),
    ];
    for (not_taken, given_up, service_ns, needed_ns) in cases {
        let advice = advised(not_taken, given_up, service_ns);
        let starts = format!("Trigger more than {} apart", nice(needed_ns as f64));
        assert!(advice.starts_with(&starts), "{advice}");
    }
}

#[test]
fn the_slots_of_a_backoff_are_no_retries_where_the_bench_counted_none() {
    // IEEE 802.15.4 with 0 to 7 backoff slots of 320 us, and without retransmitted frames.
    let latencies = Noise::seed(5).series(1_000, |noise, _| {
        2.3e6 + 320e3 * (8.0 * noise.uniform()).floor() + 2e3 * noise.normal()
    });
    let transfers = run(20 * MS, &latencies);
    let of_a_capture = of_run(&transfers, &Context::default());
    let lattice = one(&of_a_capture, Name::RetryQuantum).expect("a lattice");
    assert!(lattice.message.contains("IEEE 802.15.4"), "{}", lattice.message);
    assert!(!lattice.message.contains("transfers"), "{}", lattice.message);
    for retries in [0, 3, 5_000] {
        let findings = found(&transfers, Bench { retries, ..Bench::default() }, None);
        assert_eq!(one(&findings, Name::RetryQuantum), None, "{retries} retries");
    }
}

#[test]
fn retries_that_the_bench_counted_are_named_with_their_quantum() {
    let mut retries = 0;
    let latencies = Noise::seed(6).series(1_000, |noise, _| {
        let again = (0..3).take_while(|_| noise.uniform() < 0.2).count();
        retries += again as u64;
        1e6 + 750e3 * again as f64 + 2e3 * noise.normal()
    });
    let transfers = run(20 * MS, &latencies);
    let findings = found(&transfers, Bench { retries, ..Bench::default() }, None);
    let found = one(&findings, Name::RetryQuantum).expect("a lattice of retries");
    assert!(found.message.contains(&format!("{retries} frames were retransmitted")));
}

#[test]
fn an_overloaded_link_has_no_rhythm_of_its_own() {
    // Completions occur every 70 ms, regardless of the trigger rate.
    let latencies: Vec<i64> = (0..300).map(|nth| 60 * MS + (nth % 7) * 10 * MS).collect();
    let transfers = run(20 * MS, &latencies);
    let overload = Some(Overload { offered_per_s: 50.0, carried_per_s: 14.3 });
    let findings = found(&transfers, Bench { overload, ..Bench::default() }, None);
    let names: Vec<Name> = findings.iter().map(|finding| finding.name).collect();
    assert_eq!(names, [Name::Overload, Name::FewSamples]);
}

#[test]
fn the_period_without_overload_is_the_service_time_or_less_where_several_messages_are_carried() {
    let transfers = run(20 * MS, &[60 * MS; 40]);
    for (carried_per_s, service_ns, period_ns) in
        [(5.0, Some(100 * MS), 100 * MS), (40.0, Some(60 * MS), 25 * MS), (40.0, None, 25 * MS)]
    {
        let overload = Some(Overload { offered_per_s: 50.0, carried_per_s });
        let findings = found(&transfers, Bench { overload, ..Bench::default() }, service_ns);
        let advice = &one(&findings, Name::Overload).expect("it is overloaded").advice;
        assert!(advice.contains(&format!("every {},", nice(period_ns))), "{advice}");
    }
}

#[test]
fn messages_wait_for_earlier_ones_only_where_their_latencies_are_longer() {
    let at_once = |latency_ms| vec![Some(60 * MS), Some(latency_ms * MS)];
    // A board without a queue takes the fifth message after the first, and repeats it.
    let repeated = vec![Some(60 * MS), None, None, None, Some(120 * MS)];
    let cases =
        [(at_once(60), false), (at_once(61), false), (at_once(120), true), (repeated, false)];
    for (latencies, waits) in cases {
        let transfers = run_with_losses(20 * MS, &latencies);
        let findings = found(&transfers, Bench::default(), Some(60 * MS));
        let early = one(&findings, Name::PeriodTooShort).expect("a third of the time of a message");
        let says = early.message.contains("wait for earlier messages");
        assert_eq!(says, waits, "{latencies:?}");
    }
}

#[test]
fn a_bench_never_speaks_of_wires_files_or_samples() {
    for seed in 0..50 {
        let latencies = Noise::seed(seed).series(500, |noise, _| 5e6 + 10.0 * noise.normal());
        let findings = found(&run(20 * MS, &latencies), Bench::default(), None);
        assert!(findings.iter().all(|finding| !OF_CAPTURES.contains(&finding.name)));
    }
}
