//! Wi-Fi modules behind a serial port: one datagram by hand, both directions, and the published
//! round trips, measured by a program like the published one.

mod published;

use crate::bench;
use airlag_rig::run::Traffic;
use airlag_rig::stimulus::Periodic;
use airlag_rig::{Options, Profile, Stimulus, run};
use airlag_sim::Duration;
use airlag_stats::pair::{PairOptions, pair};

const LINKS: [&str; 2] = ["wifi-module-odin-w2", "wifi-module-nora-w36"];

/// No random waits, and times of software that are easy to add up.
const EXACT: [(&str, &str); 12] = [
    ("trigger_entry", "0"),
    ("port_write", "10us"),
    ("port_read", "20us"),
    ("decode", "1ms"),
    ("encode", "500us"),
    ("computer_send", "50us"),
    ("computer_receive", "60us"),
    ("computer_read", "70us"),
    ("computer_jitter", "0"),
    ("cw_min", "0"),
    ("datagram_loss", "0"),
    ("power_save", "false"),
];

fn exact(link: &str, changes: &[(&str, &str)]) -> Profile {
    let mut all = EXACT.to_vec();
    all.extend(changes);
    bench::profile(link, &all)
}

/// Sorted latencies of messages every 200.3 ms, us.
fn latencies_us(profile: &Profile, size: usize, traffic: Traffic) -> Vec<f64> {
    let stimulus = Stimulus::Periodic(Periodic::new(Duration::from_us(200_300), 60));
    let options = Options { traffic, ..Options::default() };
    let seen = run(profile, size, &stimulus, options).expect("it runs");
    let all = pair(&seen.trace, PairOptions::default()).latencies_ns();
    let mut all: Vec<f64> = all.iter().map(|&ns| ns as f64 / 1e3).collect();
    all.sort_by(f64::total_cmp);
    all
}

/// A frame with an IP packet of 512 B of data at MCS 7: 36 us of preamble, 6 us of signal
/// extension, and symbols of 260 bits in 4 us. 28 B of UDP and IP headers, and 38 octets of LLC,
/// QoS header, CCMP and FCS, as in the profile's floor.
fn air_us(profile: &Profile) -> f64 {
    let floor = profile.bind().expect("right").floor(512).expect("it fits");
    let term = floor.terms().iter().find(|term| term.name == "air, packet of 540 B");
    term.expect("one packet").each_ns as f64 / 1e3
}

#[test]
fn a_datagram_takes_line_module_air_and_computer_one_after_the_other() {
    let profile = exact("wifi-module-nora-w36", &[]);
    let air = air_us(&profile);
    // 16 bits, 578 octets and 6 bits in 18 symbols of 260 bits.
    assert_eq!(air, 36.0 + 18.0 * 4.0 + 6.0);
    // 10 us of the port, (512 + 13) B of 10 bits at 3 Mbaud, 1 ms of the module, 37 us of idle
    // medium (SIFS of 10 us and three slots of 9 us), the frame, 60 us and 70 us of the computer.
    let expected = 10.0 + 1_750.0 + 1_000.0 + 37.0 + air + 60.0 + 70.0;
    let all = latencies_us(&profile, 512, Traffic::Trigger);
    assert_eq!(all.len(), 60);
    // A beacon delays the frame in some runs, so the shortest one counts. The frame waits for the
    // medium only if it is not idle already.
    let shortest = all[0];
    assert!((expected - 37.0 - 5.0..=expected + 5.0).contains(&shortest), "{shortest} {expected}");
}

#[test]
fn down_the_event_ends_with_a_pause_and_the_program_looks_at_its_period() {
    let changes = [("direction", "down"), ("poll", "0")];
    let profile = exact("wifi-module-nora-w36", &changes);
    let air = air_us(&profile);
    // 50 us of the computer, the frame, 500 us of the module, (512 + 34) B, a pause of one byte,
    // and 20 us of the port.
    let expected = 50.0 + 37.0 + air + 500.0 + 1_820.0 + 3.334 + 20.0;
    let woken = latencies_us(&profile, 512, Traffic::Trigger);
    let shortest = woken[0];
    assert!((expected - 37.0 - 5.0..=expected + 5.0).contains(&shortest), "{shortest} {expected}");
    let profile = exact("wifi-module-nora-w36", &[("direction", "down"), ("poll", "1ms")]);
    let polled = latencies_us(&profile, 512, Traffic::Trigger);
    assert!(polled[0] >= shortest && polled[59] > shortest + 500.0, "{polled:?}");
    // Beacons delay few frames.
    assert!(polled[53] <= shortest + 1_000.0 + 5.0, "{polled:?}");
}

#[test]
fn a_round_trip_is_the_sum_of_both_ways_from_either_end() {
    let there = |direction, traffic| {
        let profile = exact("wifi-module-odin-w2", &[("direction", direction)]);
        latencies_us(&profile, 512, traffic)[0]
    };
    let ways = there("up", Traffic::Trigger) + there("down", Traffic::Trigger);
    for direction in ["up", "down"] {
        let trip = there(direction, Traffic::Echo);
        assert!((trip - ways).abs() < 120.0, "{direction}: {trip} {ways}");
    }
}

#[test]
fn latencies_are_never_below_the_floor_and_rates_never_above_the_ceiling() {
    for link in LINKS {
        for direction in ["up", "down"] {
            for size in [12, 512, 1_024, 2_048] {
                let changes = [("direction", direction), ("datagram_loss", "0")];
                let profile = bench::profile(link, &changes);
                let bound = profile.bind().expect("right");
                let floor = bound.floor(size).expect("it fits").ns() as f64 / 1e3;
                let all = latencies_us(&profile, size, Traffic::Trigger);
                assert!(floor <= all[0], "{link} {direction} {size}: {floor} {}", all[0]);
                let extent = airlag_rig::carry::Extent::lasting(Duration::from_secs(2));
                let carried =
                    airlag_rig::carry::saturate(&profile, size, 1, extent).expect("it runs");
                let ceiling = bound.cycle(size).expect("it fits").kbps(size).expect("time");
                let gaps: i64 = carried.gaps_ns.iter().sum();
                let kbps = (carried.gaps_ns.len() * size * 8) as f64 / (gaps as f64 / 1e6);
                assert!(kbps > 0.0 && kbps <= 1.001 * ceiling, "{link} {size}: {kbps} {ceiling}");
            }
        }
    }
}

#[test]
fn a_faster_line_and_a_radio_without_power_save_are_faster() {
    let median = |link, changes: &[(&str, &str)]| {
        let mut all = vec![("datagram_loss", "0")];
        all.extend(changes);
        latencies_us(&bench::profile(link, &all), 512, Traffic::Trigger)[30]
    };
    let slow = median("wifi-module-nora-w36", &[("baud", "921600")]);
    let fast = median("wifi-module-nora-w36", &[]);
    // 525 B of 10 bits.
    assert!((slow - fast - (5_250_000.0 / 0.9216 - 5_250_000.0 / 3.0) / 1e3).abs() < 60.0);
    // On its way down, a message waits for a beacon, because the radio sleeps; on its way up it
    // does not.
    let down = [("direction", "down"), ("power_save", "true"), ("active", "50ms")];
    let awake = [("direction", "down"), ("power_save", "false")];
    let slept = median("wifi-module-odin-w2", &down) - median("wifi-module-odin-w2", &awake);
    assert!((30e3..80e3).contains(&slept), "{slept}");
    let up = [("power_save", "true"), ("active", "50ms")];
    assert!(median("wifi-module-odin-w2", &up) < 4e3);
}

#[test]
fn frames_on_the_air_are_those_of_wifi_and_its_radios_are_named_after_their_ends() {
    for direction in ["up", "down"] {
        let profile = exact("wifi-module-odin-w2", &[("direction", direction)]);
        let stimulus = Stimulus::Periodic(Periodic::new(Duration::from_ms(50), 4));
        let (_, senders) =
            airlag_rig::emissions::emitted(&profile, 12, &stimulus, Options::default())
                .expect("it runs");
        let mut names: Vec<&str> = senders.iter().map(|sender| sender.name.as_str()).collect();
        names.sort_unstable();
        let expected = match direction {
            "up" => ["receiver radio", "sender module radio"],
            _ => ["receiver module radio", "sender radio"],
        };
        assert_eq!(names, expected);
    }
}
