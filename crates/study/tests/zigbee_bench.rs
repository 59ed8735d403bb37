//! The bench of Zigbee: current of a device that always receives, pace, matches of its captures,
//! and its place beside Thread in a recommendation.

use crate::bench;
use airlag_kinds::registry;
use airlag_rig::{Options, run};
use airlag_sim::Duration;
use airlag_study::charge::charge;
use airlag_study::matching::{self, hold};
use airlag_study::{matched, pace};

const LINKS: [&str; 3] = ["zigbee", "zigbee-relayed", "zigbee-quick"];

#[test]
fn a_router_and_both_ends_receive_all_the_time() {
    let profile = registry::find("zigbee-relayed").expect("a link");
    let stimulus = pace::uniform(Duration::from_secs(1), 50);
    let ran = run(&profile, 8, &stimulus, Options::default()).expect("a run");
    let cost = charge(&profile, 8, 50, &ran.draws, Options::default()).expect("listed");
    assert_eq!(cost.ends.len(), 2);
    for end in &cost.ends {
        // IRADIO_RX of an nRF52840 with IEEE 802.15.4: 6.53 mA.
        let idle_ma = end.idle_na / 1e6;
        assert!((6.53..6.6).contains(&idle_ma), "{}: {idle_ma}", end.end);
    }
}

#[test]
fn messages_at_the_pace_of_the_link_all_arrive_and_none_is_faster_than_the_lower_bound() {
    for link in LINKS {
        for (size, aps_ack) in [(8, "true"), (8, "false"), (300, "true"), (300, "false")] {
            let profile = bench::profile(link, &[("aps_ack", aps_ack)]);
            let floor = profile.bind().expect("right").floor(size).expect("carried").ns();
            let service = pace::service(&profile, size, 1).expect("it runs");
            let period = pace::unhurried(service);
            let ran = run(&profile, size, &pace::uniform(period, 200), Options::default());
            let latencies = matched::transfers(&ran.expect("it runs")).latencies_ns();
            assert_eq!(latencies.len(), 200, "{link}, {size} B, {aps_ack}");
            let fastest = latencies.iter().min().expect("some");
            assert!(*fastest >= floor as i64, "{link}, {size} B: {fastest} ns, {floor} ns");
        }
    }
}

#[test]
fn a_capture_of_it_is_matched_with_its_own_profile() {
    for link in LINKS {
        let profile = registry::find(link).expect("a link");
        let stimulus = pace::uniform(Duration::from_secs(1), 300);
        let captured = bench::transfers(&bench::bench(&profile, 8, &stimulus, 7));
        let options = matching::Options { seed: 3, ..matching::Options::default() };
        let found = hold(&profile, 8, &captured, &options).expect("a match");
        assert!(found.explains(), "{link}: {:?}", found.evidence);
    }
}

#[test]
fn a_lost_message_has_time_for_its_repetition_in_the_default_period() {
    for (aps_ack, wait_ms) in [("true", 1_600), ("false", 50)] {
        let profile = bench::profile("zigbee", &[("aps_ack", aps_ack)]);
        let wait = profile.bind().expect("it is right").link().repetition_wait(8);
        assert_eq!(wait, Duration::from_ms(wait_ms));
    }
}
