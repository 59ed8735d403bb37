//! No parameter change that passes a region's filter violates a rule that the unchanged link meets:
//! all links, parameters and regions, with payloads of one frame and of many.

use crate::region;
use std::collections::BTreeSet;

use airlag_kinds::registry::{all, find};
use airlag_law::Region;
use airlag_rig::emissions::{Sender, emitted};
use airlag_rig::kind::Medium;
use airlag_rig::profile::Profile;
use airlag_rig::run::Options;
use airlag_study::law::Judged;
use airlag_study::law::record;
use airlag_study::pace;

const SIZES: [usize; 2] = [12, 1_024];
const TRIGGERS: usize = 20;

/// Transmissions of the radios at the default message rate of `airlag run`.
fn sent(profile: &Profile, size: usize) -> Vec<Sender> {
    let service = pace::service(profile, size, 1).expect("it can be run");
    let period = pace::period(profile, size, service).expect("it is right");
    let stimulus = pace::uniform(period, TRIGGERS);
    emitted(profile, size, &stimulus, Options::default()).expect("it can be run").1
}

fn judged(profile: &Profile, senders: &[Sender], region: Region) -> Option<Judged> {
    Judged::of(profile, senders, region).expect("a right profile")
}

fn broken(profile: &Profile, senders: &[Sender], region: Region) -> BTreeSet<&'static str> {
    let of = |sender: &Sender| {
        let one = profile.bind().expect("a right profile").link().transmitter(&sender.name);
        one.map_or_else(Vec::new, |one| region::broken(region, &one, &record(sender)))
    };
    senders.iter().flat_map(of).collect()
}

/// Each profile with one changed parameter, and the settings that it requires.
fn turned(profile: &Profile, size: usize) -> Vec<(String, Profile)> {
    let mut all = Vec::new();
    for knob in profile.kind.knobs() {
        for value in knob.candidates(profile).expect("a knob of this kind") {
            let mut changed = profile.clone();
            if changed.turn(knob.name, value, size).is_ok() {
                let what = format!("{} {}={value} {size} B", profile.name, knob.name.as_str());
                all.push((what, changed));
            }
        }
    }
    all
}

/// Settings with which a link is allowed that is not allowed as captured, so that a parameter
/// change can violate a rule.
const LAWFUL: [(&str, &[(&str, &str)]); 5] = [
    ("ieee802154-ack", &[("tx_power", "10.5"), ("csma", "true")]),
    ("ieee802154-blind", &[("tx_power", "10.5"), ("csma", "true")]),
    ("lora-sf7-250k", &[("bandwidth", "500kHz")]),
    ("lora-sf7-250k", &[("frequency", "869.5MHz"), ("bandwidth", "125kHz")]),
    ("thread-up", &[("tx_power", "10.5")]),
];

fn bases() -> Vec<Profile> {
    let radios = all().expect("right files").iter().filter(|one| one.kind.medium() == Medium::Air);
    let lawful = LAWFUL.map(|(link, settings)| {
        let mut profile = find(link).expect("it is listed");
        for (key, value) in settings {
            profile.set(key, value).expect("a right setting");
        }
        profile
    });
    radios.cloned().chain(lawful).collect()
}

#[test]
fn nothing_that_a_region_forbids_passes_its_filter() {
    let (mut passed, mut stopped, mut told) = (0, Vec::new(), 0);
    for profile in &bases() {
        for size in SIZES {
            let before = sent(profile, size);
            let candidates = turned(profile, size);
            let after: Vec<_> = candidates.iter().map(|one| sent(&one.1, size)).collect();
            for region in Region::ALL {
                let own = judged(profile, &before, region);
                let had = broken(profile, &before, region);
                assert!(
                    had.is_empty() || !own.as_ref().is_none_or(Judged::is_allowed),
                    "{} {size} B as it is, {region}: {had:?}",
                    profile.name
                );
                for ((what, changed), senders) in candidates.iter().zip(&after) {
                    let now = judged(changed, senders, region);
                    let has = broken(changed, senders, region);
                    let adds: Vec<_> = has.difference(&had).collect();
                    let passes =
                        now.as_ref().is_none_or(|now| now.breaks_no_more_than(own.as_ref()));
                    assert!(!passes || adds.is_empty(), "{what}, {region}: {adds:?}");
                    told += usize::from(!adds.is_empty());
                    if passes {
                        passed += 1;
                    } else {
                        stopped.push(format!("{what}, {region}"));
                    }
                }
            }
        }
    }
    // The test would prove nothing if no link met any rule, or if the filter rejected every change.
    assert!(passed > 1_000, "{passed}");
    assert!(told > 0, "no knob breaks what the transcript knows");
    assert!(stopped.iter().any(|one| one.contains("lora")), "{stopped:?}");
    assert!(stopped.iter().any(|one| one.contains("espnow-lr version=2")), "{stopped:?}");
}
