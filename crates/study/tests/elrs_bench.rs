//! The bench of ExpressLRS: current of radios that use every slot, regulatory limits, and matches of its
//! captures.

use crate::bench;
use airlag_kinds::registry;
use airlag_law::{Compliance, Region};
use airlag_rig::carry::Extent;
use airlag_rig::{Options, run};
use airlag_sim::Duration;
use airlag_study::charge::charge;
use airlag_study::law::judged;
use airlag_study::matching::{self, hold, rank};
use airlag_study::{goodput, pace};

const POSITION: usize = 7;

#[test]
fn the_current_is_that_of_a_frame_in_each_slot() {
    let profile = bench::profile("elrs-900-200hz", &[("telemetry_ratio", "off")]);
    let stimulus = pace::uniform(Duration::from_secs(1), 20);
    let ran = run(&profile, POSITION, &stimulus, Options::default()).expect("a run");
    let cost = charge(&profile, POSITION, 20, &ran.draws, Options::default()).expect("listed");
    let [sender, receiver] = &cost.ends[..] else { panic!("two ends") };
    // 4.384 ms of 5 ms at 20 dBm with 120 mA, the rest in standby with 1.6 mA, beside 16 mA of the
    // processor. The receiver has 11.5 mA.
    let expected = (4.384 * 120.0 + 0.616 * 1.6) / 5.0 + 16.0;
    assert!((sender.idle_na / 1e6 - expected).abs() < 0.2, "{} {expected}", sender.idle_na);
    assert!((receiver.idle_na / 1e6 - 27.5).abs() < 0.2, "{}", receiver.idle_na);
}

/// Verdict of a region on positions at the default period.
fn standing(link: &str, changes: &[(&str, &str)], region: Region) -> (Compliance, String) {
    let profile = bench::profile(link, changes);
    let stimulus = pace::uniform(Duration::from_ms(100), 50);
    let (_, judged) =
        judged(&profile, POSITION, &stimulus, Options::default(), region).expect("it runs");
    let judged = judged.expect("a radio");
    (judged.standing(), judged.reason())
}

#[test]
fn limits_count_the_frames_of_every_slot() {
    // The channel at 869.05 MHz reaches up to 869.3 MHz, beyond the band that ends at 869.2 MHz.
    let (verdict, reason) = standing("elrs-868-50hz", &[], Region::Eu);
    assert_eq!(verdict, Compliance::NotAllowed, "{reason}");
    assert!(reason.starts_with("no band: centre frequency"), "{reason}");
    // 500 kHz of chirps on 40 channels with 100 mW.
    let (verdict, reason) = standing("elrs-900-200hz", &[], Region::Us);
    assert_ne!(verdict, Compliance::NotAllowed, "{reason}");
    // At 2.4 GHz, a module above 10 dBm has to listen.
    let (verdict, reason) = standing("elrs-2g4-500hz", &[("tx_power", "12.5")], Region::Eu);
    assert_eq!(verdict, Compliance::NotAllowed, "{reason}");
    let changes = [("tx_power", "9.0")];
    let (verdict, reason) = standing("elrs-2g4-500hz", &changes, Region::Eu);
    assert_ne!(verdict, Compliance::NotAllowed, "{reason}");
}

#[test]
fn a_stream_takes_its_slots() {
    for (link, changes) in [
        ("elrs-2g4-500hz", &[][..]),
        ("elrs-2g4-500hz", &[("telemetry_ratio", "1:2")]),
        ("elrs-2g4-f1000", &[("packet_rate", "2g4-d500")]),
        ("elrs-900-200hz", &[("handset", "free"), ("handset_period", "8ms")]),
    ] {
        let profile = bench::profile(link, changes);
        let bound = profile.bind().expect("it is right");
        let most = bound.cycle(100).expect("it fits").kbps(100).expect("it takes time");
        let extent = Extent::lasting(Duration::from_secs(20));
        let kbps = goodput(&profile, 100, 1, extent).expect("it runs").kbps();
        assert!((0.95 * most..=1.001 * most).contains(&kbps), "{link} {changes:?}: {kbps} {most}");
    }
}

#[test]
fn a_capture_of_it_is_matched_with_its_own_profile() {
    for link in ["elrs-2g4-500hz", "elrs-868-50hz"] {
        let profile = registry::find(link).expect("a link");
        let stimulus = pace::uniform(Duration::from_ms(100), 300);
        let captured = bench::transfers(&bench::bench(&profile, POSITION, &stimulus, 7));
        let options = matching::Options { seed: 3, ..matching::Options::default() };
        let found = hold(&profile, POSITION, &captured, &options).expect("a match");
        assert!(found.explains(), "{link}: {:?}", found.evidence);
    }
}

#[test]
fn of_all_links_it_is_the_one_that_explains_its_capture() {
    let profile = registry::find("elrs-900-200hz").expect("a link");
    let stimulus = pace::uniform(Duration::from_ms(100), 300);
    let captured = bench::transfers(&bench::bench(&profile, POSITION, &stimulus, 7));
    let options = matching::Options { triggers: 300, vary: false, ..matching::Options::default() };
    let all = registry::all().expect("right files");
    let ranking = rank(all, Some(POSITION), &captured, &options).expect("a ranking");
    let best = ranking.best().expect("an explanation");
    assert_eq!(best.matched.profile.name, "elrs-900-200hz");
}
