//! Other findings in real captures: losses, glitches, patterns in the index, warm-up, and mispaired
//! tables. Only this test knows the file names, not the library.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use airlag_peers::{captures, files};
use airlag_stats::findings::run::{Context, of_run, of_table};
use airlag_stats::findings::{Finding, Name, Value};
use airlag_stats::pair::pair;
use airlag_stats::{NONE, Outcome, PairOptions, Transfers};
use airlag_trace::{Pick, ReadOptions, Selection, read};

fn run(folder: &Path, name: &str) -> Transfers {
    let picks = vec![Pick::new("0"), Pick::new("1")];
    let options = ReadOptions { selection: Selection::Picks(picks), ..ReadOptions::default() };
    let trace = read(&folder.join(name), &options).unwrap_or_else(|e| panic!("{e}"));
    pair(&trace, PairOptions::default())
}

fn find(run: &Transfers, name: Name) -> Option<Finding> {
    of_run(run, &Context::default()).into_iter().find(|finding| finding.name == name)
}

fn count(finding: &Finding, key: &str) -> i64 {
    match finding.evidence.iter().find(|(name, _)| *name == key) {
        Some((_, Value::Int(value))) => *value,
        other => panic!("{key} of {}: {other:?}", finding.name),
    }
}

/// Every capture as CSV.
fn every_csv(folder: &Path) -> Vec<String> {
    let below = |path: &PathBuf| path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
    let names: Vec<String> = files(folder, "csv").iter().map(below).collect();
    assert!(names.len() >= 90, "{} captures", names.len());
    names
}

#[test]
#[ignore = "needs captures"]
fn losses_and_the_cut_end_are_counted() {
    let Some(folder) = captures() else { return };
    let rows = [
        // (capture, triggers, lost, censored)
        ("lora-rfm95/250k-SF128-1024B.csv", 534, 20, 1),
        ("lora-rfm95/250k-SF128-12B.csv", 1000, 1, 0),
        ("lora-rfm95/64k5-SF2048-4o6-1024B.csv", 55, 0, 0),
        ("lora-rfm95/64k5-SF2048-4o6-12B.csv", 445, 0, 1),
        ("nrf24/2Mbps-1024B.csv", 1000, 0, 0),
        ("sik/packet-size-logs__12B-250ms-trigger.csv", 960, 0, 0),
    ];
    for (name, triggers, lost, censored) in rows {
        let run = run(&folder, name);
        assert_eq!(run.trigger_ns.len(), triggers, "{name}");
        assert_eq!(run.count(Outcome::Lost), lost, "{name}");
        assert_eq!(run.count(Outcome::Censored), censored, "{name}");
        assert_eq!(find(&run, Name::LostTransfers).is_some(), lost > 0, "{name}");
        assert_eq!(find(&run, Name::CensoredEnd).is_some(), censored > 0, "{name}");
    }
}

#[test]
#[ignore = "needs captures"]
fn one_pulse_with_two_edges_is_one_trigger() {
    let Some(folder) = captures() else { return };
    let run = run(&folder, "lora-rfm95/64k5-SF2048-4o6-1024B.csv");
    let glitch = find(&run, Name::TriggerGlitch).expect("notched pulses");
    assert_eq!(count(&glitch, "count"), 55);
}

#[test]
#[ignore = "needs captures"]
fn every_fourth_transfer_is_early_with_dma_and_with_nothing_else_on_a_wire() {
    let Some(folder) = captures() else { return };
    for name in every_csv(&folder) {
        let wired = name.starts_with("uart-fixture/") || name.starts_with("gpio-fixture/");
        // Messages of 1024 bytes always fill the ring up to the same position.
        let dma = name.contains("-dma") && !name.contains("1024B");
        if wired {
            let every = find(&run(&folder, &name), Name::IndexPattern)
                .map(|finding| count(&finding, "every"));
            assert_eq!(every, dma.then_some(4), "{name}");
        }
    }
}

#[test]
#[ignore = "needs captures"]
fn the_first_transfer_of_a_cold_link_is_warm_up() {
    let Some(folder) = captures() else { return };
    let warm_up = find(&run(&folder, "bt-spp-hc05/9600-1024B.csv"), Name::WarmUp);
    assert_eq!(count(&warm_up.expect("a slow first transfer"), "count"), 1);
}

#[test]
#[ignore = "needs captures"]
fn a_completion_before_the_first_trigger_is_stray() {
    let Some(folder) = captures() else { return };
    let names = ["espnow-esp32/1024B.csv", "ble-nus-nrf52840/early-results__128B-cs.csv"];
    for name in names {
        let stray = find(&run(&folder, name), Name::StrayCompletion).expect(name);
        assert_eq!(count(&stray, "count"), 1, "{name}");
    }
}

/// Pairs each trigger with the next completion, wherever that is.
fn naive(run: &Transfers) -> Vec<i64> {
    let completions: Vec<i64> =
        run.completion_ns.iter().copied().filter(|&at| at != NONE).collect();
    let next = |trigger: i64| completions.iter().find(|&&at| at > trigger).map(|at| at - trigger);
    run.trigger_ns.iter().filter_map(|&trigger| next(trigger)).collect()
}

#[test]
#[ignore = "needs captures"]
fn a_table_paired_without_windows_gives_itself_away() {
    let Some(folder) = captures() else { return };
    let run = run(&folder, "lora-rfm95/250k-SF128-1024B.csv");
    let found = of_table(&naive(&run), &Context::default());
    let mispaired = found.iter().find(|f| f.name == Name::MispairedTable).expect("losses as delay");
    // A loss that is directly followed by another loss has no completion that its row could share.
    assert!((17..=20).contains(&count(mispaired, "count")));
}

#[test]
#[ignore = "needs captures"]
fn properly_paired_latencies_are_no_mispaired_table() {
    let Some(folder) = captures() else { return };
    for name in every_csv(&folder) {
        let latencies = run(&folder, &name).latencies_ns();
        let found = of_table(&latencies, &Context::default());
        assert!(!found.iter().any(|f| f.name == Name::MispairedTable), "{name}");
    }
}
