//! Messages that come back, and messages of both boards at once, on every kind of link.

#[path = "../../rig/tests/bench/mod.rs"]
mod bench;

use airlag_rig::kind::{Medium, Ways};
use airlag_rig::run::Traffic;
use airlag_rig::{Error, Options, Profile, Run, Stimulus, registry, run};
use airlag_sim::Duration;
use airlag_stats::pair::{PairOptions, Transfers, pair};
use airlag_study::pace;
use airlag_trace::Trace;

const SIZE: usize = 128;
const COUNT: usize = 200;

/// One profile of each kind.
fn kinds() -> Vec<Profile> {
    let mut kinds: Vec<Profile> = Vec::new();
    for name in registry::names() {
        let profile = registry::find(&name).expect("a profile");
        if kinds.iter().all(|one| one.kind != profile.kind) {
            kinds.push(profile);
        }
    }
    kinds
}

/// One profile of each kind whose far board sends as well.
fn both_ways() -> Vec<Profile> {
    let kinds: Vec<_> = kinds().into_iter().filter(|one| one.kind.ways() == Ways::Both).collect();
    assert!(kinds.len() >= 7, "{} kinds", kinds.len());
    kinds
}

fn ran(profile: &Profile, stimulus: &Stimulus, traffic: Traffic) -> Result<Run, Error> {
    run(profile, SIZE, stimulus, Options { traffic, ..Options::default() })
}

/// Triggers far enough apart for a message to come back, at any phase.
fn unhurried(profile: &Profile) -> Stimulus {
    let taken = pace::round_trip(profile, SIZE, 1).expect("it runs");
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
fn an_echo_takes_about_as_long_as_both_ways_and_loses_no_more() {
    for profile in both_ways() {
        let stimulus = unhurried(&profile);
        let there = transfers(&ran(&profile, &stimulus, Traffic::Trigger).expect("it runs"));
        let echo = transfers(&ran(&profile, &stimulus, Traffic::Echo).expect("it runs"));
        let times = median_ns(&echo[0]) / median_ns(&there[0]);
        eprintln!(
            "{}: {times:.2}, {} of {}",
            profile.name,
            delivered(&echo[0]),
            delivered(&there[0])
        );
    }
}

#[test]
fn both_boards_send_at_once_and_both_are_heard() {
    for profile in both_ways() {
        let stimulus = unhurried(&profile);
        let ways = transfers(&ran(&profile, &stimulus, Traffic::Both).expect("it runs"));
        let arrived: Vec<_> = ways.iter().map(delivered).collect();
        let medians: Vec<_> = ways.iter().map(median_ns).collect();
        eprintln!("{}: {arrived:?} {medians:?}", profile.name);
    }
}

#[test]
fn a_link_that_cannot_says_why() {
    let stimulus = bench::every(200, 1);
    let mut refused = 0;
    for profile in kinds().into_iter().filter(|one| one.kind.ways() == Ways::One) {
        for traffic in [Traffic::Echo, Traffic::Both] {
            let link = profile.name.clone();
            let right = match profile.kind.medium() {
                Medium::None => Error::NoBytes { link },
                Medium::Wire | Medium::Air => Error::OneWay { link },
            };
            assert_eq!(ran(&profile, &stimulus, traffic), Err(right));
            refused += 1;
        }
    }
    assert_eq!(refused, 4, "a pin and a one-way radio");
}
