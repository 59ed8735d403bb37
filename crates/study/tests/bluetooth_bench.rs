//! Bluetooth Classic from profile to report: failures are counted by name, and slices explain all
//! of the time.

use crate::bench;
use airlag_rig::{Options, run};
use airlag_study::timeline::timeline;

/// Largest share of a transfer's latency that no slice explains.
fn unexplained(link: &str, size: usize) -> f64 {
    let options = Options { seed: 3, spans: true, ..Options::default() };
    let seen = run(&bench::profile(link, &[]), size, &bench::every(2_003, 20), options)
        .expect("the bench runs");
    let transfers = bench::transfers(&seen);
    let worst =
        transfers.trigger_ns.iter().zip(&transfers.completion_ns).filter(|(t, c)| c > t).map(
            |(&t, &c)| {
                let parts = timeline(&seen, t, c);
                let total: i64 = parts.iter().map(|part| part.end_ns - part.begin_ns).sum();
                assert_eq!(total, c - t, "slices add up");
                let other = parts.iter().filter(|part| part.name == "other");
                other.map(|part| part.end_ns - part.begin_ns).sum::<i64>() as f64 / total as f64
            },
        );
    worst.fold(0.0, f64::max)
}

#[test]
fn nearly_every_nanosecond_of_a_transfer_has_a_name() {
    for (link, size) in [
        ("hc05-9600", 12),
        ("hc05-460800", 1_024),
        ("spp-esp32", 12),
        ("spp-esp32", 1_024),
        ("spp-esp32-woken", 128),
    ] {
        let share = unexplained(link, size);
        assert!(share < 0.05, "{link}, {size} B: {:.1} % has no name", 100.0 * share);
    }
}

#[test]
fn a_module_that_is_overrun_loses_bytes_and_the_report_says_so() {
    let small = bench::profile("hc05-460800", &[("input_buffer", "300")]);
    let seen = bench::bench(&small, 1_024, &bench::every(300, 20), 1);
    assert!(seen.incidents["buffer overflow"] > 0);
    assert_eq!(seen.received.messages, 0, "a message with a hole is no message");
    let as_sold =
        bench::bench(&bench::profile("hc05-460800", &[]), 1_024, &bench::every(300, 20), 1);
    assert!(as_sold.incidents.is_empty());
    assert_eq!(as_sold.received.messages, 20);
}

#[test]
fn a_link_that_is_never_heard_breaks_once_and_the_bench_goes_on() {
    for link in ["hc05-460800", "spp-esp32"] {
        let deaf = bench::profile(link, &[("frame_loss", "1.0"), ("supervision_timeout", "500ms")]);
        let seen = bench::bench(&deaf, 128, &bench::every(100, 50), 1);
        assert_eq!(seen.incidents["supervision timeout"], 1, "{link}");
        assert_eq!(seen.received.messages, 0, "{link}");
        assert_eq!(bench::transfers(&seen).latencies_ns().len(), 0, "{link}");
    }
}

#[test]
fn writes_of_half_the_size_take_twice_as_long() {
    let median = |write_size| {
        let profile = bench::profile("spp-esp32-woken", &[("write_size", write_size)]);
        let seen = bench::bench(&profile, 1_024, &bench::every(503, 100), 1);
        let mut latencies = bench::transfers(&seen).latencies_ns();
        latencies.sort_unstable();
        bench::quantile(&latencies, 0.5)
    };
    let ratio = median("32") / median("64");
    assert!((1.7..2.1).contains(&ratio), "one write at a time: {ratio}");
}

#[test]
fn a_woken_task_saves_half_a_tick_on_average() {
    let mean = |link| {
        let seen = bench::bench(&bench::profile(link, &[]), 12, &bench::every(101, 1_000), 1);
        let latencies = bench::transfers(&seen).latencies_ns();
        latencies.iter().sum::<i64>() as f64 / latencies.len() as f64
    };
    // Triggers every 101 ms sample all phases of a tick of 10 ms.
    let saved = mean("spp-esp32") - mean("spp-esp32-woken");
    assert!((4.5e6..5.5e6).contains(&saved), "{saved} ns");
}
