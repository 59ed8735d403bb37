//! Settings of a Bluetooth LE connection that boards accept and phones reject, and their effect.

use airlag_rig::stimulus::Periodic;
use airlag_rig::{Options, Stimulus, run};
use airlag_sim::Duration;
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
            // Measured by the receiver's crystal. A trigger near an anchor point may use another
            // event.
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

#[test]
fn an_nrf52_takes_no_interval_below_7500_us_and_says_so_in_one_line() {
    for interval in ["375us", "750us", "1ms", "7375us"] {
        assert_eq!(
            refusal(&[("connection_interval", interval)]),
            "ble-nus-notify: `connection_interval`: a connection interval is a multiple of 1.25 ms \
             from 7.5 ms to 4 s; the nearest is 7500 us",
            "{interval}"
        );
    }
}

#[test]
fn shorter_intervals_are_refused_with_what_their_controllers_support() {
    let refused = |link: &str, changes: &[(&str, &str)]| {
        let profile = profile(link, changes);
        run(&profile, 12, &every(200, 1), Options::default()).expect_err("refused").to_string()
    };
    let sci = |changes: &[(&str, &str)]| refused("ble-sci-notify", changes);
    assert!(
        sci(&[("connection_interval", "500us")])
            .ends_with("the controllers support 750 us and longer, not 500 us")
    );
    assert!(
        sci(&[("connection_interval", "800us")])
            .ends_with("a multiple of 125 us from 375 us to 4 s; the nearest is 750 us")
    );
    assert!(sci(&[("initial_interval", "0")]).contains("such as 10 ms"));
    // 266 B and 11 B at 2 Mbit/s, and two frame spaces of 63 us.
    assert!(sci(&[("data_length", "251")]).contains("take 1234 us, the interval is 750 us"));
    let llpm = |changes: &[(&str, &str)]| refused("ble-llpm-notify", changes);
    assert!(llpm(&[("connection_interval", "1500us")]).ends_with("the nearest is 2000 us"));
    assert!(llpm(&[("phy", "1M"), ("data_length", "27")]).contains("phy=2M"));
}

#[test]
fn latency_below_7500_us_is_the_wait_the_poll_the_packet_and_the_hosts() {
    // Message of 7 B: a packet of 14 B and 4 B of MIC at 2M, 116 us; the empty poll, 44 us; one
    // frame space.
    for (link, interval_us, space_us, hosts_us, air_us) in [
        ("ble-sci-notify", 750, 63, 330, 116),
        ("ble-sci-notify", 1_000, 63, 330, 116),
        ("ble-sci-notify", 4_000, 63, 330, 116),
        ("ble-llpm-notify", 1_000, 150, 660, 100),
    ] {
        let interval = format!("{interval_us}us");
        let profile = profile(link, &[("connection_interval", &interval)]);
        // Triggers sample all phases of the interval evenly: their spacing is the golden ratio of
        // the interval.
        let period = Duration::from_ms(310) + Duration::from_ns(618 * interval_us as u64);
        let stimulus = Stimulus::Periodic(Periodic::new(period, 1_000));
        let seen = bench(&profile, 7, &stimulus, 1);
        let mut latencies = transfers(&seen).latencies_ns().to_vec();
        assert_eq!(latencies.len(), 1_000, "{link} at {interval}");
        latencies.sort_unstable();
        let (low, high) = (latencies[10] / 1_000, latencies[989] / 1_000);
        // A packet that is queued while the poll is on the air is still sent as its answer.
        let least = hosts_us + air_us;
        let slack = interval_us / 20 + 10;
        assert!((least..least + slack).contains(&low), "{link} at {interval}: {low}, {least}");
        let most = least + interval_us;
        assert!((most - slack..most + 10).contains(&high), "{link} at {interval}: {high}, {most}");
        let floor = floor(&profile, 7).expect("a floor").ns() / 1_000;
        assert_eq!(floor as i64, 44 + space_us + air_us, "{link} at {interval}");
    }
}
