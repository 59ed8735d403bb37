//! Calls on the virtual bench, compared with published measurements.

use airlag_kinds::calls::ask;
use airlag_kinds::calls::request::{Ask, Call};
use airlag_kinds::registry::find;
use airlag_rig::carry::{Extent, saturate};
use airlag_rig::profile::Profile;
use airlag_study::goodput;
use airlag_study::rpc::gains::{GAINS, gains};
use airlag_study::rpc::published::PLATFORMS;
use airlag_study::rpc::{Benchmark, Measured, benchmarks};

/// Largest relative deviation from a published result.
const TOLERANCE: f64 = 0.15;

fn link(name: &str) -> Profile {
    find(name).expect("it is listed")
}

fn with(name: &str, settings: &[(&str, &str)]) -> Profile {
    let mut profile = link(name);
    for (key, value) in settings {
        profile.set(key, value).expect("there is such a setting");
    }
    profile
}

fn result(found: &[Measured], benchmark: Benchmark) -> f64 {
    let one = found.iter().find(|one| one.benchmark == benchmark).expect("all were run");
    one.result.expect("all calls were answered")
}

/// All improvements of calls that need no change to the link.
fn quick() -> Profile {
    let gain = GAINS.iter().find(|gain| gain.name == "all but the interval");
    with("rpc-nrf52", gain.expect("it is listed").settings)
}

#[test]
fn all_published_benchmarks_are_within_15_percent() {
    let mut table = String::from(
        "| platform | benchmark | published | airlag | unit | deviation | fitted or predicted |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for platform in PLATFORMS {
        let found = benchmarks(&link(&platform.link()), 1).expect("it runs");
        for one in &found {
            let measured = one.result.expect("all calls were answered");
            let Some(published) = platform.published(one.benchmark) else { continue };
            let off = measured / published - 1.0;
            let fitted = platform.fitted_on.contains(&one.benchmark);
            let (name, benchmark, unit) =
                (platform.name, one.benchmark.name(), one.benchmark.unit());
            let note = if fitted { "fitted" } else { "predicted" };
            // Zero has no sign.
            let percent = (100.0 * off).round();
            let deviation = if percent == 0.0 { "0".to_owned() } else { format!("{percent:+}") };
            table += &format!(
                "| {name} | {benchmark} | {published:.1} | {measured:.1} | {unit} | {deviation} % | {note} |\n",
            );
            assert!(off.abs() < TOLERANCE, "{name} {benchmark}: {measured} is not {published}");
        }
    }
    let kept = include_str!("rpc.md");
    assert_eq!(kept, table, "the table is another one: if it is better, keep it in tests/rpc.md");
}

#[test]
fn no_platform_has_more_than_two_fitted_constants() {
    for platform in PLATFORMS {
        let profile = link(&platform.link());
        let fitted =
            profile.constants().filter(|one| one.origin.source.to_string() == "calibrated");
        assert_eq!(fitted.count(), platform.fitted_on.len(), "{}", platform.name);
        assert!(platform.fitted_on.len() <= 2);
    }
}

#[test]
fn reads_in_flight_fill_the_events_of_the_link() {
    let extent = Extent { exchange: Some(Call::FlashRead.traffic()), ..Extent::of(100) };
    let found = goodput(&quick(), 8_192, 1, extent).expect("it runs");
    let published = 30.3 * 1024.0 * 8.0 / 1000.0;
    assert!(found.kbps() > 5.0 * published, "{} kbit/s", found.kbps());
    let ceiling = found.ceiling_kbps().expect("it takes time");
    assert!(found.kbps() > 0.9 * ceiling, "{} of {ceiling} kbit/s", found.kbps());
}

#[test]
fn an_echo_in_flight_takes_no_longer_than_an_interval() {
    let asks = vec![Ask::new(Call::Echo, 5); 1_000];
    let outcomes = ask(&quick(), &asks, 1).expect("it runs");
    let mut took: Vec<u64> = outcomes
        .iter()
        .filter(|outcome| outcome.answered)
        .filter_map(|outcome| Some(outcome.over?.since(outcome.begun).as_ns()))
        .collect();
    took.sort_unstable();
    assert_eq!(took.len(), 1_000);
    assert!(took[500] <= 30_000_000, "{} ns", took[500]);
}

#[test]
fn writes_in_flight_carry_ten_times_what_was_published() {
    let found = benchmarks(&quick(), 1).expect("it runs");
    assert!(result(&found, Benchmark::DataWriteThroughput) > 10.0 * 3.3);
}

#[test]
fn a_peer_that_knows_nothing_of_it_is_asked_as_before() {
    let old = benchmarks(&link("rpc-macos"), 1).expect("it runs");
    let alone = gains(&link("rpc-macos"), 1).expect("it runs");
    assert_eq!(alone[0].1, old);
}

#[test]
fn every_gain_makes_something_quicker_and_nothing_slower_but_what_it_says() {
    let all = gains(&link("rpc-macos"), 1).expect("it runs");
    let (_, before) = &all[0];
    for (gain, after) in &all[1..] {
        let better = |benchmark: Benchmark| {
            let (before, after) = (result(before, benchmark), result(after, benchmark));
            if benchmark.more_is_better() { after / before } else { before / after }
        };
        let most = Benchmark::ALL.map(better).into_iter().fold(0.0, f64::max);
        assert!(most > 1.01, "{}: nothing is quicker", gain.name);
        let least = Benchmark::ALL.map(better).into_iter().fold(f64::MAX, f64::min);
        assert!(least > 0.99, "{}: something is slower, {least}", gain.name);
    }
}

#[test]
fn the_same_seed_gives_the_same_calls() {
    let asks: Vec<Ask> = Call::ALL.map(|call| Ask::new(call, 20)).into();
    let once = ask(&quick(), &asks, 7).expect("it runs");
    assert_eq!(ask(&quick(), &asks, 7).expect("it runs"), once);
    assert_ne!(ask(&quick(), &asks, 8).expect("it runs"), once);
}

#[test]
fn calls_go_over_any_link_that_goes_both_ways() {
    for name in ["ieee802154-ack", "tunnel", "sik-64k", "hc05-57600", "espnow", "wifi-tcp-tuned"] {
        let asks: Vec<Ask> = Call::ALL.map(|call| Ask::new(call, 40).alone()).into();
        let outcomes = ask(&link(name), &asks, 1).expect("it runs");
        let answered = outcomes.iter().filter(|outcome| outcome.answered).count();
        assert_eq!(answered, asks.len(), "{name}");
    }
}

#[test]
fn a_call_of_a_size_there_is_none_of_is_refused() {
    let told = |call: Call, size| {
        let extent = Extent { exchange: Some(call.traffic()), ..Extent::of(10) };
        saturate(&link("rpc-nrf52"), size, 1, extent).err().map(|error| error.to_string())
    };
    assert_eq!(told(Call::Echo, 257).as_deref(), Some("rpc-echo takes 1 to 256 B, not 257"));
    assert_eq!(
        told(Call::CounterStream, 0).as_deref(),
        Some("rpc-stream takes 1 to 1000 items, not 0")
    );
}
