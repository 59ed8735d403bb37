//! The measured tunnel, compared with its published measurements: about 185 kbit/s by iperf3, a
//! "latency" (the excess of a measurement over its nominal duration) that grows linearly with the
//! requested bandwidth beyond that, and about 420 kbit/s by a web speed test.

use airlag_kinds::registry;
use airlag_rig::Profile;
use airlag_rig::carry::{Extent, Load, offer, saturate};
use airlag_sim::Duration;

/// Payload of a datagram that fills a packet, bytes.
const SIZE: usize = 1_472;

fn naive(settings: &[(&str, &str)]) -> Profile {
    let mut profile = registry::find("tunnel-naive").expect("it comes with airlag");
    for (name, value) in settings {
        profile.set(name, value).expect("a setting");
    }
    profile
}

/// Goodput of datagrams, kbit/s.
fn goodput(settings: &[(&str, &str)]) -> f64 {
    let carried = saturate(&naive(settings), SIZE, 1, Extent::of(300)).expect("a run").carried;
    assert_eq!(carried.delivered, 300, "{settings:?}");
    let ns = carried.last.since(carried.first).as_ns();
    (carried.delivered * SIZE as u64) as f64 * 8e6 / ns as f64
}

#[test]
fn it_carries_what_was_measured() {
    let kbps = goodput(&[]);
    assert!((kbps - 185.0).abs() <= 18.5, "{kbps:.1} kbit/s");
}

#[test]
fn a_receiver_that_never_sleeps_reaches_what_a_speed_test_saw() {
    let kbps = goodput(&[("receive_sleep", "0us")]);
    assert!((kbps - 420.0).abs() <= 42.0, "{kbps:.1} kbit/s");
}

/// Drain time after a measurement of 10 s with a load of `kbps`, s.
fn beyond(kbps: f64) -> f64 {
    let period = SIZE as f64 * 8e6 / kbps;
    let count = (1e10 / period) as u64;
    let arrivals = (0..count).map(|nth| Duration::from_ns((nth as f64 * period) as u64)).collect();
    let end = Duration::from_secs(10);
    let load = Load {
        exchange: None,
        size: SIZE,
        room: 10_000,
        ahead: 0,
        arrivals,
        watch: (Duration::ZERO, end),
        patience: Duration::from_secs(120),
    };
    let outcome = offer(&naive(&[]), &load, 1).expect("a run");
    let last = outcome.messages.iter().filter_map(|message| message.delivered).max();
    (last.expect("some came").since(outcome.begin).as_ns() as f64 - 1e10) / 1e9
}

#[test]
fn beyond_that_what_it_takes_grows_in_a_straight_line() {
    let rho = goodput(&[]);
    for kbps in [250.0, 300.0, 400.0, 500.0] {
        let (took, line) = (beyond(kbps), 10.0 * (kbps / rho - 1.0));
        assert!(
            (took - line).abs() < 0.1 * line,
            "{kbps} kbit/s: {took:.2} s, the line {line:.2} s"
        );
    }
    assert!(beyond(0.8 * rho) < 0.2, "no queue below it");
}
