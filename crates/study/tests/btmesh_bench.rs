//! The bench of Bluetooth mesh: current of a node that always receives, the pace, matches of its captures,
//! and long messages over several hops.

use crate::bench;
use airlag_kinds::registry;
use airlag_rig::{Options, run};
use airlag_sim::Duration;
use airlag_study::charge::charge;
use airlag_study::matching::{self, hold, rank};
use airlag_study::{matched, pace};

#[test]
fn a_node_receives_all_the_time() {
    let profile = registry::find("btmesh-relayed").expect("a link");
    let stimulus = pace::uniform(Duration::from_secs(2), 50);
    let ran = run(&profile, 8, &stimulus, Options::default()).expect("a run");
    let cost = charge(&profile, 8, 50, &ran.draws, Options::default()).expect("listed");
    for end in &cost.ends {
        // IRADIO_RX of an nRF52840 at 1 Mbit/s: 6.26 mA.
        let idle_ma = end.idle_na / 1e6;
        assert!((6.26..6.3).contains(&idle_ma), "{}: {idle_ma}", end.end);
    }
    assert_eq!(cost.ends.len(), 2);
}

#[test]
fn messages_are_as_far_apart_as_an_advertiser_is_occupied() {
    for link in ["btmesh", "btmesh-relayed", "btmesh-zephyr"] {
        let profile = registry::find(link).expect("a link");
        let occupied = pace::occupied(&profile, 8).expect("a cycle").as_ns();
        let service = pace::service(&profile, 8, 1).expect("it runs").expect("something arrives");
        assert!(service.as_ns() >= occupied, "{link}");
        let period = pace::unhurried(Some(service));
        let ran = run(&profile, 8, &pace::uniform(period, 200), Options::default());
        let transfers = matched::transfers(&ran.expect("it runs"));
        assert!(transfers.latencies_ns().len() >= 190, "{link}");
    }
}

#[test]
fn a_capture_of_it_is_matched_with_its_own_profile() {
    for link in ["btmesh", "btmesh-relayed"] {
        let profile = registry::find(link).expect("a link");
        let stimulus = pace::uniform(Duration::from_secs(1), 300);
        let captured = bench::transfers(&bench::bench(&profile, 8, &stimulus, 7));
        let options = matching::Options { seed: 3, ..matching::Options::default() };
        let found = hold(&profile, 8, &captured, &options).expect("a match");
        assert!(found.explains(), "{link}: {:?}", found.evidence);
    }
}

#[test]
fn of_all_links_it_is_the_one_that_explains_its_capture() {
    let profile = registry::find("btmesh-relayed").expect("a link");
    let stimulus = pace::uniform(Duration::from_secs(1), 300);
    let captured = bench::transfers(&bench::bench(&profile, 8, &stimulus, 7));
    let options = matching::Options { triggers: 300, vary: false, ..matching::Options::default() };
    let all = registry::all().expect("right files");
    let ranking = rank(all, Some(8), &captured, &options).expect("a ranking");
    let best = ranking.best().expect("an explanation");
    assert_eq!(best.matched.profile.name, "btmesh-relayed");
}

/// Share of 40 messages of 1,024 B that arrive, and their mean latency, s.
fn long_messages(changes: &[(&str, &str)]) -> (f64, f64) {
    let profile = bench::profile("btmesh-relayed", changes);
    let stimulus = pace::uniform(Duration::from_secs(100), 40);
    let ran = run(&profile, 1_024, &stimulus, Options::default()).expect("it runs");
    let latencies = matched::transfers(&ran).latencies_ns();
    let sum: i64 = latencies.iter().sum();
    (latencies.len() as f64 / 40.0, sum as f64 / latencies.len() as f64 / 1e9)
}

/// Each PDU keeps a relay busy for 155 ms. 88 segments at intervals of 160 ms take 13.6 s, because
/// no interval follows the last segment of each of the three messages.
#[test]
fn long_messages_cross_three_hops_if_segments_are_as_far_apart_as_a_relay_is_occupied() {
    let (arrived, seconds) = long_messages(&[]);
    assert!(arrived >= 0.95, "{arrived}");
    assert!((13.6..17.0).contains(&seconds), "{seconds}");
    let defaults = [("segment_interval", "60ms"), ("segment_reception_interval", "60ms")];
    let expecting_defaults = [defaults[1]];
    // With the default intervals, the queues of relays overflow. If only the receiver has the
    // default intervals, it acknowledges each segment.
    for (what, changes) in [
        ("default intervals", &defaults[..]),
        ("a receiver with its default interval", &expecting_defaults),
        ("version 1.0", &[("segmentation", "1.0"), ("segment_attempts", "4")]),
    ] {
        let (arrived, _) = long_messages(changes);
        println!("{what}: {arrived}");
        assert!(arrived < 0.5, "{what}: {arrived}");
    }
}

#[test]
fn a_repetition_has_time_in_the_default_period() {
    for (link, size, wait_ms) in [
        ("btmesh", 8, 0),
        ("btmesh", 12, 500),
        ("btmesh-relayed", 128, 500),
        ("btmesh-acknowledged", 8, 1_000),
        ("btmesh-zephyr", 12, 500),
    ] {
        let profile = registry::find(link).expect("a link");
        let wait = profile.bind().expect("it is right").link().repetition_wait(size);
        assert_eq!(wait, Duration::from_ms(wait_ms), "{link}, {size} B");
        let service = pace::service(&profile, size, 1).expect("it runs");
        let period = pace::period(&profile, size, service).expect("a period");
        let alone = service.expect("something arrives");
        assert!(period >= (alone + wait) * 2, "{link}, {size} B: {period:?}");
        assert!(period >= pace::unhurried(service), "{link}, {size} B");
        if wait_ms == 0 {
            assert_eq!(period, pace::unhurried(service));
        }
    }
}
