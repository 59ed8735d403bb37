//! Boards that sleep between messages: added latency, and saved current.

use airlag_kinds::registry;
use airlag_rig::profile::Profile;
use airlag_rig::run::{Options, run};
use airlag_sim::Duration;
use airlag_stats::dist::quantiles;
use airlag_study::charge::charge;
use airlag_study::{matched, pace};

fn profile(link: &str, settings: &[(&str, &str)]) -> Profile {
    let mut profile = registry::find(link).expect("a link");
    for (name, value) in settings {
        profile.set(name, value).expect("a setting");
    }
    profile
}

/// Latencies at p1, p50 and p99 in ms, how many of `count` arrived, and the idle current of the sender in uA.
fn seen(profile: &Profile, period: Duration, count: usize) -> ([f64; 3], usize, f64) {
    let ran = run(profile, 12, &pace::uniform(period, count), Options::default()).expect("a run");
    let latencies = matched::transfers(&ran).latencies_ns();
    let found = quantiles(&latencies, &[0.01, 0.5, 0.99]);
    let options = Options::default();
    let cost = charge(profile, 12, count as u64, &ran.draws, options).expect("listed");
    let idle =
        cost.ends.iter().find(|end| end.end == "sender").map_or(f64::NAN, |end| end.idle_na / 1e3);
    ([found[0] / 1e6, found[1] / 1e6, found[2] / 1e6], latencies.len(), idle)
}

#[test]
fn what_is_sent_to_a_sleepy_device_waits_for_its_next_poll() {
    // Triggers are random over half a period, which is a whole number of poll periods.
    let period = Duration::from_secs(4);
    let always = seen(&profile("thread-down-quick", &[]), period, 200);
    let sleepy = seen(&profile("thread-down-quick", &[("poll_period", "1s")]), period, 1_000);
    assert_eq!((always.1, sleepy.1), (200, 1_000));
    let [p1, p50, p99] = sleepy.0;
    assert!(always.0[2] < 30.0, "{always:?}");
    // Uniform over one second, plus 12 ms of transfer. With this number of messages, the median has
    // a standard error of 16 ms; the tolerance is three times that.
    assert!(p1 < 40.0, "{sleepy:?}");
    assert!((464.0..560.0).contains(&p50) && (975.0..1_040.0).contains(&p99), "{sleepy:?}");
}

#[test]
fn a_sleepy_device_sends_as_quickly_and_draws_a_hundredth() {
    let period = Duration::from_secs(5);
    let always = seen(&profile("thread-up-quick", &[]), period, 200);
    let sleepy = seen(&profile("thread-up-quick", &[("poll_period", "3s")]), period, 200);
    assert_eq!((always.1, sleepy.1), (200, 200));
    assert!((sleepy.0[1] - always.0[1]).abs() < 1.0, "{always:?} {sleepy:?}");
    // 6.5 mA for a receiver; 3.2 uA asleep, plus about 2 ms of the radio per poll.
    assert!((6_000.0..7_500.0).contains(&always.2), "{always:?}");
    assert!((5.0..60.0).contains(&sleepy.2), "{sleepy:?}");
}

/// Idle current of the sender, uA.
fn idle(link: &str, settings: &[(&str, &str)], seed: u64) -> f64 {
    let profile = profile(link, settings);
    let options = Options { seed, ..Options::default() };
    let period = Duration::from_secs(5);
    let ran = run(&profile, 12, &pace::uniform(period, 2), options).expect("a run");
    let cost = charge(&profile, 12, 2, &ran.draws, options).expect("listed");
    cost.ends.iter().find(|end| end.end == "sender").map_or(f64::NAN, |end| end.idle_na / 1e3)
}

#[test]
fn the_idle_current_is_a_mean_over_whole_cycles() {
    // Asleep: 3.16 uA. A data request: CCA and turnaround, 28 octets with the preamble at 6.4 mA,
    // turnaround and 11 octets at 6.53 mA; start of the crystal, 0.6 uC; 300 us of software and 4
    // blocks of AES of 5 us at 3.3 mA.
    let request_uc = |receive_us: f64, transmit_us: f64, run_us: f64| {
        (receive_us * 6.53 + transmit_us * 6.4 + run_us * 3.3) / 1e3 + 0.6
    };
    let poll = request_uc(320.0 + 192.0 + 352.0, 28.0 * 32.0, 320.0);
    for (period, period_s) in [("3s", 3.0), ("10s", 10.0), ("60s", 60.0), ("240s", 240.0)] {
        for seed in 1..6 {
            let found = idle("thread-up-quick", &[("poll_period", period)], seed);
            let by_hand = 3.16 + poll / period_s;
            assert!((found / by_hand - 1.0).abs() < 0.01, "{period}: {found} {by_hand}");
        }
    }
    // With CSL, a request of 36 octets with the preamble, an acknowledgement of 25, and 1.3 ms of
    // software for a sample. It lasts 192 us and twice 240 us and the drift, at 40 ppm from the
    // last request on.
    let request = request_uc(320.0 + 192.0 + 25.0 * 32.0, 36.0 * 32.0, 325.0);
    for (timeout, timeout_s) in [("20s", 20.0), ("100s", 100.0)] {
        let (alive, settings) = (timeout_s - 1.0, [("csl_period", "1s"), ("csl_timeout", timeout)]);
        let listens_us = 192.0 + 2.0 * (240.0 + 40.0 * alive / 2.0);
        let by_hand = 3.16 + request_uc(listens_us, 0.0, 1_300.0) + request / alive;
        for seed in 1..6 {
            let found = idle("thread-up-quick", &settings, seed);
            assert!((found / by_hand - 1.0).abs() < 0.015, "{timeout}: {found} {by_hand}");
        }
    }
}

#[test]
fn a_bluetooth_connection_is_watched_for_whole_intervals() {
    let at = |interval: &str, seed: u64| {
        let settings = [("supervision_timeout", "32s"), ("connection_interval", interval)];
        idle("ble-nus-notify", &settings, seed)
    };
    for seed in 1..6 {
        // Events of 4 s and of 2 s: twice as many, with wider windows for the drift.
        let (four, two) = (at("4s", seed), at("2s", seed));
        let (few, first) = (at("4s", 1), at("2s", 1));
        assert!(
            (four / few - 1.0).abs() < 0.02 && (two / first - 1.0).abs() < 0.02,
            "{four} {few}"
        );
    }
}

#[test]
fn a_device_in_csl_sends_as_quickly_and_draws_a_hundredth() {
    let period = Duration::from_secs(4);
    let csl = seen(&profile("thread-up-quick", &[("csl_period", "1s")]), period, 200);
    let always = seen(&profile("thread-up-quick", &[]), period, 200);
    assert_eq!((csl.1, always.1), (200, 200));
    // Its own messages do not wait; 8 octets of elements and 20 of acknowledgement are longer.
    assert!((csl.0[1] - always.0[1] - 0.256).abs() < 0.2, "{csl:?} {always:?}");
    assert!(csl.2 < always.2 / 100.0, "{csl:?} {always:?}");
}

#[test]
fn a_sleepy_device_has_no_routers_between() {
    let far = profile("thread-up-quick", &[("poll_period", "3s"), ("hops", "2")]);
    let refused = run(&far, 12, &pace::uniform(Duration::from_secs(5), 2), Options::default());
    let line = refused.map(|_| ()).expect_err("no child").to_string();
    assert!(line.contains("hops=1"), "{line}");
}

#[test]
fn from_deep_sleep_a_message_takes_the_start_of_its_board_longer() {
    let period = Duration::from_secs(10);
    for (link, start_ms) in [("espnow-woken", 409.0), ("wifi-udp-tuned-woken", 1_579.0)] {
        let awake = seen(&profile(link, &[]), period, 40);
        let deep = seen(&profile(link, &[("rest", "deep")]), period, 40);
        assert!((deep.0[0] - start_ms - awake.0[0]).abs() < 5.0, "{link}: {awake:?} {deep:?}");
        assert!(deep.1 >= 38, "{link}: {deep:?}");
        assert!((9.0..12.0).contains(&deep.2) && awake.2 > 20_000.0, "{link}: {awake:?} {deep:?}");
    }
}

#[test]
fn an_access_point_does_not_sleep() {
    let point = profile("wifi-udp-tuned", &[("access_point", "sender"), ("rest", "deep")]);
    let refused = run(&point, 12, &pace::uniform(Duration::from_secs(5), 2), Options::default());
    assert!(refused.is_err_and(|error| error.to_string().contains("access point")));
}
