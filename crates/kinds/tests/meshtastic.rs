//! Meshtastic compared with logs of nodes.
//!
//! Until October 2025 (pull request 8205), the firmware rounded the symbols of a payload up after
//! their multiplication by the coding rate, whereas a modem fills whole blocks. The airtimes of
//! that firmware are up to 1 % below those of the bench, and follow exactly from its formula.

use crate::bench::{bench, every, profile, transfers};
use airlag_link::airtime::lora::Frame;
use airlag_models::stack::meshtastic::Preset;
use airlag_rig::{Options, Run, run};

/// An airtime that a node logged.
struct Logged {
    source: &'static str,
    preset: Preset,
    setting: &'static str,
    /// Text of a message that makes a packet of this length, bytes.
    size: usize,
    packet: usize,
    airtime_ms: u64,
    /// Whether the firmware used the formula that rounds after the coding rate.
    rounds_late: bool,
}

const LOGGED: [Logged; 3] = [
    Logged {
        source: "pull request 8939",
        preset: Preset::MediumFast,
        setting: "medium-fast",
        size: 20,
        packet: 42,
        airtime_ms: 160,
        rounds_late: false,
    },
    Logged {
        source: "pull request 9945",
        preset: Preset::LongFast,
        setting: "long-fast",
        size: 11,
        packet: 33,
        airtime_ms: 477,
        rounds_late: false,
    },
    Logged {
        source: "issue 5907",
        preset: Preset::LongFast,
        setting: "long-fast",
        size: 200,
        packet: 223,
        airtime_ms: 1_894,
        rounds_late: true,
    },
];

fn traced(link: &str, changes: &[(&str, &str)], size: usize, count: usize) -> Run {
    let options = Options { spans: true, ..Options::default() };
    run(&profile(link, changes), size, &every(60_000, count), options).expect("the bench runs")
}

/// Durations of the slices of this name, ns, in order of time, with the names of their tracks.
fn slices(run: &Run, name: &str) -> Vec<(String, i64)> {
    let mut found: Vec<_> = run.spans.iter().filter(|span| span.slice.name() == name).collect();
    found.sort_by_key(|span| span.begin_ns);
    found
        .into_iter()
        .map(|span| (run.tracks[span.track].clone(), span.end_ns - span.begin_ns))
        .collect()
}

/// Airtime by the formula that rounds after the coding rate, in whole milliseconds.
fn rounded_late(frame: &Frame, len: usize) -> u64 {
    let factor = u64::from(frame.spreading_factor.exponent());
    let rate = u64::from(frame.coding_rate.denominator());
    let symbols = 8 + ((8 * len as u64 + 44 - 4 * factor) * rate).div_ceil(4 * factor);
    (frame.preamble_ns() + symbols * frame.symbol_ns()) / 1_000_000
}

#[test]
fn airtimes_are_those_of_published_logs() {
    for logged in &LOGGED {
        let changes =
            [("preset", logged.setting), ("public_key", "false"), ("acknowledged", "false")];
        let ran = traced("meshtastic-longfast-eu868", &changes, logged.size, 3);
        let airtimes = slices(&ran, "air");
        assert_eq!(airtimes.len(), 3, "{}", logged.source);
        for (_, ns) in airtimes {
            let ratio = ns as f64 / 1e6 / logged.airtime_ms as f64;
            println!(
                "{}: {} B, {:.3} ms, ratio {ratio:.4}",
                logged.source,
                logged.packet,
                ns as f64 / 1e6
            );
            assert!((0.99..1.01).contains(&ratio), "{}: {ratio}", logged.source);
        }
        let frame = logged.preset.frame(airlag_link::airtime::lora::CodingRate::Cr4_5);
        let exact = frame.duration_ns(logged.packet) / 1_000_000;
        let formula = if logged.rounds_late { rounded_late(&frame, logged.packet) } else { exact };
        assert_eq!(formula, logged.airtime_ms, "{}", logged.source);
    }
}

/// Pull request 9945: a relay that received a packet at 5.25 dB waited for 3,920 ms.
#[test]
fn the_wait_of_a_published_relay_is_within_those_of_the_bench() {
    let changes = [("snr", "5.25"), ("acknowledged", "false"), ("public_key", "false")];
    let ran = traced("meshtastic-longfast-3-hops", &changes, 11, 200);
    let waits: Vec<i64> = slices(&ran, "contention window")
        .into_iter()
        .filter(|(track, _)| track.starts_with("relay"))
        .map(|(_, ns)| ns / 1_000_000)
        .collect();
    assert_eq!(waits.len(), 400);
    // 16 to 143 slots of 28 ms, of which the published wait is 140.
    assert_eq!(3_920 % 28, 0);
    let (least, most) = (waits.iter().min().expect("some"), waits.iter().max().expect("some"));
    assert!((448..=504).contains(least) && (3_920..=4_004).contains(most), "{least} to {most}");
}

/// Pull request 5749: about 26 ms from channel activity detection to the return of the transmit
/// command.
#[test]
fn detection_and_start_take_the_time_to_which_the_start_is_fitted() {
    let ran = traced("meshtastic-longfast-eu868", &[("acknowledged", "false")], 12, 1);
    let sum: i64 = ["channel activity detection", "radio start"]
        .into_iter()
        .flat_map(|name| slices(&ran, name))
        .map(|(_, ns)| ns)
        .sum();
    assert!((25_500_000..26_500_000).contains(&sum), "{sum}");
}

#[test]
fn an_echo_takes_both_ways_and_the_acknowledgement_between_them() {
    use airlag_rig::run::Traffic;
    let mean_ms = |acknowledged: &str, hops: &str, traffic| {
        let changes = [("acknowledged", acknowledged), ("public_key", "false"), ("hops", hops)];
        let profile = profile("meshtastic-longfast-eu868", &changes);
        let options = Options { traffic, ..Options::default() };
        let ran = run(&profile, 12, &every(60_000, 200), options).expect("the bench runs");
        let latencies = transfers(&ran).latencies_ns();
        assert_eq!(latencies.len(), 200, "{acknowledged}, {hops} hops");
        latencies.iter().sum::<i64>() as f64 / latencies.len() as f64 / 1e6
    };
    for hops in ["1", "3"] {
        let way = mean_ms("false", hops, Traffic::Trigger);
        let echo = mean_ms("false", hops, Traffic::Echo);
        // The addressee relays nothing, so the round trip adds only the return direction.
        assert!((1.9..2.1).contains(&(echo / way)), "{hops} hops: {echo} of {way}");
    }
    // The acknowledgement has priority over the response: 29 B, detection and start, and slots of
    // both.
    let way = mean_ms("true", "1", Traffic::Trigger);
    let echo = mean_ms("true", "1", Traffic::Echo);
    let between = echo - 2.0 * way;
    assert!((450.0..750.0).contains(&between), "{between}");
}

#[test]
fn losses_are_repeated_and_a_run_is_repeatable() {
    let lossy = profile("meshtastic-longfast-3-hops", &[("frame_loss", "0.1")]);
    let one = bench(&lossy, 12, &every(60_000, 100), 7);
    let other = bench(&lossy, 12, &every(60_000, 100), 7);
    assert_eq!(transfers(&one).latencies_ns(), transfers(&other).latencies_ns());
    let arrived = transfers(&one).latencies_ns().len();
    // Three hops without repetition deliver 73 %. The sender repeats messages that no relay has
    // forwarded.
    assert!((70..100).contains(&arrived), "{arrived}");
    assert!(one.incidents.iter().any(|(name, _)| *name == "retransmission"));
}

#[test]
fn a_thousand_messages_take_few_events() {
    for (link, most) in [
        ("meshtastic-longfast-eu868", 40),
        ("meshtastic-shortfast-eu868", 40),
        ("meshtastic-longfast-3-hops", 120),
        ("meshtastic-shortturbo-us915", 40),
    ] {
        let ran = bench(&profile(link, &[]), 12, &every(20_000, 1_000), 1);
        assert_eq!(transfers(&ran).latencies_ns().len(), 1_000, "{link}");
        println!("{link}: {} events per message", ran.events / 1_000);
        assert!(ran.events < 1_000 * most, "{link}: {}", ran.events);
    }
}

/// Five packets over three hops: the next one would meet the copies of the last one, if its program
/// did not wait for the addressee.
#[test]
fn packets_of_a_long_message_do_not_meet() {
    let chain = profile("meshtastic-longfast-3-hops", &[("duty_cycle", "100%")]);
    let ran = bench(&chain, 1_024, &every(200_000, 20), 1);
    assert_eq!(transfers(&ran).latencies_ns().len(), 20);
    assert_eq!(ran.incidents.get("retransmission"), None);
    let hasty = [("duty_cycle", "100%"), ("ack_patience", "0")];
    let ran = bench(&profile("meshtastic-longfast-3-hops", &hasty), 1_024, &every(200_000, 20), 1);
    assert!(ran.incidents.get("retransmission").is_some_and(|&many| many > 0));
}
