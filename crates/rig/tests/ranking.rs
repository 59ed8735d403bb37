//! Which profile is said to explain each real capture, and what is said of a capture whose family
//! is not modelled.
//!
//! Without captures these tests say so and pass.

#![allow(clippy::print_stdout, reason = "the table is what a reader wants")]

mod bench;

use airlag_rig::matching::{Options, Ranking, rank};
use airlag_rig::profile::Profile;
use airlag_rig::registry;
use airlag_stats::{PairOptions, Source, Transfers};
use airlag_trace::{Pick, Selection};

/// Every capture of a folder that names its size, sorted by name.
fn captures_of(folder: &str) -> Vec<(String, usize, Transfers)> {
    let Some(root) = bench::captures() else { return Vec::new() };
    let Ok(entries) = std::fs::read_dir(root.join(folder)) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "csv"));
    paths.sort();
    paths
        .iter()
        .map(|path| {
            let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let pick = |channel: &str| Pick { channel: channel.to_owned(), invert: false };
            let selection = Selection::Picks(vec![pick("0"), pick("1")]);
            let transfers = Source { path, selection }.pair(PairOptions::default());
            (stem.clone(), size_of(&stem), transfers.expect("a capture"))
        })
        .collect()
}

/// The payload a name tells; boards alone have none, and 12 is as good as any.
fn size_of(name: &str) -> usize {
    let digits = |word: &str| word.strip_suffix('B').and_then(|digits| digits.parse().ok());
    name.split(['-', '_']).find_map(digits).unwrap_or(12)
}

fn ranked(profiles: &[Profile], size: usize, captured: &Transfers) -> Ranking {
    rank(profiles, Some(size), captured, &Options { triggers: 1_000, ..Options::default() })
        .expect("a ranking")
}

#[test]
fn look() {
    let profiles = registry::all().expect("right files");
    let root = bench::captures().expect("captures");
    let mut folders: Vec<String> = std::fs::read_dir(root)
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    folders.sort();
    for folder in folders {
        if std::env::var("FOLDER").is_ok_and(|f| !folder.contains(&f)) {
            continue;
        }
        for (name, size, captured) in captures_of(&folder) {
            let start = std::time::Instant::now();
            let without = std::env::var("WITHOUT").unwrap_or("-".into());
            let mine = folder.split('-').next().unwrap().to_owned();
            let profiles: Vec<Profile> = profiles
                .iter()
                .filter(|p| without == "-" || !p.name.starts_with(&mine))
                .cloned()
                .collect();
            let ranking = ranked(&profiles, size, &captured);
            let s = start.elapsed().as_secs_f64();
            let head = format!(
                "{folder}/{name} {size} B n={} own={:?}",
                captured.trigger_ns.len(),
                airlag_stats::fold::Clocks::of(&captured).own_period_ns()
            );
            println!(
                "{head} impossible {} of {} {:.2}s explained {}",
                ranking.impossible,
                profiles.len(),
                s,
                ranking.best().is_some()
            );
            for c in ranking.candidates.iter().take(4) {
                let m = &c.matched;
                println!(
                    "    {} {:<24} {:?} score {:.4} d {:.4} shape {:.3} ks {:.3} p50 {:.4}/{:.4} free {} {:?}",
                    if m.explains() { '+' } else { '-' },
                    m.profile.name,
                    c.settings,
                    c.score,
                    m.distance,
                    m.shape,
                    m.ks,
                    m.quantile_error[2].captured_ns / 1e6,
                    m.quantile_error[2].virtual_ns / 1e6,
                    m.free,
                    m.fitted.iter().map(|f| (f.name, f.value.to_string())).collect::<Vec<_>>()
                );
            }
            for t in &ranking.tried {
                println!(
                    "      knob {} {} (own {}) {:.3} {:.3} next {:.3}",
                    t.name, t.best, t.own, t.distance, t.own_distance, t.next_distance
                );
            }
        }
    }
}
