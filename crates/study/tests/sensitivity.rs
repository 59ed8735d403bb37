//! Effects of assumed constants, compared with ordinary runs.

use crate::bench;
use airlag_rig::Profile;
use airlag_rig::origin::Source;
use airlag_rig::parameter::Value;
use airlag_stats::dist::{Delivery, quantiles};
use airlag_study::sensitivity::{Changed, Effect, LeftOut, Sensitivity};
use airlag_study::{pace, sensitivity};

fn told(profile: &Profile) -> Sensitivity<'_> {
    sensitivity(profile, 128, 60, 1).expect("it runs")
}

fn effect<'a>(told: &'a Sensitivity<'_>, name: &str) -> &'a Effect<'a> {
    told.effects.iter().find(|one| one.constant.name == name).expect("a constant that is weighed")
}

/// Median, 99 % quantile and delivery ratio of an ordinary run.
fn plain(profile: &Profile) -> ([f64; 2], f64) {
    let service = pace::service(profile, 128, 1).expect("it runs");
    let run = bench::bench(profile, 128, &pace::asynchronous(service, 60), 1);
    let transfers = bench::transfers(&run);
    let latencies = quantiles(&transfers.latencies_ns(), &[0.5, 0.99]);
    ([latencies[0], latencies[1]], Delivery::of(&transfers).expect("transfers").ratio)
}

#[test]
fn an_effect_is_what_plain_runs_say() {
    let profile = bench::profile("nrf24-2m", &[]);
    let told = told(&profile);
    let (own, _) = plain(&profile);
    assert_eq!(told.own.quantiles_ns, Some(own));
    let found = effect(&told, "spi_byte");
    let mut largest = 0.0_f64;
    for (changed, value) in [(&found.halved, "498"), (&found.doubled, "1992")] {
        let Changed { value: set, seen } = changed.as_ref().expect("within its range");
        let (right, delivery) = plain(&bench::profile("nrf24-2m", &[("spi_byte", value)]));
        let seen = seen.as_ref().expect("it runs");
        assert_eq!(set.to_string(), value);
        assert_eq!((seen.quantiles_ns, seen.delivery), (Some(right), Some(delivery)));
        largest = (0..2).map(|at| (right[at] / own[at] - 1.0).abs()).fold(largest, f64::max);
    }
    assert_eq!(found.share, largest);
}

#[test]
fn a_bound_is_weighed_at_its_ends() {
    let bounded = |bound: &str| {
        let text = include_str!("../../../links/nrf24-2m.toml");
        let line = text.lines().find(|line| line.starts_with("spi_transaction =")).expect("it has");
        let end = line.strip_suffix(" }").expect("a table");
        let text = text.replace(line, &format!("{end}, bound = {bound} }}"));
        Profile::parse("nrf24-2m", &text, airlag_kinds::ALL).expect("right").remove(0)
    };
    let profile = bounded("[0, 9000]");
    let told = told(&profile);
    let (own, _) = plain(&profile);
    let found = effect(&told, "spi_transaction");
    assert_eq!((&found.halved, &found.doubled), (&None, &None), "half of zero is zero");
    let within = found.within.as_ref().expect("a bound");
    assert_eq!(within.lowest, None, "it is there already");
    let highest = within.highest.as_ref().expect("another value");
    let (right, _) = plain(&bench::profile("nrf24-2m", &[("spi_transaction", "9000")]));
    assert_eq!(highest.seen.as_ref().expect("it runs").quantiles_ns, Some(right));
    let largest = (0..2).map(|at| (right[at] / own[at] - 1.0).abs()).fold(0.0, f64::max);
    assert_eq!(within.share, largest);
    assert!(largest > 0.0);
}

#[test]
fn chance_is_what_other_seeds_do() {
    let profile = bench::profile("uart-115200-irq", &[]);
    let of = |seed| sensitivity(&profile, 128, 60, seed).expect("it runs").own.quantiles_ns;
    let own = of(1).expect("it arrives");
    let others: Vec<[f64; 2]> = (2..=5).map(|seed| of(seed).expect("it arrives")).collect();
    let largest = [0, 1].map(|at| {
        let away = others.iter().map(|other| (other[at] / own[at] - 1.0).abs());
        away.fold(0.0, f64::max)
    });
    assert_eq!(told(&profile).chance, largest);
    assert!(largest.into_iter().all(|share| share > 0.0));
}

#[test]
fn every_assumed_and_calibrated_constant_is_weighed_or_named_the_largest_first() {
    let profile = bench::profile("nrf24-2m", &[]);
    let told = told(&profile);
    assert!(told.effects.is_sorted_by(|one, next| one.share >= next.share));
    let open = profile
        .constants()
        .filter(|one| matches!(one.origin.source, Source::Assumed | Source::Calibrated));
    assert_eq!(told.effects.len() + told.left_out.len(), open.count());
    let why = |name: &str| told.left_out.iter().find(|(one, _)| one.name == name).map(|one| one.1);
    assert_eq!(why("frame_loss"), Some(LeftOut::Zero));
    assert_eq!(why("broken_ack"), Some(LeftOut::Choice));
}

#[test]
fn the_same_seed_weighs_alike() {
    let profile = bench::profile("uart-115200-irq", &[]);
    assert_eq!(told(&profile), told(&profile));
}

#[test]
fn a_value_stays_within_its_range() {
    let profile = bench::profile("nrf24-2m", &[("late_frames", "0.7"), ("retransmit_count", "15")]);
    let told = told(&profile);
    let doubled = |name| effect(&told, name).doubled.as_ref().map(|one| one.value.clone());
    assert_eq!(doubled("late_frames"), Some(Value::Real(1.0)));
    assert_eq!(doubled("retransmit_count"), None, "there is nothing above 15");
}

#[test]
fn a_value_the_bench_refuses_is_told() {
    let profile = bench::profile("ble-nus-notify", &[("chunk", "197")]);
    let told = told(&profile);
    let found = effect(&told, "chunk");
    let refused = found.doubled.as_ref().expect("within its range").seen.as_ref();
    let line = refused.expect_err("too large for the MTU").to_string();
    assert!(line.contains("not 394"), "{line}");
    assert!(found.halved.as_ref().expect("within its range").seen.is_ok());
}
