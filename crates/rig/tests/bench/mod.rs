//! What several tests of the bench need: profiles of the tree, latencies of a run, captures.

#![allow(dead_code, reason = "each test uses its part")]

use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use airlag_rig::stimulus::Periodic;
use airlag_rig::{Options, Profile, Run, Stimulus, registry, run};
use airlag_sim::Duration;
use airlag_stats::pair::{PairOptions, Transfers, pair};

/// A profile of `links/`, with changes.
pub fn profile(name: &str, changes: &[(&str, &str)]) -> Profile {
    let mut profile = registry::find(name).expect("a profile of the tree");
    for (name, value) in changes {
        profile.set(name, value).expect("a right change");
    }
    profile
}

/// `count` triggers every `period_ms`.
pub fn every(period_ms: u64, count: usize) -> Stimulus {
    Stimulus::Periodic(Periodic::new(Duration::from_ms(period_ms), count))
}

/// Runs a bench that must not fail.
pub fn bench(profile: &Profile, size: usize, stimulus: &Stimulus, seed: u64) -> Run {
    run(profile, size, stimulus, Options { seed, spans: false, ..Options::default() })
        .expect("the bench runs")
}

/// Transfers of a run.
pub fn transfers(run: &Run) -> Transfers {
    pair(&run.trace, PairOptions::default())
}

/// Whether nothing may lack: `.ci/run` installs the peers and has the captures.
fn required() -> bool {
    std::env::var_os("AIRLAG_REQUIRE_PEERS").is_some_and(|value| value == "1")
}

/// What tshark prints of `arguments`; `None` with a word on standard error where it is not
/// installed.
pub fn tshark(arguments: &[&str]) -> Option<String> {
    let Ok(output) = Command::new("tshark").args(arguments).output() else {
        assert!(!required(), "tshark is required and not installed");
        let _ = writeln!(std::io::stderr(), "skipped: tshark is not installed");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("text"))
}

/// The folder of captures, or `None` with a word on standard error.
pub fn captures() -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/captures");
    let folder = std::env::var_os("AIRLAG_CAPTURES").map_or_else(|| beside.into(), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(!required(), "captures are required, and there are none in {}", folder.display());
    // Not through `eprintln!`, whose output the test harness keeps for failures.
    let _ = writeln!(std::io::stderr(), "skipped: no captures in {}", folder.display());
    None
}

/// The transfers of a capture, or `None` with a word on standard error; `file` is its path in the
/// folder of captures without the ending.
pub fn real(file: &str) -> Option<Transfers> {
    let path = captures()?.join(format!("{file}.csv"));
    if !path.is_file() {
        let _ = writeln!(std::io::stderr(), "skipped: no {file}");
        return None;
    }
    let trace = airlag_trace::read(&path, &airlag_trace::ReadOptions::default());
    Some(pair(&trace.expect("a capture is readable"), PairOptions::default()))
}

/// Quantile between closest ranks (type 7) of sorted values.
pub fn quantile(sorted: &[i64], p: f64) -> f64 {
    let at = (sorted.len() - 1) as f64 * p;
    let (low, share) = (at as usize, at.fract());
    let high = (low + 1).min(sorted.len() - 1);
    sorted[low] as f64 + share * (sorted[high] - sorted[low]) as f64
}

/// Largest distance between two distribution functions (Kolmogorov, Smirnov).
pub fn ks_distance(one: &[i64], other: &[i64]) -> f64 {
    let share =
        |values: &[i64], at: i64| values.partition_point(|&v| v <= at) as f64 / values.len() as f64;
    let all = one.iter().chain(other);
    all.map(|&at| (share(one, at) - share(other, at)).abs()).fold(0.0, f64::max)
}
