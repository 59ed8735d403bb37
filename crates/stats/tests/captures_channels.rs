//! Detected roles of the channels of real captures: right pairs, swapped pairs, and wires of buses.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use airlag_peers::{captures, files};
use airlag_stats::findings::Name;
use airlag_stats::findings::run::{Context, of_run};
use airlag_stats::pair::pair;
use airlag_stats::{PairOptions, Transfers};
use airlag_trace::{Pick, ReadOptions, Selection, read};

const WRONG: [Name; 3] = [Name::SwappedChannels, Name::LooksLikeAClock, Name::NoRelation];

fn run(path: &Path, trigger: &str, completion: &str) -> Transfers {
    let picks = vec![Pick::new(trigger), Pick::new(completion)];
    let options = ReadOptions { selection: Selection::Picks(picks), ..ReadOptions::default() };
    let trace = read(path, &options).unwrap_or_else(|e| panic!("{e}"));
    pair(&trace, PairOptions::default())
}

/// The kind of problem with a pair of channels, if any.
fn wrong(run: &Transfers) -> Vec<Name> {
    let found = of_run(run, &Context::default()).into_iter().map(|finding| finding.name);
    found.filter(|name| WRONG.contains(name)).collect()
}

/// Every capture as CSV that has enough transfers for a decision.
fn long(folder: &Path) -> Vec<(PathBuf, Transfers)> {
    let each = files(folder, "csv").into_iter().map(|path| {
        let transfers = run(&path, "0", "1");
        (path, transfers)
    });
    each.filter(|(_, run)| run.latencies_ns().len() >= 50).collect()
}

#[test]
#[ignore = "needs captures"]
fn no_right_pair_is_called_wrong() {
    let Some(folder) = captures() else { return };
    let all = long(&folder);
    assert!(all.len() >= 85, "{} captures", all.len());
    for (path, run) in all {
        assert_eq!(wrong(&run), [], "{}", path.display());
    }
}

#[test]
#[ignore = "needs captures"]
fn nearly_all_swapped_pairs_are_told() {
    let Some(folder) = captures() else { return };
    // If the latency is as regular as the triggers, or the triggers are irregular, trigger and
    // completion cannot be distinguished.
    let is_told = |path: &PathBuf| wrong(&run(path, "1", "0")).contains(&Name::SwappedChannels);
    let paths = long(&folder).into_iter().map(|(path, _)| path);
    let (told, quiet): (Vec<_>, Vec<_>) = paths.partition(is_told);
    assert!(told.len() >= 90 && quiet.len() <= 6, "{} told, not {quiet:?}", told.len());
}

#[test]
#[ignore = "needs captures"]
fn wires_of_buses_are_told() {
    let Some(folder) = captures() else { return };
    for (name, trigger, completion) in [
        ("lora-rfm95/tx-capture-1024B-irq.sal", "SCK", "MISO"),
        ("lora-rfm95/rx-capture-64k5-SF2048-4o6.sal", "SCK", "MISO"),
        ("uart-fixture/packet-size-tests__115200-12B.sal", "Channel 2", "Channel 1"),
        ("sik/packet-size-logs__12B-250ms-trigger.sal", "Channel 2", "Channel 3"),
    ] {
        let found = wrong(&run(&folder.join(name), trigger, completion));
        assert!(found.contains(&Name::LooksLikeAClock), "{name}: {found:?}");
    }
}
