//! Bluetooth LE benches under conditions without captures: limits, losses, full queues, rates.

use crate::bench;
use std::collections::BTreeSet;

use airlag_air::Medium;
use airlag_kinds::registry;
use airlag_link::Link;
use airlag_link::airtime::ble::Phy;
use airlag_models::mcu::Board;
use airlag_models::stack::ble::att::Opcode;
use airlag_models::stack::ble::controller::{Controller, Settings, connect};
use airlag_models::stack::ble::host::{Host, HostCosts, WhenFull};
use airlag_models::stack::ble::interval::Interval;
use airlag_rig::carry::Extent;
use airlag_rig::ends::Bench;
use airlag_rig::programs::triggered::Triggered;
use airlag_rig::{Options, run};
use airlag_sim::{Clock, Duration, Instant, Simulation};
use airlag_stats::Outcome;
use airlag_study::goodput;
use airlag_study::timeline::timelines;

fn refusal(changes: &[(&str, &str)]) -> String {
    let profile = bench::profile("ble-nus-notify", changes);
    run(&profile, 12, &bench::every(200, 1), Options::default()).expect_err("refused").to_string()
}

#[test]
fn an_interval_there_is_not_is_answered_with_the_nearest() {
    assert_eq!(
        refusal(&[("connection_interval", "8ms")]),
        "ble-nus-notify: `connection_interval`: a connection interval is a multiple of 1.25 ms from \
         7.5 ms to 4 s; the nearest is 7500 us"
    );
    assert!(refusal(&[("connection_interval", "5ms")]).ends_with("the nearest is 7500 us"));
}

#[test]
fn settings_that_cannot_work_together_are_named() {
    assert_eq!(
        refusal(&[("connection_interval", "4s")]),
        "ble-nus-notify: `supervision_timeout`: the supervision timeout is 4000 ms, but must be \
         8010 to 32000 ms at this interval and latency"
    );
    assert_eq!(
        refusal(&[("mtu", "23")]),
        "ble-nus-notify: `chunk`: an MTU of 23 B carries values of up to 20 B, not 197"
    );
}

/// Nordic's measurements between two of its chips: MTU in bytes, connection interval, PHY, and
/// attribute data in kbit/s (S132 SoftDevice Specification v7.1, data throughput, notifications;
/// events as long as the interval).
const NORDIC: [(usize, u64, &str, f64); 4] = [
    (23, 7_500, "1M", 192.0),
    (247, 50_000, "1M", 702.8),
    (247, 50_000, "2M", 1_327.5),
    (247, 400_000, "2M", 1_376.2),
];

#[test]
fn saturated_notifications_reach_what_nordic_measured() {
    for (mtu, interval_us, phy, published) in NORDIC {
        let (interval, mtu_text, chunk) =
            (interval_us.to_string(), mtu.to_string(), (mtu - 3).to_string());
        let pdu = (mtu + 4).to_string();
        let changes = [
            ("connection_interval", interval.as_str()),
            ("phy", phy),
            ("mtu", &mtu_text),
            ("chunk", &chunk),
            ("data_length", &pdu),
            ("acl_length", &pdu),
            ("host", "costs"),
            ("host_send", "10us"),
            ("host_receive", "10us"),
            ("queue", "1000"),
        ];
        let profile = bench::profile("ble-nus-notify", &changes);
        let seen = goodput(&profile, mtu - 3, 1, Extent::lasting(Duration::from_secs(20)))
            .expect("it runs");
        let ratio = seen.kbps() / published;
        assert!((ratio - 1.0).abs() < 0.02, "{mtu} B, {interval_us} us, {phy}: {}", seen.kbps());
        let ceiling = seen.ceiling_kbps().expect("a ceiling") / published;
        assert!((ceiling - 1.0).abs() < 0.02, "{mtu} B, {interval_us} us, {phy}: {ceiling}");
    }
}

/// Kilobytes per second by the formula of `MODELS`: packets that fit into an interval, 244 bytes of
/// user data each.
fn ceiling(interval_us: u64, exchange_us: u64) -> f64 {
    (interval_us / exchange_us) as f64 * 244.0 / interval_us as f64 * 1e6 / 1024.0
}

#[test]
fn saturated_notifications_fill_the_events() {
    for (phy, exchange_us) in [("1M", 2_468), ("2M", 1_392)] {
        for interval_us in [7_500, 15_000, 30_000] {
            for host in ["costs", "trouble-host"] {
                let interval = interval_us.to_string();
                let changes = [
                    ("connection_interval", interval.as_str()),
                    ("phy", phy),
                    ("event_gap", "0"),
                    ("chunk", "244"),
                    ("host", host),
                    ("host_send", "100us"),
                    ("host_receive", "100us"),
                    ("queue", "40"),
                ];
                let profile = bench::profile("ble-nus-notify", &changes);
                let seen = goodput(&profile, 244, 1, Extent::lasting(Duration::from_secs(10)))
                    .expect("it runs");
                let (kib, right) = (seen.kbps() / 8.192, ceiling(interval_us, exchange_us));
                assert!(
                    (kib / right - 1.0).abs() < 0.03,
                    "{host}, {phy}, {interval_us} us: {kib:.1} KiB/s, {right:.1} expected"
                );
                let formula = seen.ceiling_kbps().expect("a ceiling") / 8.192;
                assert!(
                    (formula / right - 1.0).abs() < 0.03,
                    "{phy}, {interval_us} us: {formula:.1} KiB/s, {right:.1} expected"
                );
            }
        }
    }
}

#[test]
fn a_host_without_a_buffer_drops_the_chunk_and_says_so() {
    let changes = [("host", "costs"), ("queue", "2"), ("when_full", "drop")];
    let profile = bench::profile("ble-nus-notify", &changes);
    let seen = bench::bench(&profile, 1_024, &bench::every(300, 100), 1);
    let transfers = bench::transfers(&seen);
    assert_eq!(seen.sent.lost + transfers.count(Outcome::Delivered) as u32, 100);
    assert_eq!(seen.incidents.get("queue full").copied(), Some(seen.sent.lost));
    assert!(seen.sent.lost > 90, "six chunks, two buffers: {}", seen.sent.lost);
}

#[test]
fn a_host_that_waits_for_a_buffer_loses_nothing() {
    let changes = [("host", "costs"), ("queue", "2")];
    let profile = bench::profile("ble-nus-notify", &changes);
    let seen = bench::bench(&profile, 1_024, &bench::every(300, 100), 1);
    assert_eq!(bench::transfers(&seen).count(Outcome::Delivered), 100);
    assert!(seen.incidents.contains_key("queue full"));
}

#[test]
fn a_connection_that_breaks_is_a_result() {
    for host in ["costs", "trouble-host"] {
        // With half of all packets lost and a timeout of four intervals, the connection breaks
        // soon.
        let changes = [("frame_loss", "0.45"), ("supervision_timeout", "100"), ("host", host)];
        let profile = bench::profile("ble-nus-notify", &changes);
        let made = run(&profile, 12, &bench::every(200, 3_000), Options::default());
        let Ok(seen) = made else {
            // The connection may also break while the two hosts are still in discovery.
            assert!(made.expect_err("stopped").to_string().contains("set up"), "{host}");
            continue;
        };
        let lost = bench::transfers(&seen).count(Outcome::Lost);
        assert!(lost > 0, "{host}");
        assert_eq!(seen.incidents.get("supervision timeout"), Some(&1), "{host}");
    }
}

#[test]
fn loss_on_the_air_delays_and_loses_nothing() {
    for link in ["ble-nus-notify", "ble-nus-write", "ble-nimble-fixed-notify"] {
        let profile = bench::profile(link, &[("frame_loss", "0.1"), ("chunk", "20")]);
        let seen = bench::bench(&profile, 200, &bench::every(2_000, 100), 1);
        let transfers = bench::transfers(&seen);
        assert_eq!(transfers.count(Outcome::Delivered), 100, "{link}");
        assert_eq!((seen.received.damaged, seen.received.orphans), (0, 0));
        assert!(transfers.spurious_ns.is_empty(), "no message arrives twice");
    }
}

#[test]
fn each_operation_carries_every_message_on_both_hosts() {
    for operation in ["notify", "indicate", "write", "write-without-response"] {
        for host in ["costs", "trouble-host"] {
            let changes = [("operation", operation), ("host", host)];
            let profile = bench::profile("ble-nus-notify", &changes);
            let seen = bench::bench(&profile, 400, &bench::every(1_000, 20), 1);
            let delivered = bench::transfers(&seen).count(Outcome::Delivered);
            assert_eq!(delivered, 20, "{operation}, {host}");
        }
    }
}

#[test]
fn a_notification_of_490_bytes_takes_no_third_packet_where_the_mtu_has_room_for_it() {
    for host in ["costs", "trouble-host"] {
        let median = |size: usize, changes: &[(&str, &str)]| {
            let mut all = vec![("host", host), ("data_length", "251"), ("acl_length", "251")];
            all.extend(changes);
            let profile = bench::profile("ble-nus-notify", &all);
            let mut all =
                bench::transfers(&bench::bench(&profile, size, &bench::every(1_001, 100), 1))
                    .latencies_ns();
            all.sort_unstable();
            all[50]
        };
        let added = |changes: &[(&str, &str)]| median(490, changes) - median(488, changes);
        // Either two more bytes on the air, or a third notification and the gap between two
        // packets.
        let (large, small) = ([("mtu", "517"), ("chunk", "490")], [("chunk", "244")]);
        assert!(added(&large).abs() < 50_000, "{host}: {}", added(&large));
        assert!(added(&small) > 300_000, "{host}: {}", added(&small));
    }
}

#[test]
fn a_write_with_response_costs_two_intervals_a_chunk() {
    for host in ["costs", "trouble-host"] {
        let profile = bench::profile("ble-nus-write", &[("anchor_phase", "0"), ("host", host)]);
        let one = bench::transfers(&bench::bench(&profile, 100, &bench::every(1_001, 50), 1));
        let six = bench::transfers(&bench::bench(&profile, 6 * 197, &bench::every(1_001, 50), 1));
        let added = six.latencies_ns()[7] - one.latencies_ns()[7];
        // Five more chunks of two intervals each; in addition, the last packet is longer.
        assert!((added - 300_000_000).abs() < 1_500_000, "{host}: {added}");
    }
}

#[test]
fn a_woken_task_saves_the_wait_for_the_tick() {
    let slowest = |link: &str| {
        let profile = bench::profile(link, &[("late", "0"), ("frame_loss", "0")]);
        let seen = bench::bench(&profile, 12, &bench::every(251, 300), 1);
        bench::transfers(&seen).latencies_ns().into_iter().max().expect("some")
    };
    let (tick, woken) = (slowest("ble-bluedroid-notify"), slowest("ble-bluedroid-notify-woken"));
    assert!(tick > woken && tick - woken < 10_000_000, "{tick} {woken}");
}

#[test]
fn every_nanosecond_of_a_transfer_has_a_name() {
    for link in
        ["ble-nus-notify", "ble-nus-write", "ble-nimble-connparams-notify", "ble-bluedroid-write"]
    {
        let profile = bench::profile(link, &[]);
        let options = Options { seed: 5, spans: true, ..Options::default() };
        let seen = run(&profile, 400, &bench::every(1_007, 40), options).expect("the bench runs");
        let all = timelines(&seen, &bench::transfers(&seen));
        assert!(!all.is_empty());
        let names: BTreeSet<&str> = all.iter().flatten().map(|part| part.name).collect();
        let other: Vec<_> =
            all.iter().filter(|parts| parts.iter().any(|p| p.name == "other")).collect();
        assert!(other.is_empty(), "{link}: {:#?}", other[0]);
        assert!(names.contains("interval wait") && names.contains("air"), "{link}: {names:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_run_also_in_two_threads_at_once() {
    let made = || {
        let profile = bench::profile("ble-nus-notify", &[("frame_loss", "0.05")]);
        bench::bench(&profile, 1_024, &bench::every(173, 200), 11)
    };
    let alone = made();
    let threads: Vec<_> = (0..2).map(|_| std::thread::spawn(made)).collect();
    for thread in threads {
        assert_eq!(thread.join().expect("no panic"), alone);
    }
}

#[test]
fn every_profile_of_the_family_is_there() {
    let names = registry::names().expect("right files");
    for stack in
        ["bluedroid", "nimble-default", "nimble-connparams", "nimble-fixed", "nus", "nus-early"]
    {
        for operation in ["notify", "write"] {
            assert!(names.contains(&&*format!("ble-{stack}-{operation}")));
            if !stack.starts_with("nus") {
                assert!(names.contains(&&*format!("ble-{stack}-{operation}-woken")));
            }
        }
    }
}

#[test]
fn a_hundred_connections_share_one_air() {
    const LINKS: usize = 100;
    let bench = Simulation::new(1);
    let air = Medium::new(&bench);
    let arrived = std::rc::Rc::new(std::cell::Cell::new(0_usize));
    for nth in 0..LINKS {
        let settings = Settings {
            // The anchor points are far enough apart for one event each. Two connections that
            // overlap and have the same hop increment would collide on every channel until their
            // crystals have drifted apart.
            anchor_phase: Duration::from_us(nth as u64 * 750),
            ..Settings::new(Interval::from_us(75_000).expect("legal"), Phy::Le2M)
        };
        let board = |role: &str, ppb: i32| {
            Board::new(&bench, &format!("{role} {nth}"), Clock::exact().with_ppb(ppb))
        };
        let (one, other) = (board("central", nth as i32 * 400), board("peripheral", 0));
        let (central, told_central) =
            Controller::new(&air, &bench, &format!("controller c{nth}"), *one.clock());
        let (peripheral, told_peripheral) =
            Controller::new(&air, &bench, &format!("controller p{nth}"), *other.clock());
        connect(&central, &peripheral, settings);
        let costs = HostCosts {
            send: Duration::from_us(300),
            gate: Duration::ZERO,
            receive: Duration::from_us(300),
            queue: 10,
            when_full: WhenFull::Wait,
            acl_length: 251,
            chunk: 197,
            operation: Opcode::Notification,
        };
        let mut sender = Host::new(&other, &peripheral, told_peripheral, costs, |_| {});
        let mut receiver = Host::new(&one, &central, told_central, costs, |_| {});
        let sim = bench.sim();
        bench.spawn(format!("sender {nth}"), async move {
            for _ in 0..20 {
                sim.sleep(Duration::from_ms(100)).await;
                let Ok(_) = sender.send(&[7; 100]).await;
            }
        });
        let arrived = std::rc::Rc::clone(&arrived);
        bench.spawn(format!("receiver {nth}"), async move {
            let mut buffer = [0; 256];
            loop {
                let Ok(got) = receiver.receive(&mut buffer).await;
                arrived.set(arrived.get() + usize::from(got == 100));
            }
        });
    }
    bench.run_until(Instant::START + Duration::from_ms(4_000)).expect("no livelock");
    assert_eq!(arrived.get(), LINKS * 20, "{} events", bench.events_fired());
}

/// Lines of the packets of a capture that match a display filter.
fn dissect(path: &std::path::Path, filter: &str) -> Option<Vec<String>> {
    let shown = airlag_peers::tshark(&["-r", path.to_str().expect("a name"), "-Y", filter])?;
    Some(shown.lines().map(str::to_owned).collect())
}

#[test]
fn a_connection_that_cannot_be_made_or_breaks_meanwhile_is_a_result() {
    // If all frames are lost, no connection is made. If most are lost, the connection breaks during
    // set-up.
    for (link, loss) in [("ble-nus-notify", "1"), ("ble-nus-notify", "0.9")] {
        let changes = [("frame_loss", loss), ("supervision_timeout", "200")];
        let seen = bench::bench(&bench::profile(link, &changes), 12, &bench::every(200, 5), 1);
        assert!(seen.incidents["not set up"] >= 1, "{link} {loss}: {:?}", seen.incidents);
        let transfers = bench::transfers(&seen);
        assert_eq!(transfers.outcome, [Outcome::Lost; 5], "{link} {loss}");
    }
}

/// Path of a capture of one 400 B message over `ble-nus-notify`, recorded from the first packet on.
fn sniffed(name: &str, changes: &[(&str, &str)]) -> std::path::PathBuf {
    let bench = Simulation::new(3);
    let profile = bench::profile("ble-nus-notify", changes);
    let place = Bench::new(&bench);
    let program = Triggered::new(&bench, 400);
    let trigger = program.wires.trigger.clone();
    profile.bind().and_then(|link| link.start(400, &program, &place)).expect("a bench");
    let sniffer = airlag_air::Sniffer::attach(place.air(), Instant::START);
    bench.run_until(Instant::START + Duration::from_ms(3_000)).expect("no livelock");
    trigger.set(true);
    bench.run_until(Instant::START + Duration::from_ms(3_500)).expect("no livelock");
    assert_eq!(place.report().received.messages, 1, "{name}");
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ble-{name}.pcapng"));
    std::fs::write(&path, sniffer.take().pcapng).expect("a file");
    path
}

#[test]
#[ignore = "needs tshark"]
fn wireshark_follows_a_connection_from_its_first_packet_and_finds_nothing_wrong() {
    // Numbers of PHYs in Wireshark, and the coding indicator of the specification.
    let phys =
        [("1M", 0, None), ("2M", 1, None), ("coded-s2", 2, Some(1)), ("coded-s8", 2, Some(0))];
    for (phy, number, indicator) in phys {
        let path = sniffed(phy, &[("phy", phy)]);
        let count = |filter: &str| dissect(&path, filter).map(|lines| lines.len());
        let wrong = "_ws.malformed || btle.crc.incorrect || btle_rf.flags.crc_valid == 0";
        let Some(wrong) = dissect(&path, wrong) else { return };
        assert!(wrong.is_empty(), "{phy}: {wrong:#?}");
        assert_eq!(count("btle.advertising_header.pdu_type == 0x05"), Some(1), "CONNECT_IND");
        assert_eq!(count("btatt.opcode == 0x02"), Some(1), "MTU exchange");
        assert_eq!(count("btatt.opcode == 0x1b"), Some(3), "400 B in notifications of 197 B");
        // Direction: 2 from the central, 3 from the peripheral, which sends the notifications.
        assert_eq!(count("btatt.opcode == 0x02 && btle_rf.pdu_type == 2"), Some(1), "{phy}");
        assert_eq!(count("btatt.opcode == 0x1b && btle_rf.pdu_type == 3"), Some(3), "{phy}");
        let data = "btle.access_address != 0x8e89bed6";
        assert_eq!(count(&format!("{data} && btle_rf.pdu_type == 0")), Some(0), "{phy}");
        assert_eq!(count(&format!("{data} && btle_rf.phy != {number}")), Some(0), "{phy}");
        let other = "btle.access_address != btle_rf.reference_access_address";
        assert_eq!(count(other), Some(0), "{phy}");
        let coded = "btle.coding_indicator";
        let all = indicator.and_then(|_| count(data)).unwrap_or(0);
        assert_eq!(count(&format!("{data} && {coded}")), Some(all), "{phy}");
        if let Some(of) = indicator {
            assert_eq!(count(&format!("{data} && {coded} != {of}")), Some(0), "{phy}");
        }
    }
}

#[test]
#[ignore = "needs tshark"]
fn wireshark_follows_a_connection_that_changes_its_interval_and_is_encrypted() {
    let changes = [("initial_interval", "50ms"), ("encrypted", "true")];
    let path = sniffed("encrypted", &changes);
    let count = |filter: &str| dissect(&path, filter).map(|lines| lines.len());
    // Without the key, the dissector interprets the first byte of an encrypted control PDU of 5 B
    // as its opcode.
    let wrong = "(_ws.malformed && btle.length != 5) || btle.crc.incorrect";
    let Some(wrong) = dissect(&path, wrong) else { return };
    assert!(wrong.is_empty(), "{wrong:#?}");
    // CONNECT_IND and LL_CONNECTION_UPDATE_IND in units of 1.25 ms.
    assert_eq!(count("btle.advertising_header.ch_sel == 1"), Some(2), "ADV_IND, CONNECT_IND");
    assert_eq!(count("btle.link_layer_data.interval == 40"), Some(1));
    assert_eq!(count("btle.control_opcode == 0x00 && btle.control.interval == 24"), Some(1));
    for opcode in ["0x03", "0x04", "0x05"] {
        let requests = format!("btle.control_opcode == {opcode}");
        assert_eq!(count(&requests), Some(1), "{requests}");
    }
    assert_eq!(count("btatt"), Some(0), "nothing that a host sent can be read");
    assert_eq!(count("btle.length == 208"), Some(2), "notifications of 197 B, sealed");
}
