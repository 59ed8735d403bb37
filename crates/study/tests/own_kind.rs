//! A new kind of link needs one file (`own_kind/pipe.rs`) and one line. Every question then works
//! with it.

mod pipe;

use airlag_rig::carry::Extent;
use airlag_rig::run::Traffic;
use airlag_rig::stimulus::Periodic;
use airlag_rig::{Kind, Options, Profile, Stimulus, run};
use airlag_sim::Duration;
use airlag_stats::pair::{PairOptions, Transfers, pair};
use airlag_study::load::{Arrivals, Rate, Task};
use airlag_study::matching::{self, hold};
use airlag_study::{Aim, advise, explain, goodput, load, sensitivity};

const FILE: &str = r#"
name = "pipe-2ms"
kind = "pipe"
about = "a pipe of 2 ms"
[parameters]
delay = { value = 2000000, unit = "ns", source = "assumed", note = "a long pipe" }
leak = { value = 0.1, source = "assumed", note = "an old pipe" }
"#;

fn pipe() -> Profile {
    let kinds = [Kind::new(&pipe::KIND)];
    Profile::parse("pipe", FILE, &kinds).expect("a profile").remove(0)
}

fn every_ten_ms(count: usize) -> Stimulus {
    Stimulus::Periodic(Periodic::new(Duration::from_ms(10), count))
}

fn sent(traffic: Traffic) -> Transfers {
    let options = Options { traffic, ..Options::default() };
    let seen = run(&pipe(), 64, &every_ten_ms(1_000), options).expect("it runs");
    pair(&seen.trace, PairOptions::default())
}

#[test]
fn a_file_of_eighty_lines_makes_a_kind() {
    assert!(include_str!("own_kind/pipe.rs").lines().count() <= 80);
}

#[test]
fn it_runs_one_way_and_back() {
    let there = sent(Traffic::Trigger);
    assert!(there.latencies_ns().iter().all(|&ns| ns == 2_001_000), "{there:?}");
    assert!((860..940).contains(&there.latencies_ns().len()), "a tenth falls out");
    let back = sent(Traffic::Echo);
    assert!(back.latencies_ns().iter().all(|&ns| ns == 4_001_000), "{back:?}");
    assert!((770..850).contains(&back.latencies_ns().len()), "a tenth each way");
}

#[test]
fn it_carries_both_ways_at_once() {
    let options = Options { traffic: Traffic::Both, ..Options::default() };
    let seen = run(&pipe(), 64, &every_ten_ms(100), options).expect("it runs");
    let names: Vec<_> = seen.trace.channels.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["trigger", "completion", "trigger back", "completion back"]);
    assert!(seen.received.messages > 150, "{:?}", seen.received);
}

#[test]
fn it_is_explained_and_advised_on() {
    let told = explain(&pipe(), 64, &every_ten_ms(100), 1, Traffic::Trigger).expect("it runs");
    assert_eq!(told.floor.ns(), 2_000_000);
    assert!(told.budget.is_some());
    let advice = advise(&pipe(), 64, 200, 1, Aim::Median, Traffic::Trigger).expect("it runs");
    assert_eq!(advice.single[0].settings[0].value, "1ms");
}

#[test]
fn it_carries_a_chunk_every_two_milliseconds() {
    let carried = goodput(&pipe(), 64, 1, Extent::of(5_000)).expect("it runs");
    let kbps = 0.9 * 64.0 * 8.0 / 2.0;
    assert!((carried.kbps() / kbps - 1.0).abs() < 0.02, "{} kbit/s", carried.kbps());
    assert!(carried.lost > 0);
}

#[test]
fn it_takes_a_load() {
    let rates = vec![Rate::Utilisation(0.5), Rate::Utilisation(2.0)];
    let task = Task { rates, arrivals: Arrivals::Periodic, count: 200, ..Task::new(64, 1) };
    let seen = load(&pipe(), &task, || ()).expect("it runs");
    assert_eq!(seen.saturated.ceiling_kbps(), Some(256.0));
    let [light, heavy] = &seen.points[..] else { panic!("two points") };
    assert_eq!(light.refused, 0);
    assert!(light.lost_on_link > 0 && heavy.refused > 80, "{} refused", heavy.refused);
}

#[test]
fn a_capture_of_it_is_matched() {
    let captured = sent(Traffic::Trigger);
    let found = hold(&pipe(), 64, &captured, &matching::Options::default()).expect("a match");
    assert!(found.ks < 0.01, "{}", found.ks);
}

#[test]
fn its_assumptions_are_weighed() {
    let pipe = pipe();
    let told = sensitivity(&pipe, 64, 200, 1).expect("it runs");
    let worth: Vec<_> = told.effects.iter().map(|one| (one.constant.name, one.share)).collect();
    // A trigger takes 1 us of 2001.
    assert_eq!(worth, [("delay", 2_000.0 / 2_001.0), ("leak", 0.0)]);
}
