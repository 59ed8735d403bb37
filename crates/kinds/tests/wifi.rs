//! Wi-Fi and TCP/IP together, on complete benches.

use crate::bench;
use airlag_kinds::registry;
use airlag_rig::carry::{Extent, saturate};
use airlag_rig::stimulus::Periodic;
use airlag_rig::{Options, Profile, Stimulus, run, sniff};
use airlag_sim::Duration;
use airlag_stats::pair::{PairOptions, pair};

/// Only the medium takes time.
const FREE: [(&str, &str); 6] = [
    ("send", "1us"),
    ("receive", "1us"),
    ("read", "1us"),
    ("forward", "1us"),
    ("forward_jitter", "0"),
    ("trigger_notice", "woken"),
];

fn profile(link: &str, changes: &[(&str, &str)]) -> Profile {
    bench::profile(link, changes)
}

/// Latencies of messages every 500 ms, ms, sorted.
fn latencies(profile: &Profile, size: usize) -> Vec<f64> {
    let stimulus = Stimulus::Periodic(Periodic::new(Duration::from_ms(500), 40));
    let seen = run(profile, size, &stimulus, Options::default()).expect("it runs");
    let all = pair(&seen.trace, PairOptions::default()).latencies_ns();
    let mut all: Vec<f64> = all.iter().map(|&ns| ns as f64 / 1e6).collect();
    all.sort_by(f64::total_cmp);
    assert_eq!(all.len(), 40);
    all
}

#[test]
fn with_nagle_the_median_follows_the_timer_of_acknowledgements_all_round() {
    // Triggers every two timer periods hit one phase of the timer in a whole run.
    let median = |phase: f64, changes: &[(&str, &str)]| {
        let phase = phase.to_string();
        let mut all = vec![("ack_phase", phase.as_str()), ("tick_phase", "0.5")];
        all.extend(changes);
        latencies(&profile("websocket-esp32-nagle", &all), 12)[20]
    };
    let mut medians: Vec<f64> = (0..20).map(|nth| median(f64::from(nth) / 20.0, &[])).collect();
    medians.sort_by(f64::total_cmp);
    // The phases are uniform over 250 ms: no gap exceeds twice the step, and none is below half of
    // it.
    for pair in medians.windows(2) {
        assert!((6.0..25.0).contains(&(pair[1] - pair[0])), "{medians:?}");
    }
    assert!(medians[19] - medians[0] > 225.0, "{medians:?}");
    for gone in [[("nagle", "false")], [("frame_writes", "together")]] {
        for phase in [0.1, 0.6] {
            assert!(median(phase, &gone) < 25.0, "{gone:?}");
        }
    }
}

/// Mean time per frame of `stations` saturated stations, by the formula of G. Bianchi ("Performance
/// analysis of the IEEE 802.11 distributed coordination function", 2000), in the unit of the given
/// times.
fn bianchi(stations: i32, slot: f64, success: f64, collision: f64) -> f64 {
    let (window, stages) = (16.0_f64, 6);
    let tau_of = |p: f64| {
        let sum: f64 = (0..stages).map(|stage| (2.0 * p).powi(stage)).sum();
        2.0 / (1.0 + window + p * window * sum)
    };
    let mut tau = 0.1;
    for _ in 0..200 {
        let p = 1.0 - (1.0_f64 - tau).powi(stations - 1);
        tau = 0.5 * (tau + tau_of(p));
    }
    let any = 1.0 - (1.0_f64 - tau).powi(stations);
    let one = f64::from(stations) * tau * (1.0_f64 - tau).powi(stations - 1);
    ((1.0 - any) * slot + one * success + (any - one) * collision) / one
}

/// Airtime of an IP packet at MCS 7, us: 36 us of preamble, 6 us after the packet, and an overhead
/// of 38 octets.
fn air_us(packet: usize) -> f64 {
    let symbols = ((16 + 8 * (packet + 38) + 6) as f64 / 260.0).ceil();
    42.0 + 4.0 * symbols
}

/// Mean time per frame with `stations` saturated stations, us. A frame is followed by SIFS, 34 us
/// of acknowledgement and AIFS, or by the acknowledgement timeout and AIFS. A beacon of 154 octets
/// is sent at 1 Mbit/s every 102.4 ms.
fn frame_us(stations: i32, packet: usize) -> f64 {
    let air = air_us(packet);
    bianchi(stations, 9.0, air + 81.0, air + 76.0) / (1.0 - 1.6 / 102.4)
}

/// Mean time from one message to the next, us.
fn saturated_us(link: &str, size: usize, changes: &[(&str, &str)]) -> f64 {
    let all: Vec<_> = FREE.iter().chain(changes).copied().collect();
    let seen = saturate(&profile(link, &all), size, 1, Extent::of(3_000)).expect("it runs").carried;
    seen.last.since(seen.first).as_ns() as f64 / 1e3 / seen.delivered as f64
}

#[test]
fn datagrams_without_end_come_as_often_as_the_formula_says() {
    for (access_point, hops) in [("sender", 1), ("separate", 2)] {
        for size in [512, 1_024, 1_400] {
            let took = saturated_us("wifi-udp-tuned", size, &[("access_point", access_point)]);
            let each = frame_us(hops, size + 28) * f64::from(hops);
            assert!((took / each - 1.0).abs() < 0.05, "{hops} hops, {size} B: {took}, {each} us");
        }
    }
}

/// Two segments and an acknowledgement of 40 octets alternate; it is rare that both ends have a
/// frame at the same time.
#[test]
fn a_stream_without_end_carries_what_its_acknowledgements_leave() {
    const HOP: [(&str, &str); 2] = [("access_point", "sender"), ("mtu", "1500")];
    let roomy = [("nagle", "true"), ("send_buffer", "28000"), ("receive_buffer", "28000")];
    let took = saturated_us("wifi-tcp-tuned", 1_460, &[&HOP[..], &roomy[..]].concat());
    let (segment, acknowledgement) = (frame_us(1, 1_500), frame_us(1, 40));
    let each = segment + acknowledgement / 2.0;
    assert!((took / each - 1.0).abs() < 0.05, "{took}, {each} us");
    // Share of the goodput that datagrams of the same size reach.
    let share = saturated_us("wifi-udp-tuned", 1_472, &HOP) / 1_472.0 * 1_460.0 / took;
    assert!((share * each / segment - 1.0).abs() < 0.05, "{share}, {} expected", segment / each);
}

#[test]
fn what_cannot_be_set_up_is_named() {
    for (link, name, value, expected) in [
        (
            "wifi-udp-tuned",
            "mtu",
            "28",
            "wifi-udp-tuned: `mtu`: 28 B is too short for the headers of IPv4 and UDP and one byte; the minimum is 29 B",
        ),
        (
            "wifi-tcp-tuned",
            "mtu",
            "20",
            "wifi-tcp-tuned: `mtu`: 20 B is too short for the headers of IPv4 and TCP and one byte; the minimum is 41 B",
        ),
        (
            "tcp-stream-softap",
            "receive_buffer",
            "0",
            "tcp-stream-softap: `receive_buffer`: a socket of 0 B offers a window of zero; the minimum is 1 B",
        ),
        (
            "websocket-pi4-ethernet",
            "send_buffer",
            "0",
            "websocket-pi4-ethernet: `send_buffer`: a socket of 0 B accepts no data to send; the minimum is 1 B",
        ),
    ] {
        let profile = profile(link, &[(name, value)]);
        let error = run(&profile, 12, &bench::every(300, 1), Options::default()).expect_err(link);
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn the_closed_loop_takes_as_long_as_was_published() {
    let profile = registry::find("tcp-stream-softap").expect("built in");
    let seen = saturate(&profile, 16, 1, Extent::of(5_000)).expect("it runs").carried;
    let took = seen.last.since(seen.first).as_ns() as f64 / seen.delivered as f64 / 1e6;
    assert_eq!(seen.lost, 0);
    assert!((took / 1.13 - 1.0).abs() < 0.15, "{took} ms from one arrival to the next");
}

/// The given fields of every packet that contains IP, as tshark prints them.
fn dissect(name: &str, file: &[u8], fields: &[&str]) -> Option<Vec<Vec<String>>> {
    let path = std::env::temp_dir().join(format!("airlag-{name}-{}.pcapng", std::process::id()));
    std::fs::write(&path, file).expect("a place for a file");
    let mut arguments = vec!["-r", path.to_str().expect("a name"), "-T", "fields"];
    arguments.extend(["-E", "separator=|", "-d", "tcp.port==49152,websocket"]);
    for check in ["wlan", "ip", "udp", "tcp"] {
        // Leaked: four short texts.
        let option: &str = Box::leak(format!("{check}.check_checksum:TRUE").into_boxed_str());
        arguments.extend(["-o", option]);
    }
    arguments.extend(fields.iter().flat_map(|field| ["-e", field]));
    let text = airlag_peers::tshark(&arguments);
    let _ = std::fs::remove_file(&path);
    Some(text?.lines().map(|line| line.split('|').map(str::to_owned).collect()).collect())
}

#[test]
#[ignore = "needs tshark"]
fn every_frame_is_read_down_to_the_bytes_of_the_program() {
    let fields = [
        "frame.protocols",
        "wlan.fcs.status",
        "ip.checksum.status",
        "udp.checksum.status",
        "tcp.checksum.status",
        "_ws.malformed",
        "_ws.expert.message",
        "udp.length",
        "tcp.len",
        "websocket.payload_length",
    ];
    for (link, carrier, column, length) in [
        ("wifi-udp-default", "ip:udp:data", 7, "72"),
        ("websocket-esp32", "tcp:websocket", 9, "64"),
        ("tcp-stream-softap", "ip:tcp", 8, "16"),
    ] {
        let profile = profile(link, &[("competitors", "1"), ("competitor_size", "300")]);
        let stimulus = bench::every(300, 2);
        let (_, capture) = sniff(&profile, 64, &stimulus, Options::default()).expect("runs");
        assert!(capture.left_out.is_empty());
        let Some(rows) = dissect(link, &capture.pcapng, &fields) else { return };
        assert_eq!(capture.frames, rows.len() as u64);
        for row in &rows {
            let good = |text: &str| text == "1" || text == "Good";
            assert!(good(&row[1]), "{row:?}");
            assert!(row[2..5].iter().all(|text| text.is_empty() || good(text)), "{row:?}");
            assert!(row[5].is_empty() && !row[6].contains("Bogus"), "{row:?}");
        }
        let carried = rows.iter().filter(|row| row[0].contains(carrier) && row[column] == length);
        // The packets pass the access point, so each is sent twice; there are four segments of 16
        // B, with a window of one segment.
        assert!(carried.count() >= 2, "{link}");
    }
}
