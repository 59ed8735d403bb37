//! Advice can be applied to the hardware, complies with the regulations, and also helps under other
//! seeds.

use crate::bench;
use crate::rules;
use airlag_rig::Profile;
use airlag_rig::run::Traffic;
use airlag_stats::dist::quantiles;
use airlag_study::advice::{Advice, Change};
use airlag_study::alignment::alignment;
use airlag_study::{Aim, advise, pace};

/// One profile of each radio with tunable parameters, and profiles whose settings require others.
const LINKS: [(&str, &[(&str, &str)]); 10] = [
    ("nrf24-2m", &[("retransmit_delay", "250us")]),
    ("nrf24-250k", &[]),
    ("lora-sf7-250k", &[("bandwidth", "62.5kHz")]),
    ("lora-sf11-62k5", &[]),
    ("ieee802154-ack", &[]),
    ("espnow", &[]),
    ("ble-bluedroid-notify", &[]),
    ("sik-64k", &[]),
    ("spp-esp32", &[]),
    ("thread-up", &[]),
];

fn changes(advice: &Advice) -> impl Iterator<Item = &Change> {
    advice.single.iter().chain(&advice.trades).chain(&advice.combined)
}

fn with(profile: &Profile, change: &Change) -> Profile {
    let mut profile = profile.clone();
    for setting in &change.settings {
        profile.set(setting.name, setting.value).expect("a right change");
    }
    profile
}

#[test]
fn what_is_advised_is_taken_by_the_hardware_and_breaks_no_clause() {
    let mut seen = 0;
    for (link, settings) in LINKS {
        let profile = bench::profile(link, settings);
        for size in [12, 128] {
            let advice = advise(&profile, size, 120, 1, Aim::Median, Traffic::Trigger);
            for change in changes(&advice.expect("it runs")) {
                let set = with(&profile, change);
                let what = format!("{link} {size} B: {:?}", change.settings);
                assert!(set.bind().and_then(|link| link.floor(size)).is_ok(), "{what}");
                assert_eq!(rules::newly_broken(&profile, &set), None, "{what}");
                seen += 1;
            }
        }
    }
    assert!(seen > 30, "{seen}");
}

#[test]
fn a_knob_is_told_with_what_it_takes_along_and_what_that_gives_up() {
    let profile = bench::profile("lora-sf7-250k", &[]);
    let advice = advise(&profile, 128, 60, 1, Aim::Median, Traffic::Trigger).expect("it runs");
    let quickest = advice.trades.iter().find(|change| change.settings[0].value == "6");
    let set: Vec<_> =
        quickest.expect("it is quicker").settings.iter().map(|one| (one.name, one.value)).collect();
    assert_eq!(set, [("spreading_factor", "6"), ("header", "implicit")]);
    let costs: Vec<String> =
        quickest.expect("it is quicker").costs.iter().map(ToString::to_string).collect();
    assert!(costs.iter().any(|cost| cost.starts_with("gives up range")), "{costs:?}");
    assert!(costs.iter().any(|cost| cost.contains("messages of other lengths")), "{costs:?}");
}

#[test]
fn costs_that_no_latency_shows_are_told_and_never_free() {
    // Parameters that reduce the latency here, each with the expected words of its cost.
    for (link, name, value, words) in [
        ("nrf24-2m", "payload", "exact", "messages of other lengths"),
        ("lora-sf7-250k", "header", "implicit", "messages of other lengths"),
        ("lora-sf7-250k", "preamble", "6", "both ends must agree"),
        ("espnow-woken", "beacons", "false", "modem sleep"),
        ("ble-nus-notify", "connection_interval", "7.5ms", "iOS needs 15 ms"),
        ("ble-nimble-fixed-write", "operation", "notify", "the sending end is the peripheral"),
    ] {
        let profile = bench::profile(link, &[]);
        let known = profile.kind.knobs().iter().find(|knob| {
            let values = knob.candidates(&profile).expect("a knob of this kind");
            knob.name.as_str() == name && values.contains(&value)
        });
        let gives_up = known.unwrap_or_else(|| panic!("{link} {name}={value}")).gives_up;
        assert!(gives_up.contains(words), "{link} {name}={value}: {gives_up}");
        let advice = advise(&profile, 128, 100, 2, Aim::Median, Traffic::Trigger).expect("it runs");
        for free in advice.single.iter().chain(&advice.combined) {
            assert!(free.costs.is_empty());
            assert!(free.settings.iter().all(|one| (one.name, one.value) != (name, value)));
        }
    }
}

#[test]
fn what_is_told_was_measured_under_another_seed_than_it_was_chosen_under() {
    let profile = bench::profile("nrf24-2m", &[]);
    let told =
        |seed| advise(&profile, 128, 400, seed, Aim::Tail, Traffic::Trigger).expect("it runs");
    let advice = told(5);
    assert_eq!(advice.choice_seed, 6);
    // Number of benches: the unchanged profile on both sets of benches, and each reported change
    // twice.
    let again = advice.single.len() + advice.trades.len() + advice.combined.len();
    assert!(advice.measured > again, "{} of {again}", advice.measured);
    assert!(advice.tried > 2 * again);
    // Reported changes also help on the benches on which they were selected.
    let tail = |profile: &Profile, seed| {
        let service = pace::service(profile, 128, seed).expect("it runs");
        let seen = bench::bench(profile, 128, &pace::asynchronous(service, 400), seed);
        quantiles(&bench::transfers(&seen).latencies_ns(), &[0.99])[0]
    };
    for change in changes(&advice) {
        let set = with(&profile, change);
        for seed in [5, 6] {
            assert!(tail(&set, seed) < tail(&profile, seed), "{:?}", change.settings);
        }
        assert_eq!(change.p99.b, tail(&set, 5), "{:?}", change.settings);
    }
    // The unchanged profile, with which all changes are compared, runs with the requested seed.
    let own = told(6);
    assert_ne!(advice.single[0].p99.a, own.single[0].p99.a);
}

#[test]
fn an_aligned_trigger_gains_what_its_link_waits_for() {
    // Connection events every 30 ms; turns of a SiK radio every 115 ms; no alignment without a
    // schedule.
    let found = |link: &str| {
        let profile = bench::profile(link, &[]);
        alignment(&profile, 12, 1, Aim::Tail).expect("it can be run")
    };
    let ble = found("ble-nus-notify").expect("it waits for its connection events");
    assert!(ble.p99_ns[0] > 28e6 && ble.p99_ns[1] < 10e6, "{ble:?}");
    assert!(ble.offset.as_ns() < 30_000_000, "{ble:?}");
    let sik = found("sik-64k").expect("it waits for its turn");
    assert!(sik.p50_ns[0] > 60e6 && sik.p99_ns[1] < 40e6, "{sik:?}");
    println!("{ble:?} {sik:?}");
    assert_eq!(found("nrf24-2m"), None);
    assert_eq!(found("lora-sf7-250k"), None);
}
