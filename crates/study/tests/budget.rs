//! Attribution of time for every profile: slices add up, no run is below the floor, and advice
//! agrees with runs.

use crate::bench;
use std::collections::BTreeMap;

use airlag_kinds::registry;
use airlag_rig::floor::Floor;
use airlag_rig::run::Traffic;
use airlag_rig::{Error, Options, Profile, run};
use airlag_stats::dist::quantiles;
use airlag_stats::pair::{PairOptions, pair};
use airlag_study::advice::{Advice, Cost};
use airlag_study::explain::{Explanation, is_fixture};
use airlag_study::timeline::Class;
use airlag_study::{Aim, advise, explain, pace};

const SIZES: [usize; 3] = [12, 128, 1024];

fn explained(profile: &Profile, size: usize, count: usize) -> Explanation {
    let service = pace::service(profile, size, 1).expect("it runs");
    explain(profile, size, &pace::asynchronous(service, count), 1, Traffic::Trigger)
        .expect("it runs")
}

/// Every profile with exact crystals, as floors assume.
fn profiles() -> Vec<Profile> {
    let exact = |mut profile: Profile| {
        for known in profile.kind.parameters().iter().filter(|known| known.unit == "ppb") {
            profile.set(known.name, "0").expect("a crystal can be exact");
        }
        profile
    };
    registry::all().expect("right files").iter().cloned().map(exact).collect()
}

#[test]
fn slices_add_up_and_nobody_beats_the_floor() {
    for profile in profiles() {
        for size in SIZES {
            let told = explained(&profile, size, 60);
            let what = format!("{} {size} B", profile.name);
            let latencies = told.transfers.latencies_ns();
            assert!(!latencies.is_empty(), "{what}");
            assert_eq!(told.timelines.len(), latencies.len(), "{what}");
            for (timeline, &latency) in told.timelines.iter().zip(&latencies) {
                let sum: i64 = timeline.parts().iter().map(|part| part.ns).sum();
                assert_eq!((sum, timeline.latency_ns()), (latency, latency), "{what}");
                let unexplained = timeline.spent(|label| label.class == Class::Other);
                assert_eq!(unexplained, 0, "{what}: {:?}", timeline.parts());
            }
            let budget = told.budget.expect("transfers");
            assert_eq!(budget.total_ns, latencies.iter().map(|&ns| i128::from(ns)).sum::<i128>());
            let quickest = *latencies.iter().min().expect("some");
            let floor = told.floor.ns() as i64;
            assert!(0 < floor && floor <= quickest, "{what}: {:?} {quickest}", told.floor);
            assert!(told.floor.terms().iter().all(|term| !term.source.is_empty()));
            assert!(budget.median.timeline.spent(is_fixture) > 0, "{what}");
        }
    }
}

/// Two slices of one name that differ would be two rows with the same name in a budget.
#[test]
fn a_name_is_the_same_slice_in_every_link() {
    let mut known = BTreeMap::new();
    for profile in profiles() {
        for size in SIZES {
            for span in explained(&profile, size, 3).run.spans {
                let slice = *known.entry(span.slice.name()).or_insert(span.slice);
                assert_eq!(slice, span.slice, "{} {size} B", profile.name);
            }
        }
    }
    assert!(known.len() > 50, "{:?}", known.keys());
}

#[test]
fn explaining_a_run_does_not_change_it() {
    for name in ["nrf24-2m", "lora-sf7-250k", "uart-115200-dma", "gpio-stm32-ll-o3"] {
        let profile = bench::profile(name, &[]);
        let service = pace::service(&profile, 128, 5).expect("it runs");
        let stimulus = pace::asynchronous(service, 100);
        let told = explain(&profile, 128, &stimulus, 5, Traffic::Trigger).expect("it runs");
        let plain =
            run(&profile, 128, &stimulus, Options { seed: 5, spans: false, ..Options::default() });
        assert_eq!(pair(&plain.expect("it runs").trace, PairOptions::default()), told.transfers);
    }
}

fn terms(floor: &Floor) -> Vec<(&str, u64, u64)> {
    floor.terms().iter().map(|term| (term.name.as_str(), term.count, term.each_ns)).collect()
}

#[test]
fn floors_are_those_worked_out_by_hand() {
    let floor = |name: &str, changes: &[(&str, &str)], size: usize| {
        airlag_study::explain::floor(&bench::profile(name, changes), size).expect("a floor")
    };
    // 313 bits and 57 bits of half a microsecond each, 130 us to settle or to turn around, and 6 us
    // to an interrupt.
    assert_eq!(
        terms(&floor("nrf24-2m", &[], 128)),
        [
            ("settle", 4, 130_000),
            ("air, 32 B", 4, 156_500),
            ("packet to interrupt", 4, 6_000),
            ("receive turnaround", 3, 130_000),
            ("acknowledgement", 3, 28_500),
        ]
    );
    // The last of four chunks has 4 bytes: 89 bits.
    let dynamic = floor("nrf24-2m", &[("payload", "dynamic")], 100);
    assert_eq!(terms(&dynamic)[1..3], [("air, 32 B", 3, 156_500), ("air, 4 B", 1, 44_500)]);
    // 32 frames of 156.5 us: two periods in transmit mode of at most 4 ms each.
    let streamed = floor("nrf24-2m", &[("acknowledge", "false")], 1024);
    assert_eq!(streamed.ns(), 2 * 130_000 + 32 * 156_500 + 6_000);
    // 12 bytes of ten bits of 4 * 364 cycles at 168 MHz.
    assert_eq!(floor("uart-115200-irq", &[], 12).ns(), 12 * 10 * 4 * 364 * 1_000 / 168);
    // Four packets of 255 bytes and one of 4.
    let parts = floor("lora-sf7-250k", &[], 1024);
    let counts: Vec<u64> = parts.terms().iter().map(|term| term.count).collect();
    assert_eq!(counts, [5, 4, 1, 1]);
    // 29 octets of 32 us after a turnaround. Of two frames, the first is acknowledged before the
    // second is sent.
    assert_eq!(floor("ieee802154-blind", &[], 12).ns(), 192_000 + 29 * 32_000);
    let answered = floor("ieee802154-ack", &[("ack_turnaround", "12000")], 128);
    let frames = (192_000 + 133 * 32_000) + (192_000 + 29 * 32_000);
    assert_eq!(answered.ns(), frames + 192_000 + 11 * 32_000);
    // 43 octets around each body at 1 Mbit/s. Between two frames: SIFS, 14 octets, the AIFS of an
    // access point's voice category (SIFS and one slot of 20 us).
    let air = |octets: u64| 192_000 + octets * 8_000;
    let between = 10_000 + air(14) + 30_000;
    assert_eq!(floor("espnow", &[], 1024).ns(), 4 * (air(293) + between) + air(67));
    // 1470 B in one frame of six elements with 7 octets of overhead each and 36 octets around them,
    // and 54 B in another frame.
    let long = floor("espnow", &[("version", "2")], 1524);
    assert_eq!(long.ns(), air(36 + 6 * 7 + 1470) + between + air(43 + 54));
    // 55 octets at MCS 7: (16 + 440 + 6) / 260 bits are two symbols of 4 us, after 36 us and before
    // 6 us.
    assert_eq!(floor("espnow", &[("rate", "65Mbit/s")], 12).ns(), 36_000 + 8_000 + 6_000);
    // CCMP adds 16 octets to each frame. A broadcast frame is not acknowledged.
    let sealed = floor("espnow", &[("encrypted", "true")], 128);
    assert_eq!(sealed.ns(), air(43 + 16 + 128));
    let everybody = floor("espnow", &[("destination", "everybody")], 1024);
    assert_eq!(everybody.ns(), 4 * (air(293) + 30_000) + air(67));
    // 12 B, RFCOMM 4, L2CAP 4, retransmission mode 4, header 2, CRC 2: 224 bits, 75 symbols.
    assert_eq!(floor("spp-esp32", &[], 12).ns(), (126 + 16 + 75 + 2) * 1_000);
    // Everything fits into one packet; a second would add 2.1 ms. A bit takes 4 * 729 cycles at 168
    // MHz, or 2 * 213 cycles at 24.5 MHz, 3600 ppm fast. On the air there are 29 bytes and a
    // trailer of two bytes at 64 kbit/s.
    let sik = floor("sik-64k", &[], 12);
    let lines = 120 * 4 * 729 * 1_000 / 168 + 120 * 2 * 213 * 10_000 * 10_000 / (245 * 10_036);
    assert!(sik.ns().abs_diff(lines + 29 * 125_000) < 1_000, "{sik:?}");
    // 3 and 12 cycles at 168 MHz, and 10 ns.
    assert_eq!(floor("gpio-stm32-ll-o3", &[], 12).ns(), 17 + 71 + 10);
}

#[test]
fn a_queue_kept_full_leaves_the_bus_off_the_timeline() {
    // With three payloads in the chip, bus and radio work in parallel: only the first payload and
    // the last read-out add time.
    let spent = |window: &str| {
        let changes = [("window", window), ("flush_after_read", "false")];
        let told = explained(&bench::profile("nrf24-2m", &changes), 1024, 20);
        let budget = told.budget.expect("transfers");
        budget.median.timeline.spent(|label| label.class == Class::Bus)
    };
    let (one, three) = (spent("1"), spent("3"));
    assert!(three * 5 < one, "{one} {three}");
}

fn advised(name: &str, changes: &[(&str, &str)], size: usize, aim: Aim) -> Advice {
    advise(&bench::profile(name, changes), size, 400, 3, aim, Traffic::Trigger).expect("it runs")
}

#[test]
fn advice_is_the_same_twice_and_what_a_run_with_it_says() {
    let advice = advised("nrf24-2m", &[], 128, Aim::Tail);
    assert_eq!(advice, advised("nrf24-2m", &[], 128, Aim::Tail));
    assert!(advice.single.len() >= 2 && advice.combined.len() >= 2, "{advice:?}");
    let base = bench::profile("nrf24-2m", &[]);
    for change in advice.single.iter().chain(&advice.trades).chain(&advice.combined) {
        let mut profile = base.clone();
        for setting in &change.settings {
            profile.set(setting.name, setting.value).expect("a right change");
        }
        let service = pace::service(&profile, 128, 3).expect("it runs");
        let stimulus = pace::asynchronous(service, 400);
        let seen = bench::transfers(&bench::bench(&profile, 128, &stimulus, 3));
        let ends = quantiles(&seen.latencies_ns(), &[0.5, 0.99]);
        assert_eq!([change.p50.b, change.p99.b], ends[..], "{:?}", change.settings);
        let floor = airlag_study::explain::floor(&profile, 128).expect("a floor").ns();
        assert_eq!(change.floor_ns, floor);
        assert!(floor as f64 <= change.p50.b);
    }
}

#[test]
fn advice_gains_more_than_chance_and_the_largest_gain_comes_first() {
    for aim in [Aim::Median, Aim::Tail] {
        let advice = advised("nrf24-2m", &[], 1024, aim);
        let aimed = |change: &airlag_study::advice::Change| match aim {
            Aim::Median => change.p50,
            Aim::Tail => change.p99,
        };
        for change in &advice.single {
            assert!(change.costs.is_empty());
            assert!(aimed(change).is_significant() && aimed(change).change.value < 0.0);
        }
        for list in [&advice.single, &advice.combined] {
            let reached =
                |pair: &[airlag_study::advice::Change]| (aimed(&pair[0]).b, aimed(&pair[1]).b);
            let sorted = |(one, next): (f64, f64)| {
                if std::ptr::eq(list, &advice.single) { one <= next } else { one > next }
            };
            assert!(list.windows(2).map(reached).all(sorted));
        }
        // The tuned profile is nearer to its floor than the unchanged profile.
        let tuned = advice.combined.last().expect("nRF24 can be tuned");
        assert!(tuned.p50.b < 0.8 * tuned.p50.a, "{tuned:?}");
    }
}

#[test]
fn what_loses_more_is_a_trade() {
    // A tenth of all frames is lost. Without retries, a third of the messages is lost.
    let advice = advised("nrf24-2m", &[("frame_loss", "0.1")], 128, Aim::Median);
    let streamed = advice.trades.iter().find(|change| change.settings[0].name == "acknowledge");
    let costs = &streamed.expect("it is quicker").costs;
    assert!(costs.contains(&Cost::Loses) && costs.iter().any(|c| matches!(c, Cost::GivesUp(_))));
    let all = advice.single.iter().chain(&advice.combined);
    assert!(all.flat_map(|change| &change.settings).all(|setting| setting.name != "acknowledge"));
}

#[test]
fn every_knob_of_every_kind_is_a_parameter_with_values_it_may_have() {
    let mut profiles = profiles();
    profiles.sort_by_key(|profile| profile.kind.name());
    profiles.dedup_by_key(|profile| profile.kind);
    for profile in profiles {
        // A tunable parameter that does not exist, or a profile that cannot be run, would be an
        // error.
        let advice = advise(&profile, 12, 40, 1, Aim::Median, Traffic::Trigger);
        assert!(advice.is_ok(), "{}: {advice:?}", profile.name);
    }
}

#[test]
fn a_size_no_bench_carries_is_one_line() {
    let profile = bench::profile("nrf24-2m", &[]);
    let told = advise(&profile, 3, 10, 1, Aim::Median, Traffic::Trigger);
    assert!(matches!(told, Err(airlag_study::Error::Rig(Error::Size { .. }))), "{told:?}");
}

#[test]
fn a_knob_that_changes_nothing_is_no_advice() {
    // With a single chunk, the queue behind it is empty.
    let advice = advised("nrf24-2m", &[], 12, Aim::Median);
    let names = advice.single.iter().flat_map(|change| &change.settings).map(|one| one.name);
    assert!(names.clone().any(|name| name == "payload"));
    assert!(names.clone().all(|name| name != "window" && name != "retransmit_delay"));
}
