//! Null distribution of the statistics of a match: their values if the link is the right one.
//!
//! ```text
//! cargo run --release --example null -- [--count N] [--seeds N] [PART...]
//! ```
//!
//! Each selected profile is run at random phase with one seed. This run takes the place of a
//! capture, and is matched with runs of the same profile under another seed. `PART` selects the
//! profiles whose names contain this text. The program prints a Markdown table with three values of
//! each statistic over all matches: the median, the value that one in twenty matches exceeds, and
//! the largest value.

#![allow(clippy::print_stdout, reason = "a table is what it makes")]

use airlag_kinds::registry;
use airlag_rig::profile::Profile;
use airlag_rig::run::{self, run};
use airlag_rig::stimulus::{Periodic, Stimulus};
use airlag_sim::Duration;
use airlag_stats::dist::quantiles;
use airlag_stats::pair::{PairOptions, pair};
use airlag_study::matching::{Match, Options, hold};

/// Payload, bytes, and time between triggers.
const SIZE: usize = 12;
const PERIOD: Duration = Duration::from_ms(200);

/// Scale of a share that is stored as an integer.
const PARTS: f64 = 1e6;

struct Arguments {
    count: usize,
    seeds: u64,
    parts: Vec<String>,
}

impl Arguments {
    fn read(mut words: impl Iterator<Item = String>) -> Option<Self> {
        let mut asked = Self { count: 300, seeds: 2, parts: Vec::new() };
        while let Some(word) = words.next() {
            match word.as_str() {
                "--count" => asked.count = words.next()?.parse().ok()?,
                "--seeds" => asked.seeds = words.next()?.parse().ok()?,
                _ => asked.parts.push(word),
            }
        }
        Some(asked)
    }
}

/// Match of a profile with its own run in place of a capture; `None` if no message arrived.
fn matched(profile: &Profile, count: usize, seed: u64) -> Option<Match> {
    let triggers = Stimulus::Periodic(Periodic::new(PERIOD, count));
    let seen = run(profile, SIZE, &triggers, run::Options { seed, ..run::Options::default() });
    let captured = pair(&seen.ok()?.trace, PairOptions::default());
    let own = Options { seed: seed + 100, ..Options::default() };
    hold(profile, SIZE, &captured, &own).ok()
}

fn main() {
    let Some(asked) = Arguments::read(std::env::args().skip(1)) else {
        println!("null [--count N] [--seeds N] [PART...]");
        return;
    };
    let mut columns: Vec<(&str, Vec<i64>)> = Vec::new();
    let (mut all, mut explained) = (0, 0);
    for profile in registry::all().expect("right files") {
        let is_asked = |part: &String| profile.name.contains(part);
        if !asked.parts.is_empty() && !asked.parts.iter().any(is_asked) {
            continue;
        }
        for seed in 1..=asked.seeds {
            let Some(found) = matched(profile, asked.count, seed) else { continue };
            let mut values = vec![("ks", found.ks), ("ks_chance", found.ks_chance)];
            let parts = found.evidence.parts();
            values.extend(parts.map(|(part, share)| (part.as_str(), share)));
            values.push(("sum", found.evidence.sum()));
            columns.resize(values.len(), ("", Vec::new()));
            for (column, (name, value)) in columns.iter_mut().zip(values) {
                column.0 = name;
                column.1.push((PARTS * value).round() as i64);
            }
            (all, explained) = (all + 1, explained + usize::from(found.explains()));
        }
    }
    println!("| statistic | median | one in twenty above | largest |\n|---|---:|---:|---:|");
    for (name, values) in columns {
        let at = quantiles(&values, &[0.5, 0.95, 1.0]);
        let [middle, high, most] = [at[0] / PARTS, at[1] / PARTS, at[2] / PARTS];
        println!("| `{name}` | {middle:.3} | {high:.3} | {most:.3} |");
    }
    println!("\nOf {all} matches of a profile against itself, {explained} explain it.");
}
