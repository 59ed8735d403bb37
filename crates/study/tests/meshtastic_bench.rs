//! The bench of Meshtastic: its timeline, pace, goodput and duty cycle, matches of its captures, and the
//! rules of both regions.

use crate::bench;
use airlag_kinds::registry;
use airlag_rig::carry::Extent;
use airlag_rig::{Options, run};
use airlag_sim::Duration;
use airlag_study::goodput::goodput;
use airlag_study::matching::{self, hold, rank};
use airlag_study::timeline::timeline;
use airlag_study::{matched, pace};

const LINKS: [&str; 4] = [
    "meshtastic-longfast-eu868",
    "meshtastic-shortfast-eu868",
    "meshtastic-longfast-3-hops",
    "meshtastic-shortturbo-us915",
];

#[test]
fn every_nanosecond_of_a_transfer_is_explained() {
    for link in LINKS {
        for (size, changes) in [
            (12, &[][..]),
            (300, &[]),
            (12, &[("frame_loss", "0.2")]),
            (300, &[("acknowledged", "false")]),
        ] {
            let profile = bench::profile(link, changes);
            let options = Options { seed: 1, spans: true, ..Options::default() };
            let run = run(&profile, size, &bench::every(200_000, 10), options).expect("it runs");
            let transfers = bench::transfers(&run);
            let mut explained = 0;
            for (&trigger, &completion) in transfers.trigger_ns.iter().zip(&transfers.completion_ns)
            {
                if completion == airlag_stats::NONE {
                    continue;
                }
                let parts = timeline(&run, trigger, completion);
                let sum: i64 = parts.iter().map(|part| part.end_ns - part.begin_ns).sum();
                assert_eq!(sum, completion - trigger, "{link}");
                let other = parts.iter().filter(|part| part.name == "other");
                assert_eq!(other.count(), 0, "{link}, {size} B, {changes:?}: {parts:?}");
                explained += 1;
            }
            assert!(explained >= 3, "{link}, {size} B, {changes:?}: {explained}");
        }
    }
}

#[test]
fn a_retransmission_has_time_in_the_default_period_and_the_period_keeps_the_duty_cycle() {
    for link in LINKS {
        let profile = registry::find(link).expect("a link");
        let wait = profile.bind().expect("it is right").link().repetition_wait(12);
        assert!(wait >= Duration::from_ms(4_500), "{link}");
        let service = pace::service(&profile, 12, 1).expect("it runs");
        let period = pace::period(&profile, 12, service).expect("a period");
        assert!(period >= (service.expect("something arrives") + wait) * 2, "{link}: {period:?}");
        let ran = run(&profile, 12, &pace::uniform(period, 1_000), Options::default());
        let transfers = matched::transfers(&ran.expect("it runs"));
        assert_eq!(transfers.latencies_ns().len(), 1_000, "{link}");
    }
}

/// An idle node may use the share of a whole hour at once, so the ceiling does not count it.
#[test]
fn goodput_is_below_its_ceiling_for_any_length_of_a_run() {
    for link in LINKS {
        for (size, changes) in [
            (12, &[][..]),
            (200, &[]),
            (12, &[("acknowledged", "false")]),
            (200, &[("acknowledged", "false"), ("duty_cycle", "1%")]),
            (12, &[("relay_role", "router"), ("addressee", "channel")]),
        ] {
            let profile = bench::profile(link, changes);
            for count in [20, 300] {
                let found = goodput(&profile, size, 1, Extent::of(count)).expect("it runs");
                let (kbps, most) = (found.kbps(), found.ceiling_kbps().expect("a ceiling"));
                assert!(kbps <= most, "{link}, {size} B, {changes:?}: {kbps} of {most}");
            }
        }
    }
}

#[test]
fn a_capture_of_it_is_matched_with_its_own_profile() {
    for link in ["meshtastic-longfast-eu868", "meshtastic-longfast-3-hops"] {
        let profile = registry::find(link).expect("a link");
        let stimulus = pace::uniform(Duration::from_secs(30), 300);
        let captured = bench::transfers(&bench::bench(&profile, 12, &stimulus, 7));
        let options = matching::Options { seed: 3, ..matching::Options::default() };
        let found = hold(&profile, 12, &captured, &options).expect("a match");
        assert!(found.explains(), "{link}: {:?}", found.evidence);
    }
}

#[test]
fn of_all_links_it_is_the_one_that_explains_its_capture() {
    let profile = registry::find("meshtastic-longfast-3-hops").expect("a link");
    let stimulus = pace::uniform(Duration::from_secs(30), 300);
    let captured = bench::transfers(&bench::bench(&profile, 12, &stimulus, 7));
    let options = matching::Options { triggers: 300, vary: false, ..matching::Options::default() };
    let all = registry::all().expect("right files");
    let ranking = rank(all, Some(12), &captured, &options).expect("a ranking");
    let best = ranking.best().expect("an explanation");
    assert_eq!(best.matched.profile.name, "meshtastic-longfast-3-hops");
}
