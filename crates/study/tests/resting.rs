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
    // 6.5 mA for a receiver; 3.2 uA asleep, plus about 4 ms of receiving per poll.
    assert!((6_000.0..7_500.0).contains(&always.2), "{always:?}");
    assert!((5.0..60.0).contains(&sleepy.2), "{sleepy:?}");
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

#[test]
fn a_peripheral_without_a_connection_draws_its_sleep_current_and_the_charge_of_each_connection() {
    // The sleep currents of the datasheet, without any event in between.
    for (rest, sleep_ua) in [("idle", 3.16), ("deep", 0.4)] {
        let link = profile("ble-nus-notify", &[("rest", rest), ("phy", "1M")]);
        let mut averages = Vec::new();
        let mut adds_nc = 0.0;
        for period in [Duration::from_secs(5), Duration::from_secs(50)] {
            let count = 40;
            let pace = pace::uniform(period, count);
            let ran = run(&link, 12, &pace, Options::default()).expect("a run");
            assert_eq!(matched::transfers(&ran).latencies_ns().len(), count, "{rest}");
            let options = Options::default();
            let cost = charge(&link, 12, count as u64, &ran.draws, options).expect("listed");
            let sender = cost.ends.iter().find(|end| end.end == "sender").expect("listed");
            assert!((sender.idle_na / 1e3 - sleep_ua).abs() < 0.01, "{rest}: {}", sender.idle_na);
            adds_nc = sender.marginal_nc().expect("messages");
            averages.push((period.as_ns() as f64 / 1e9, sender.average_na()));
        }
        // Twelve to thirty events with about 60 us of 6.4 mA and as much of 6.26 mA, 0.3 ms of
        // settling and receiving, 0.6 uC for the crystal and 0.6 uC for the processor, and an
        // advertising event or two with three times 0.55 ms of about 6 mA.
        assert!((20e3..110e3).contains(&adds_nc), "{rest}: {adds_nc}");
        // The mean current is the idle current plus the charge of a message times the rate.
        for (seconds, average_na) in averages {
            let expected = sleep_ua * 1e3 + adds_nc / seconds;
            assert!((average_na / expected - 1.0).abs() < 0.05, "{rest}: {average_na} {expected}");
        }
    }
}
