//! Settings of a Bluetooth LE connection that a board takes and a phone does not, and what they cost.

use airlag_rig::{Options, run};
use airlag_study::explain::floor;

use crate::bench::{bench, every, profile, transfers};

fn refusal(changes: &[(&str, &str)]) -> String {
    let profile = profile("ble-nus-notify", changes);
    run(&profile, 12, &every(200, 1), Options::default()).expect_err("refused").to_string()
}

#[test]
fn what_a_phone_does_not_take_is_refused_with_its_rule() {
    let apple = ("central", "apple");
    assert_eq!(
        refusal(&[apple, ("connection_interval", "7.5ms")]),
        "ble-nus-notify: `connection_interval`: Apple's devices require multiples of 15 ms, not 7500 us \
         (Accessory Design Guidelines R21, 49.6)"
    );
    assert!(refusal(&[apple, ("latency", "31")]).contains("up to 30 events, not 31"));
    let slow =
        [apple, ("connection_interval", "1005ms"), ("supervision_timeout", "6s"), ("latency", "1")];
    assert!(refusal(&slow).contains("every 2 s"));
    assert!(refusal(&[apple, ("supervision_timeout", "8s")]).contains("2 to 6 s, not 8000 ms"));
    assert!(
        refusal(&[("central", "android"), ("connection_interval", "20ms")])
            .contains("11.25 to 15, 30 to 50 and 100 to 125 ms, not 20000 us")
    );
    for (central, interval) in
        [("apple", "15ms"), ("apple", "30ms"), ("android", "11.25ms"), ("android", "48.75ms")]
    {
        let changes = [("central", central), ("connection_interval", interval)];
        let seen = bench(&profile("ble-nus-notify", &changes), 12, &every(200, 20), 1);
        assert_eq!(transfers(&seen).latencies_ns().len(), 20, "{central} at {interval}");
    }
}

#[test]
fn encryption_costs_four_bytes_a_packet_and_nothing_else() {
    for host in ["costs", "trouble-host"] {
        let plain = profile("ble-nus-notify", &[("host", host)]);
        let secret = profile("ble-nus-notify", &[("host", host), ("encrypted", "true")]);
        let ns = |profile| floor(profile, 12).expect("a floor").ns();
        // 32 bits at 2 Mbit/s.
        assert_eq!(ns(&secret), ns(&plain) + 16_000, "{host}");
        let latencies = |profile| {
            let seen = bench(profile, 12, &every(310, 100), 1);
            transfers(&seen).latencies_ns().to_vec()
        };
        let (clear, sealed) = (latencies(&plain), latencies(&secret));
        assert_eq!((clear.len(), sealed.len()), (100, 100), "{host}");
        for (clear, sealed) in clear.iter().zip(&sealed) {
            // On the receiver's crystal; a trigger near an anchor point may take another event.
            let more = sealed - clear;
            assert!((15_900..16_100).contains(&more), "{host}: {more} ns");
        }
    }
}

#[test]
fn a_connection_that_begins_slower_has_the_same_latencies_once_it_is_set_up() {
    let same = profile("ble-nus-notify", &[]);
    let slower = profile("ble-nus-notify", &[("initial_interval", "50ms")]);
    let median = |profile| {
        let seen = bench(profile, 12, &every(310, 300), 1);
        let mut latencies = transfers(&seen).latencies_ns().to_vec();
        assert_eq!(latencies.len(), 300);
        latencies.sort_unstable();
        (latencies[0], latencies[150], latencies[299])
    };
    let ((a, b, c), (d, e, f)) = (median(&same), median(&slower));
    for (one, other) in [(a, d), (b, e), (c, f)] {
        assert!((one - other).abs() < 500_000, "{one} and {other} ns");
    }
}
