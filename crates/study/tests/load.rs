//! Links under load, compared with queueing theory and with their own formulas.

use crate::bench;
use airlag_kinds::registry;
use airlag_rig::Profile;
use airlag_rig::carry::{Extent, Load, Outcome, offer};
use airlag_rig::kind::Medium;
use airlag_sim::{Duration, Stream};
use airlag_stats::dist::quantiles;
use airlag_study::load::{Arrivals, Loaded, Point, Rate, Task};
use airlag_study::{goodput, load};
use proptest::prelude::*;

/// The nRF24 at 2 Mbit/s under load.
fn loaded(arrivals: Arrivals, parts: &[f64], count: usize) -> Loaded {
    let rates = parts.iter().copied().map(Rate::Utilisation).collect();
    let task = Task { rates, arrivals, count, ..Task::new(128, 1) };
    load(&bench::profile("nrf24-2m", &[]), &task, || ()).expect("it takes a load")
}

fn p99_ns(latencies_ns: &[i64]) -> f64 {
    quantiles(latencies_ns, &[0.99])[0]
}

fn mean(values: &[i64]) -> f64 {
    values.iter().map(|&value| value as f64).sum::<f64>() / values.len() as f64
}

/// One profile of each kind that carries bytes.
fn kinds() -> Vec<Profile> {
    let mut kinds: Vec<Profile> = Vec::new();
    for name in registry::names().expect("right files") {
        let profile = registry::find(name).expect("a profile");
        let new = kinds.iter().all(|one| one.kind != profile.kind);
        if new && profile.kind.medium() != Medium::None {
            kinds.push(profile);
        }
    }
    kinds
}

#[test]
fn the_knee_of_the_nrf24_is_what_it_carries_when_it_never_waits() {
    for arrivals in [Arrivals::Periodic, Arrivals::Poisson] {
        let seen = loaded(arrivals, &[0.5, 0.9, 1.2], 1_000);
        let knee = seen.knee_kbps.expect("a knee");
        let off = knee / seen.saturated.kbps() - 1.0;
        assert!(off.abs() <= 0.05, "{arrivals:?}: {knee} of {}", seen.saturated.kbps());
    }
}

#[test]
fn a_few_messages_of_a_link_that_holds_hundreds_are_waited_for() {
    let profile = bench::profile("tunnel-naive", &[]);
    let seen = goodput(&profile, 128, 1, Extent::of(20)).expect("it runs");
    assert_eq!((seen.delivered, seen.lost), (20, 0));
}

/// A TUN device accepts 500 packets before it blocks a sender.
#[test]
fn what_a_link_holds_itself_is_full_before_its_knee_is_looked_for() {
    let parts = [0.5, 0.9, 1.2, 1.5].map(Rate::Utilisation);
    let profile = bench::profile("tunnel-naive", &[]);
    for (size, arrivals) in [(128, Arrivals::Poisson), (1_024, Arrivals::Periodic)] {
        let task = Task { rates: parts.to_vec(), arrivals, count: 500, ..Task::new(size, 1) };
        let seen = load(&profile, &task, || ()).expect("it takes a load");
        assert!((490..=501).contains(&seen.saturated.under_way), "{}", seen.saturated.under_way);
        let most = seen.saturated.kbps();
        let knee = seen.knee_kbps.expect("a knee");
        assert!((knee / most - 1.0).abs() <= 0.05, "{size} B: {knee} of {most}");
        for point in &seen.points[2..] {
            let off = point.goodput_kbps / most - 1.0;
            assert!(off.abs() <= 0.05, "{size} B, {}: {off}", point.utilisation);
            let refused = point.refused as f64 / point.offered as f64;
            let right = 1.0 - 1.0 / point.utilisation;
            assert!((refused - right).abs() <= 0.05, "{size} B: {refused} of {right}");
        }
    }
}

#[test]
fn below_half_of_it_a_message_a_period_waits_for_no_other() {
    let alone = bench::bench(&bench::profile("nrf24-2m", &[]), 128, &bench::every(200, 1_000), 1);
    let alone = p99_ns(&bench::transfers(&alone).latencies_ns());
    for point in loaded(Arrivals::Periodic, &[0.1, 0.3, 0.49], 1_000).points {
        let p99 = p99_ns(&point.latencies_ns);
        assert!(p99 <= 1.5 * alone, "{}: {p99} ns, alone {alone} ns", point.utilisation);
        assert_eq!(point.refused, 0);
    }
}

/// Service time of a message at the sender, ns: the interval between two messages that leave a
/// queue which is never empty.
fn services_ns(profile: &Profile, size: usize) -> Vec<i64> {
    let load = Load {
        exchange: None,
        size,
        room: 4_000,
        ahead: 0,
        arrivals: vec![Duration::ZERO; 4_000],
        watch: (Duration::ZERO, Duration::ZERO),
        patience: Duration::from_secs(60),
    };
    let outcome = offer(profile, &load, 1).expect("it runs");
    let taken: Vec<_> = outcome.messages.iter().filter_map(|one| one.taken).collect();
    taken[100..].windows(2).map(|two| two[1].since(two[0]).as_ns() as i64).collect()
}

/// Pollaczek and Khinchine: with a service time S and Poisson arrivals at a rate l, the mean wait
/// is l E(S^2) / 2 (1 - l E(S)).
#[test]
fn messages_at_random_wait_as_long_as_pollaczek_and_khinchine_say() {
    let (profile, size) = (bench::profile("nrf24-2m", &[]), 512);
    let services = services_ns(&profile, size);
    let service = mean(&services);
    let square =
        services.iter().map(|&ns| (ns as f64).powi(2)).sum::<f64>() / services.len() as f64;
    for part in [0.3, 0.6] {
        let rates = vec![Rate::Kbps(part * size as f64 * 8e6 / service)];
        let task = Task { rates, room: 4_000, count: 40_000, ..Task::new(size, 1) };
        let seen = load(&profile, &task, || ()).expect("it takes a load");
        let rate = part / service;
        let right = rate * square / (2.0 * (1.0 - part));
        let waited = mean(&seen.points[0].waits_ns);
        assert!((waited / right - 1.0).abs() < 0.1, "{part}: {waited} ns, {right} ns expected");
    }
}

#[test]
fn beyond_the_knee_the_queue_is_full_and_latency_is_its_length_over_goodput() {
    for arrivals in [Arrivals::Periodic, Arrivals::Poisson, Arrivals::Burst] {
        let seen = loaded(arrivals, &[2.0, 3.0], 1_000);
        for point in seen.points {
            let Point { queue_mean, goodput_kbps, utilisation, .. } = point;
            // A burst fills the queue at once, and eight messages leave it before the next burst
            // can arrive.
            assert!((56.0..=64.0).contains(&queue_mean), "{arrivals:?}: {queue_mean}");
            let right = queue_mean * 128.0 * 8e6 / goodput_kbps;
            let waited = mean(&point.waits_ns);
            assert!((waited / right - 1.0).abs() < 0.03, "{utilisation}: {waited} of {right} ns");
            let off = goodput_kbps / seen.saturated.kbps() - 1.0;
            assert!(off.abs() < 0.02, "{arrivals:?}: {goodput_kbps} of {}", seen.saturated.kbps());
        }
    }
}

/// Observed from before the first message until the last one has left, so that nothing is cut off.
fn whole(profile: &Profile, size: usize, gap: Duration, room: usize, seed: u64) -> Outcome {
    let mut stream = Stream::new(seed, "gaps");
    let mut at = Duration::ZERO;
    let mut next = || {
        at += stream.within(gap * 2);
        at
    };
    let load = Load {
        exchange: None,
        size,
        room,
        ahead: 0,
        arrivals: (0..60).map(|_| next()).collect(),
        // Several times what the slowest link takes: 60 messages of 32 s with the duty cycle of LoRaWAN. A link
        // that never comes back ends there.
        watch: (Duration::ZERO, Duration::from_secs(10_000)),
        patience: Duration::from_secs(2_000),
    };
    offer(profile, &load, seed).expect("it runs")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn what_waits_is_what_comes_times_how_long_it_waits(
        seed in 0_u64..1_000, part in 0.2_f64..3.0, room in 1_usize..80, size in 12_usize..200,
    ) {
        for profile in kinds() {
            let kbps = goodput(&profile, size, seed, Extent::of(20)).expect("it runs").kbps();
            let gap = Duration::from_ns((size as f64 * 8e6 / (part * kbps)) as u64);
            // A link whose connection is lost for good would be simulated for days; the law is
            // valid at any rate.
            let gap = gap.min(Duration::from_secs(60));
            let seen = whole(&profile, size, gap, room, seed);
            let waited = |one: &airlag_rig::programs::offered::Message| {
                one.taken.map(|at| one.since_offered(at) as f64)
            };
            let sum: f64 = seen.messages.iter().filter_map(waited).sum();
            let right = sum / seen.end.since(seen.begin).as_ns() as f64;
            prop_assert!(
                (seen.queue_mean - right).abs() <= 0.02 * right,
                "{}: {} waited, {right} expected", profile.name, seen.queue_mean
            );
        }
    }
}

#[test]
fn what_is_refused_and_what_the_link_loses_are_told_apart() {
    let changes = [("acknowledge", "false"), ("frame_loss", "0.1")];
    let rates = vec![Rate::Utilisation(0.3), Rate::Utilisation(2.0)];
    let task = Task { rates, arrivals: Arrivals::Periodic, ..Task::new(12, 1) };
    let seen = load(&bench::profile("nrf24-2m", &changes), &task, || ()).expect("it takes a load");
    let [light, heavy] = &seen.points[..] else { panic!("two points") };
    assert_eq!(light.refused, 0);
    assert!((50..200).contains(&light.lost_on_link), "{}", light.lost_on_link);
    assert!(heavy.refused > 300, "{}", heavy.refused);
    let sums = |one: &Point| one.refused + one.lost_on_link + one.latencies_ns.len();
    assert_eq!((sums(light), sums(heavy)), (light.offered, heavy.offered));
}

#[test]
fn the_same_seed_gives_the_same_load() {
    let seen = || loaded(Arrivals::Burst, &[0.5, 1.5], 200);
    assert_eq!(seen(), seen());
}

/// Ceilings that were calculated independently of this bench: cycles with five address bytes, and
/// full connection events.
#[test]
fn formulas_give_the_ceilings_that_were_computed_apart_from_them() {
    let nrf24 = [("2000", 548.0, 1503.0), ("1000", 382.0, 752.0), ("250", 136.0, 188.0)];
    for (rate, acknowledged, streamed) in nrf24 {
        for (acknowledge, right) in [("true", acknowledged), ("false", streamed)] {
            let changes = [("rate", rate), ("address_width", "5"), ("acknowledge", acknowledge)];
            let profile = bench::profile("nrf24-2m", &changes);
            let cycle = profile.bind().expect("a right profile").cycle(32).expect("a cycle");
            let kbps = cycle.kbps(32).expect("it takes time");
            assert!((kbps / right - 1.0).abs() < 0.01, "{rate} {acknowledge}: {kbps} of {right}");
        }
    }
}

/// Messages of each link.
const COUNT: usize = 40;
/// Relative difference by which a few dozen messages appear faster because the receiving program
/// reads only now and then.
const READING: f64 = 5e-5;

/// A few messages of every profile and size, and then an offered load of half the goodput.
#[test]
fn every_link_carries_no_more_than_its_ceiling_and_takes_half_of_what_it_carries() {
    let (mut links, mut above) = (0, Vec::new());
    for name in registry::names().expect("right files") {
        let profile = registry::find(name).expect("a profile");
        for size in [12, 128, 1_024] {
            let rates = vec![Rate::Utilisation(0.5)];
            let arrivals = Arrivals::Periodic;
            let task = Task { rates, arrivals, count: COUNT, ..Task::new(size, 1) };
            let seen = match load(&profile, &task, || ()) {
                Ok(seen) => seen,
                Err(error) => {
                    assert_eq!(profile.kind.medium(), Medium::None, "{name}: {error}");
                    assert!(!error.to_string().contains('\n'));
                    continue;
                }
            };
            links += 1;
            let (kbps, ceiling) = (seen.saturated.kbps(), seen.saturated.ceiling_kbps());
            let ceiling = ceiling.expect("a ceiling");
            println!("{name} {size} {kbps:.2} {ceiling:.2} {:.3}", kbps / ceiling);
            let most = (1.0 + READING) * ceiling;
            if kbps > most {
                // A few dozen messages may be a single burst, such as a connection event, whose
                // pause is visible only over more messages.
                let task = Task { rates: Vec::new(), count: 20 * COUNT, ..task };
                let kbps = load(&profile, &task, || ()).expect("it ran").saturated.kbps();
                if kbps > most {
                    above.push(format!("{name} {size}: {kbps} of {ceiling}"));
                }
            }
            let point = &seen.points[0];
            let sum = point.refused + point.lost_on_link + point.latencies_ns.len();
            assert_eq!(sum, point.offered, "{name} {size}");
            assert!(point.goodput_kbps > 0.0 || kbps > 0.0, "{name} {size}: nothing arrives");
        }
    }
    assert!(above.is_empty(), "{above:#?}");
    assert!(links >= 180, "{links}");
}
