//! Echoes, and traffic in both directions at once, on every kind of link.

use crate::bench;
use airlag_kinds::registry;
use airlag_rig::kind::{Medium, Ways};
use airlag_rig::run::Traffic;
use airlag_rig::{Error, Options, Profile, Run, Stimulus, run};
use airlag_stats::pair::{PairOptions, Transfers, pair};
use airlag_study::pace;
use airlag_trace::Trace;

const SIZE: usize = 128;
const COUNT: usize = 200;

/// One profile of each kind.
fn kinds() -> Vec<Profile> {
    let mut kinds: Vec<Profile> = Vec::new();
    for name in registry::names().expect("right files") {
        let profile = registry::find(name).expect("a profile");
        if kinds.iter().all(|one| one.kind != profile.kind) {
            kinds.push(profile);
        }
    }
    kinds
}

/// Profiles with these directions in their default settings.
fn of_ways(ways: Ways) -> Vec<Profile> {
    let is = |one: &Profile| one.bind().expect("a right profile").ways() == ways;
    kinds().into_iter().filter(is).collect()
}

/// Settings without effects that differ between an answer and a message of its own: a fitted loss, which no
/// traffic causes, and power save, in which a radio is still awake for an answer.
const STEADY: [(&str, &str); 2] = [("datagram_loss", "0"), ("power_save", "false")];

/// One profile of each kind whose far board can send as well, with [`STEADY`] settings.
fn both_ways() -> Vec<Profile> {
    let mut kinds = of_ways(Ways::Both);
    assert!(kinds.len() >= 7, "{} kinds", kinds.len());
    for profile in &mut kinds {
        for (name, value) in STEADY {
            if profile.known(name).is_ok() {
                profile.set(name, value).expect("a setting");
            }
        }
    }
    kinds
}

fn ran(profile: &Profile, stimulus: &Stimulus, traffic: Traffic) -> Result<Run, Error> {
    run(profile, SIZE, stimulus, Options { traffic, ..Options::default() })
}

/// Triggers far enough apart for an echo to return, at any phase.
fn unhurried(profile: &Profile) -> Stimulus {
    let taken = pace::taken(profile, SIZE, 1, Traffic::Echo).expect("it runs");
    pace::asynchronous(Some(taken.expect("an echo comes back")), COUNT)
}

/// The transfers of each way.
fn transfers(run: &Run) -> Vec<Transfers> {
    let of = |channels: &[_]| {
        let trace = Trace { channels: channels.to_vec(), ..run.trace.clone() };
        pair(&trace, PairOptions::default())
    };
    run.trace.channels.chunks(2).map(of).collect()
}

fn median_ns(transfers: &Transfers) -> f64 {
    let mut latencies = transfers.latencies_ns();
    latencies.sort_unstable();
    bench::quantile(&latencies, 0.5)
}

fn delivered(transfers: &Transfers) -> usize {
    transfers.latencies_ns().len()
}

#[test]
fn an_echo_takes_as_long_as_both_ways_together_and_none_is_lost() {
    for profile in both_ways() {
        let stimulus = unhurried(&profile);
        let echo = &transfers(&ran(&profile, &stimulus, Traffic::Echo).expect("it runs"))[0];
        let both = transfers(&ran(&profile, &stimulus, Traffic::Both).expect("it runs"));
        let times = median_ns(echo) / both.iter().map(median_ns).sum::<f64>();
        // A message that waits for its turn or interval has a different wait as an answer.
        assert!((0.8..=1.25).contains(&times), "{}: {times} of the sum", profile.name);
        assert_eq!(delivered(echo), COUNT, "{}", profile.name);
    }
}

/// Links that lose messages if both boards send at once: a polled port does not receive while it
/// sends, and radios without acknowledgements do not repeat frames that collide.
const LOSE: [&str; 3] = ["uart-9600-poll", "lora-sf7-250k", "ieee802154-blind"];

#[test]
fn both_boards_send_and_only_what_collides_is_lost() {
    let mut colliding = 0;
    for profile in both_ways() {
        let stimulus = unhurried(&profile);
        let ways = transfers(&ran(&profile, &stimulus, Traffic::Both).expect("it runs"));
        assert_eq!(ways.len(), 2);
        for way in &ways {
            let arrived = delivered(way);
            if LOSE.contains(&profile.name.as_str()) {
                colliding += 1;
                assert!((COUNT / 3..COUNT).contains(&arrived), "{}: {arrived}", profile.name);
            } else {
                assert_eq!(arrived, COUNT, "{}", profile.name);
            }
        }
    }
    assert_eq!(colliding, 2 * LOSE.len());
}

#[test]
fn a_link_that_cannot_says_why() {
    let stimulus = bench::every(200, 1);
    let mut refused = 0;
    for profile in of_ways(Ways::One) {
        for traffic in [Traffic::Echo, Traffic::Both] {
            let link = profile.name.clone();
            let right = match profile.kind.medium() {
                Medium::None => Error::NoBytes { link },
                Medium::Wire | Medium::Air => profile.bind().expect("a right profile").one_way(),
            };
            let said = right.to_string();
            assert_eq!(ran(&profile, &stimulus, traffic), Err(right));
            // A radio that can answer says how.
            let helps = profile.kind.name() == "nrf24";
            assert_eq!(said.ends_with("or set reply=ack-payload"), helps, "{said}");
            refused += 1;
        }
    }
    assert_eq!(refused, 10, "a pin and four one-way radios");
}
