//! The bench of Bluetooth mesh: current of a node that always receives, the pace, and matches of its captures.

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
