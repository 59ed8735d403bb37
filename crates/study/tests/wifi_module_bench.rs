//! Wi-Fi modules: regulatory limits, matches of their captures, and the effect of a faster serial
//! line.

use crate::bench;
use airlag_kinds::registry;
use airlag_law::{Compliance, Region};
use airlag_rig::Options;
use airlag_rig::carry::Extent;
use airlag_sim::Duration;
use airlag_study::law::judged;
use airlag_study::matching::{self, hold};
use airlag_study::{goodput, pace};

const LINKS: [&str; 2] = ["wifi-module-odin-w2", "wifi-module-nora-w36"];

#[test]
fn module_and_access_point_listen_before_they_send() {
    for link in LINKS {
        for region in Region::ALL {
            let profile = registry::find(link).expect("a link");
            let stimulus = pace::uniform(Duration::from_ms(100), 50);
            let (_, judged) =
                judged(&profile, 512, &stimulus, Options::default(), region).expect("it runs");
            let judged = judged.expect("radios");
            assert_ne!(judged.standing(), Compliance::NotAllowed, "{link}: {}", judged.reason());
            let names: Vec<&str> = judged.radios.iter().map(|radio| radio.name.as_str()).collect();
            assert!(names.contains(&"sender module radio"), "{names:?}");
            assert!(names.contains(&"receiver radio"), "{names:?}");
        }
    }
}

#[test]
fn a_capture_of_it_is_matched_with_its_own_profile() {
    for link in LINKS {
        for direction in ["up", "down"] {
            let profile = bench::profile(link, &[("direction", direction)]);
            let stimulus = pace::uniform(Duration::from_ms(200), 300);
            let captured = bench::transfers(&bench::bench(&profile, 512, &stimulus, 7));
            let options = matching::Options { seed: 3, ..matching::Options::default() };
            let found = hold(&profile, 512, &captured, &options).expect("a match");
            assert!(found.explains(), "{link} {direction}: {:?}", found.evidence);
        }
    }
}

#[test]
fn a_stream_is_limited_by_the_line_until_the_module_is_slower() {
    let kbps = |baud, decode| {
        let changes = [("baud", baud), ("decode", decode), ("datagram_loss", "0")];
        let profile = bench::profile("wifi-module-odin-w2", &changes);
        let ceiling = profile.bind().expect("right").cycle(1_400).expect("it fits");
        let extent = Extent::lasting(Duration::from_secs(5));
        let carried = goodput(&profile, 1_400, 1, extent).expect("it runs").kbps();
        (carried, ceiling.kbps(1_400).expect("it takes time"))
    };
    let (slow, ceiling) = kbps("921600", "1us");
    assert!((0.95 * ceiling..=1.001 * ceiling).contains(&slow), "{slow} {ceiling}");
    let (held_up, ceiling) = kbps("5250000", "10ms");
    // A datagram of 1400 B every 10 ms.
    assert!((1_000.0..1_121.0).contains(&held_up) && ceiling > 3_000.0, "{held_up} {ceiling}");
}
