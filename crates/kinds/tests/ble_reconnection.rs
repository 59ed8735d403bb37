//! A Bluetooth LE peripheral that connects anew for each message.

use airlag_kinds::registry;
use airlag_peers::dissect;
use airlag_rig::profile::Profile;
use airlag_rig::run::Traffic;
use airlag_rig::{Options, run, sniff};

use crate::bench;

const MS: i64 = 1_000_000;

fn resting(link: &str, changes: &[(&str, &str)]) -> Profile {
    let rest = [("rest", "idle"), ("phy", "1M"), ("connection_interval", "7.5ms")];
    bench::profile(link, &[&rest[..], changes].concat())
}

/// Latencies of messages of 12 B, one in two seconds, ascending, ns.
fn latencies(profile: &Profile, count: usize) -> Vec<i64> {
    let ran = bench::bench(profile, 12, &bench::every(2_003, count), 1);
    let mut found = bench::transfers(&ran).latencies_ns();
    found.sort_unstable();
    found
}

#[test]
fn every_message_arrives_over_a_connection_of_its_own_with_either_host() {
    for host in ["costs", "trouble-host"] {
        let found = latencies(&resting("ble-nus-notify", &[("host", host)]), 60);
        assert_eq!(found.len(), 60, "{host}");
        // At least two exchanges of the hosts, MTU and subscription, in different events each:
        // the first event begins 1.9 ms after the first ADV_IND, and four events of 7.5 ms follow.
        assert!(found[0] > 1_900_000 + 4 * 7_500_000, "{host}: {found:?}");
        // At the latest, the ADV_IND of the second event arrives: 30 ms, and then ten events.
        assert!(found[59] < 120 * MS, "{host}: {found:?}");
    }
}

#[test]
fn a_bond_saves_the_subscription_and_a_small_mtu_its_exchange() {
    let median = |changes: &[(&str, &str)]| {
        let found = latencies(&resting("ble-nus-notify", changes), 101);
        bench::quantile(&found, 0.5) / 1e6
    };
    let costs = ("host", "costs");
    let plain = median(&[costs]);
    let small = median(&[costs, ("mtu", "23"), ("chunk", "20")]);
    // The request and the response of the MTU exchange are in two different events.
    assert!((plain - small - 15.0).abs() < 8.0, "{plain} {small}");
    // With a bond there is no subscription, but data waits for four procedures of the link layer,
    // of which the last one has three steps.
    let bonded = median(&[costs, ("mtu", "23"), ("chunk", "20"), ("encrypted", "true")]);
    assert!(bonded > small, "{bonded} {small}");
}

#[test]
fn a_restart_adds_its_boot_time() {
    let idle = latencies(&resting("ble-nus-notify", &[("host", "costs")]), 40);
    let changes = [("host", "costs"), ("rest", "deep"), ("boot", "150ms")];
    let deep = latencies(&resting("ble-nus-notify", &changes), 40);
    let difference = (deep[0] - idle[0]) as f64 / 1e6;
    assert!((difference - 150.0).abs() < 8.0, "{difference}");
}

#[test]
fn a_message_during_the_end_of_the_connection_waits_for_the_next_one() {
    // The connection of a message ends 15 to 30 ms after it; each message is 65 ms after the last.
    let profile = resting("ble-nus-notify", &[("host", "costs"), ("mtu", "23"), ("chunk", "20")]);
    for period_ms in [65, 71, 79, 93] {
        let ran = bench::bench(&profile, 12, &bench::every(period_ms, 50), 1);
        assert_eq!((ran.sent.messages, ran.received.messages, ran.sent.lost), (50, 50, 0));
    }
}

#[test]
fn losses_of_any_packet_delay_a_message_and_do_not_stop_the_boards() {
    for host in ["costs", "trouble-host"] {
        let profile = resting("ble-nus-notify", &[("host", host), ("frame_loss", "0.2")]);
        let ran = bench::bench(&profile, 12, &bench::every(2_000, 100), 1);
        assert_eq!(ran.sent.messages, 100, "{host}");
        assert!(ran.received.messages >= 95, "{host}: {}", ran.received.messages);
    }
}

#[test]
fn settings_that_make_no_sense_are_refused_with_the_right_one() {
    let line = |link: &str, changes: &[(&str, &str)], traffic| {
        let profile = bench::profile(link, changes);
        let options = Options { traffic, ..Options::default() };
        let ran = run(&profile, 12, &bench::every(1_000, 2), options);
        let line = ran.map(|_| ()).expect_err("refused").to_string();
        assert!(!line.contains('\n'), "{line}");
        line
    };
    let rest = ("rest", "deep");
    let one_way = Traffic::default();
    for (link, changes, traffic, right) in [
        ("ble-nus-write", &[rest, ("phy", "1M")][..], one_way, "operation=notify"),
        ("ble-nus-notify", &[rest][..], one_way, "phy=1M"),
        ("ble-nus-notify", &[rest, ("phy", "1M"), ("latency", "4")][..], one_way, "latency=0"),
        ("ble-nus-notify", &[rest, ("phy", "1M")][..], Traffic::Echo, "rest=awake"),
        (
            "ble-nus-notify",
            &[rest, ("phy", "1M"), ("scan_window", "70ms")][..],
            one_way,
            "scan interval",
        ),
    ] {
        let line = line(link, changes, traffic);
        assert!(line.contains(right), "{line}");
    }
}

#[test]
fn the_setting_brings_along_what_it_requires() {
    let mut profile = registry::find("ble-nus-notify").expect("built in");
    profile.set("latency", "4").expect("a setting");
    let knob = profile.kind.saving().iter().find(|knob| knob.name.as_str() == "rest");
    let along = profile.turn(knob.expect("a knob").name, "deep", 12).expect("it is allowed");
    let names: Vec<(&str, &str)> = along.iter().map(|one| (one.name.as_str(), one.value)).collect();
    assert_eq!(names, [("phy", "1M"), ("latency", "0")]);
}

#[test]
#[ignore = "needs tshark"]
fn tshark_reads_a_connection_from_its_advertisement_to_its_termination() {
    for host in ["costs", "trouble-host"] {
        let profile = resting("ble-nus-notify", &[("host", host)]);
        let options = Options::default();
        let (_, capture) = sniff(&profile, 12, &bench::every(1_000, 1), options).expect("runs");
        assert!(capture.left_out.is_empty(), "{host}");
        let fields = [
            "btle.advertising_header.pdu_type",
            "btle.control_opcode",
            "btatt.opcode",
            "_ws.malformed",
        ];
        let Some(found) = dissect(host, &capture.pcapng, &fields) else { return };
        let column = |nth: usize| -> Vec<&str> {
            let one = found.iter().map(|line| line[nth].as_str());
            one.filter(|text| !text.is_empty()).collect()
        };
        let types = column(0);
        // ADV_IND until the CONNECT_IND.
        assert!(types[..types.len() - 1].iter().all(|&one| one == "0x00"), "{types:?}");
        assert_eq!(types.last(), Some(&"0x05"), "{host}");
        // LL_FEATURE, LL_VERSION, LL_LENGTH, LL_TERMINATE_IND.
        let control = ["0x08", "0x09", "0x0c", "0x0c", "0x14", "0x15", "0x02"];
        assert_eq!(column(1), control, "{host}");
        // MTU exchange, subscription, notification. trouble-host sends the notification when the
        // subscription arrives.
        assert_eq!(column(2), ["0x02", "0x03", "0x12", "0x13", "0x1b"], "{host}");
        assert!(column(3).is_empty(), "{host}");
    }
}
