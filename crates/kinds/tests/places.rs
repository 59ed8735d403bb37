//! Links at many simulated locations: their differences, and the resulting confidence intervals.

use airlag_rig::places::{USUAL, apart, at_mean, run_at, seed, usual};
use airlag_rig::{Error, Options, Profile};
use airlag_stats::pair::{PairOptions, Transfers, pair};
use airlag_stats::places::{ANY, Places};

use crate::bench::{every, profile};

/// `messages` at a number of locations of a link, 20 ms apart.
fn at(link: &Profile, places: usize, messages: usize, seed: u64) -> Transfers {
    let stimulus = every(20, places * messages);
    let options = Options { seed, ..Options::default() };
    let run = run_at(link, 12, &stimulus, options, places).expect("it runs");
    let mut transfers = pair(&run.trace, PairOptions::default());
    transfers.places_ns = run.places_ns;
    transfers
}

fn seen(transfers: &Transfers) -> Places {
    Places::of(transfers, ANY).expect("places")
}

#[test]
fn the_interval_of_a_few_places_contains_what_two_thousand_say() {
    // Far enough for about half of all locations to lose messages.
    let link = profile("nrf24-250k", &[("range", "170m"), ("acknowledge", "false")]);
    let truth = seen(&at(&link, 2_000, 5, 1_000)).mean;
    assert!((0.3..0.97).contains(&truth), "{truth}");
    let intervals: Vec<(f64, f64)> =
        (1..=20).map(|seed| seen(&at(&link, USUAL, 20, seed)).mean_interval).collect();
    let hold = intervals.iter().filter(|(low, high)| (*low..=*high).contains(&truth)).count();
    // Each interval has a confidence of 95 %: fewer than 18 of 20 contain the true value in at most
    // one of thirteen thousand such tests.
    assert!(hold >= 18, "{hold} of 20 hold {truth}: {intervals:?}");
    // The intervals are informative: for 10 of 20, one extends from 0.27 to 0.73, plus or minus one
    // location.
    assert!(intervals.iter().all(|(low, high)| high - low < 0.55), "{intervals:?}");
}

#[test]
fn a_link_fares_the_same_at_the_same_places_and_otherwise_at_others() {
    let link = profile("nrf24-250k", &[("range", "170m")]);
    assert_eq!(at(&link, 10, 10, 7), at(&link, 10, 10, 7));
    assert_ne!(at(&link, 10, 10, 7).completion_ns, at(&link, 10, 10, 8).completion_ns);
    let seeds: std::collections::BTreeSet<u64> = (0..1_000).map(|nth| seed(1, nth)).collect();
    assert_eq!(seeds.len(), 1_000);
}

#[test]
fn every_message_of_every_place_is_sent_and_belongs_to_its_place() {
    let link = profile("nrf24-250k", &[("range", "20m")]);
    let transfers = at(&link, 7, 9, 1);
    assert_eq!((transfers.trigger_ns.len(), transfers.places_ns.len()), (63, 7));
    for place in transfers.places_ns.windows(2) {
        let here = transfers.trigger_ns.iter().filter(|&&at| (place[0]..place[1]).contains(&at));
        assert_eq!(here.count(), 9);
    }
    assert_eq!(seen(&transfers).shares, [1.0; 3]);
    assert!(transfers.spurious_ns.is_empty() && transfers.glitch_ns.is_empty());
}

#[test]
fn nearer_is_never_worse_and_a_mean_place_is_one_without_shadowing() {
    let mean = |range: &str| {
        let link = profile("nrf24-250k", &[("range", range), ("acknowledge", "false")]);
        seen(&at(&link, 100, 5, 3)).mean
    };
    let means = ["50m", "120m", "200m", "300m", "800m"].map(mean);
    assert!(means.is_sorted_by(|one, other| one >= other), "{means:?}");
    assert!(means[0] == 1.0 && means[4] < 0.1, "{means:?}");
    let link = profile("nrf24-250k", &[("range", "170m")]);
    assert_eq!(usual(&link, 1_000), USUAL);
    let at_mean = at_mean(&link).expect("it has a shadowing");
    assert_eq!(apart(&at_mean).map(|found| found.deviation().0), Some(0.0));
    assert_eq!(usual(&at_mean, 1_000), 1);
    assert_eq!(usual(&profile("nrf24-250k", &[]), 1_000), 1);
    assert_eq!(usual(&link, 30), 6);
}

#[test]
fn places_that_would_say_nothing_are_refused() {
    let refused = |link: &Profile, places, messages| {
        let stimulus = every(20, messages);
        let ran = run_at(link, 12, &stimulus, Options::default(), places);
        matches!(ran, Err(Error::Places { .. }))
    };
    let apart = profile("nrf24-250k", &[("range", "20m")]);
    assert!(refused(&apart, 20, 99) && !refused(&apart, 20, 100));
    assert!(refused(&profile("nrf24-250k", &[]), 20, 1_000));
    assert!(refused(&profile("uart-115200-dma", &[]), 2, 1_000));
}
