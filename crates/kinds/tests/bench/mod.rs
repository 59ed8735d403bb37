//! Shared test code for benches: profiles of `links/`, latencies of a run, captures.

#![allow(dead_code, reason = "each test uses its part")]

use airlag_kinds::registry;
use airlag_rig::stimulus::Periodic;
use airlag_rig::{Options, Profile, Run, Stimulus, run};
use airlag_sim::Duration;
use airlag_stats::pair::{PairOptions, Transfers, pair};

/// A profile of `links/` with changed settings.
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

/// Runs a bench that must succeed.
pub fn bench(profile: &Profile, size: usize, stimulus: &Stimulus, seed: u64) -> Run {
    run(profile, size, stimulus, Options { seed, spans: false, ..Options::default() })
        .expect("the bench runs")
}

/// Transfers of a run.
pub fn transfers(run: &Run) -> Transfers {
    pair(&run.trace, PairOptions::default())
}

/// Transfers of a capture, or `None` with a message on standard error; `file` is its path in the
/// folder of captures without the extension.
pub fn real(file: &str) -> Option<Transfers> {
    let path = airlag_peers::capture(&format!("{file}.csv"))?;
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

/// Largest distance between two distribution functions (Kolmogorov-Smirnov).
pub fn ks_distance(one: &[i64], other: &[i64]) -> f64 {
    let share =
        |values: &[i64], at: i64| values.partition_point(|&v| v <= at) as f64 / values.len() as f64;
    let all = one.iter().chain(other);
    all.map(|&at| (share(one, at) - share(other, at)).abs()).fold(0.0, f64::max)
}
