//! Ranks all profiles for every capture, to check the answers of `airlag match`.
//!
//! ```text
//! cargo run --release --example ranking -- FOLDER [--size] [--without-family] [--count N]
//!     [--scores FILE] [--evidence FILE] [PART...]
//! ```
//!
//! All profiles are ranked for every `.csv` file in the subfolders of FOLDER. Each subfolder
//! contains the captures of a link, as in `campaigns/reference.toml`. With `--size`, the ranking is
//! given the payload in the name of the capture. With `--without-family`, all profiles are left out
//! that are of the same kind as a profile of the captured link, so that no right profile remains.
//! `PART` selects captures whose paths contain this text. The program prints a Markdown table and a
//! summary.
//!
//! `--scores` appends one line per capture to FILE, which `calibration` reads. The family of a
//! capture is the profiles of the captured link. The columns of the line, separated by tabs, are:
//! 1. source, which is the subfolder of the capture;
//! 2. capture;
//! 3. whether profiles of the family were ranked, so that a right result was possible;
//! 4. whether the first profile of the ranking is of the family;
//! 5. whether the median and the distribution of the first profile are near those of the capture;
//! 6. score of the first profile;
//! 7. score of the nearest profile that is of another kind than the first profile;
//! 8. whether the first profile is of the same kind as a profile of the family.
//!
//! `--evidence` appends one JSON object per capture to FILE. The object contains the latencies of
//! the capture, the latencies of each candidate, and the terms of each candidate's score. Another
//! formula for the score can therefore be tried without ranking the profiles again.

#![allow(clippy::print_stdout, reason = "a table is what it makes")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use airlag_kinds::registry;
use airlag_rig::kind::Kind;
use airlag_rig::profile::Profile;
use airlag_stats::pair::{NONE, PairOptions, Transfers, pair};
use airlag_study::matching::{Candidate, Options, Ranking, rank};

/// Folders of captures, each with the prefix of the profile names of its family.
const FAMILIES: &[(&str, &str)] = &[
    ("gpio-fixture", "gpio-"),
    ("uart-fixture", "uart-"),
    ("nrf24", "nrf24-"),
    ("lora-rfm95", "lora-"),
    ("sik", "sik-"),
    ("bt-spp-hc05", "hc05-"),
    ("bt-spp-esp32", "spp-"),
    ("ble-bluedroid-esp32", "ble-bluedroid-"),
    ("ble-nimble-esp32", "ble-nimble-"),
    ("ble-nus-nrf52840", "ble-nus-"),
    ("espnow-esp32", "espnow"),
    ("ieee802154-esp32c6", "ieee802154-"),
    ("wifi-udp-esp32", "wifi-udp-"),
    ("wifi-tcp-esp32", "wifi-tcp-"),
    ("wifi-websocket-esp32", "websocket-esp32"),
    ("pi4-websocket", "websocket-pi4-"),
];

/// Boards without a profile, in the folder of boards that have one.
const STRANGERS: [&str; 2] = ["espIDF", "rpi-"];

struct Arguments {
    folder: PathBuf,
    size: bool,
    without_family: bool,
    count: usize,
    scores: Option<PathBuf>,
    evidence: Option<PathBuf>,
    parts: Vec<String>,
}

impl Arguments {
    fn read(mut words: impl Iterator<Item = String>) -> Option<Self> {
        let folder = PathBuf::from(words.next()?);
        let mut asked = Self {
            folder,
            size: false,
            without_family: false,
            count: 1_000,
            scores: None,
            evidence: None,
            parts: Vec::new(),
        };
        while let Some(word) = words.next() {
            match word.as_str() {
                "--size" => asked.size = true,
                "--without-family" => asked.without_family = true,
                "--scores" => asked.scores = Some(PathBuf::from(words.next()?)),
                "--evidence" => asked.evidence = Some(PathBuf::from(words.next()?)),
                "--count" => asked.count = words.next()?.parse().ok()?,
                _ => asked.parts.push(word),
            }
        }
        Some(asked)
    }
}

fn main() {
    let Some(asked) = Arguments::read(std::env::args().skip(1)) else {
        println!(
            "ranking FOLDER [--size] [--without-family] [--count N] [--scores FILE] \
             [--evidence FILE] [PART...]"
        );
        return;
    };
    let profiles = registry::all().expect("right files");
    println!("| capture | first | score | explained | next family | score | s |");
    println!("|---|---|---:|---|---|---:|---:|");
    let mut counts = Counts::default();
    for (name, path) in captures(&asked.folder) {
        if !asked.parts.is_empty() && !asked.parts.iter().any(|part| name.contains(part)) {
            continue;
        }
        let family = family(&name);
        if family.is_none() && asked.without_family {
            continue;
        }
        let Some(captured) = read(&path) else { continue };
        // A family may have profiles of two kinds, if one computer has a wired link and a radio.
        let of_family = |one: &&Profile| family.is_some_and(|own| one.name.starts_with(own));
        let kinds: Vec<Kind> = profiles.iter().filter(of_family).map(|one| one.kind).collect();
        let left_out: &[Kind] = if asked.without_family { &kinds } else { &[] };
        let known: Vec<Profile> =
            profiles.iter().filter(|one| !left_out.contains(&one.kind)).cloned().collect();
        let options = Options { triggers: asked.count, vary: false, ..Options::default() };
        let began = Instant::now();
        let size = asked.size.then(|| size_of(&name));
        let Ok(ranking) = rank(&known, size, &captured, &options) else { continue };
        let seconds = began.elapsed().as_secs_f64();
        counts.add(family.filter(|_| left_out.is_empty()), &ranking);
        println!("{}", row(&name, &ranking, seconds));
        if let Some(file) = &asked.scores {
            let own = family.filter(|_| left_out.is_empty());
            keep(file, &scores(&name, own.map(|own| (own, kinds.as_slice())), &ranking))
                .expect("a file to write to");
        }
        if let Some(file) = &asked.evidence {
            let own = family.map(|own| (own, kinds.as_slice()));
            let line =
                evidence(&name, own, asked.without_family, (&captured, asked.count), &ranking);
            keep(file, &line).expect("a file to write to");
        }
    }
    println!("\n{counts}");
}

/// Results of all captures.
#[derive(Default)]
struct Counts {
    own: usize,
    first: usize,
    named: usize,
    foreign: usize,
    none: usize,
}

impl Counts {
    fn add(&mut self, family: Option<&str>, ranking: &Ranking) {
        let is = |one: &Candidate, own: &str| one.matched.profile.name.starts_with(own);
        match family {
            Some(own) => {
                self.own += 1;
                self.first +=
                    usize::from(ranking.candidates.first().is_some_and(|one| is(one, own)));
                self.named += usize::from(ranking.best().is_some_and(|one| is(one, own)));
            }
            None => {
                self.foreign += 1;
                self.none += usize::from(ranking.best().is_none());
            }
        }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Of {} captures of a family there is a profile of, {} have it first and {} are explained \
             by it. Of {} others, {} are explained by none.",
            self.own, self.first, self.named, self.foreign, self.none
        )
    }
}

fn row(name: &str, ranking: &Ranking, seconds: f64) -> String {
    let Some(first) = ranking.candidates.first() else {
        return format!("| {name} | none is possible | | no | | | {seconds:.1} |");
    };
    let other = |one: &&Candidate| {
        family_of_profile(&one.matched.profile.name)
            != family_of_profile(&first.matched.profile.name)
    };
    let next = ranking.candidates.iter().find(other);
    let shown = |one: Option<&Candidate>| {
        one.map_or(" | ".to_owned(), |one| {
            let size = one.size.map_or(String::new(), |size| format!(", {size} B"));
            let set = one.settings.iter().map(|(name, value)| format!(" {name}={value}"));
            let set: String = set.collect();
            format!("{}{set}{size} | {:.3}", one.matched.profile.name, one.score)
        })
    };
    let explained = if ranking.best().is_some() { "yes" } else { "no" };
    format!("| {name} | {} | {explained} | {} | {seconds:.1} |", shown(Some(first)), shown(next))
}

/// Columns of a ranking that `calibration` reads. If no profile can be as slow as the capture, no
/// profile is near.
fn scores(name: &str, own: Option<(&str, &[Kind])>, ranking: &Ranking) -> String {
    let (source, able) = (name.split('/').next().unwrap_or_default(), own.is_some());
    let Some(first) = ranking.candidates.first() else {
        return format!("{source}\t{name}\t{able}\tfalse\tfalse\t1.0000\t1.0000\tfalse\n");
    };
    let first_is = &first.matched.profile;
    let is_own = own.is_some_and(|(own, _)| first_is.name.starts_with(own));
    let is_kind = own.is_some_and(|(_, kinds)| kinds.contains(&first_is.kind));
    let near = first.matched.evidence.is_near() && first.matched.is_alike();
    let next = ranking.next_score();
    format!(
        "{source}\t{name}\t{able}\t{is_own}\t{near}\t{:.4}\t{next:.4}\t{is_kind}\n",
        first.score
    )
}

/// A ranking with all components of its scores, as JSON.
fn evidence(
    name: &str,
    own: Option<(&str, &[Kind])>,
    without_family: bool,
    (captured, count): (&Transfers, usize),
    ranking: &Ranking,
) -> String {
    let latencies = |transfers: &Transfers| -> Vec<Option<i64>> {
        let both = transfers.trigger_ns.iter().zip(&transfers.completion_ns).take(count);
        both.map(|(&trigger, &done)| (done != NONE).then(|| done - trigger)).collect()
    };
    let candidate = |one: &Candidate| {
        let Candidate { size, sized, settings, matched, reach, score, .. } = one;
        let profile = &matched.profile;
        let evidence = matched.evidence;
        let parts = evidence.parts().map(|(part, share)| (format!("{part:?}"), share));
        serde_json::json!({
            "link": profile.name, "kind": profile.kind.name(), "size": size, "sized": sized,
            "settings": settings.len(), "reach": reach, "score": score, "parts": parts,
            "spread": evidence.spread, "apart": evidence.apart, "near": evidence.is_near(),
            "alike": matched.is_alike(), "resolved": matched.resolved, "distance": matched.distance,
            "ks": matched.ks, "ks_chance": matched.ks_chance, "shape": matched.shape,
            "fitted": matched.fitted.len(), "free": matched.free,
            "is_own": own.is_some_and(|(own, _)| profile.name.starts_with(own)),
            "is_kind": own.is_some_and(|(_, kinds)| kinds.contains(&profile.kind)),
            "captured": matched.captured, "bench": matched.bench,
            "latency_ns": latencies(&pair(&matched.run.trace, PairOptions::default())),
        })
    };
    let candidates: Vec<serde_json::Value> = ranking.candidates.iter().map(candidate).collect();
    let triggers = &captured.trigger_ns[..captured.trigger_ns.len().min(count)];
    let line = serde_json::json!({
        "capture": name, "able": own.is_some() && !without_family,
        "trigger_ns": triggers, "latency_ns": latencies(captured), "candidates": candidates,
    });
    format!("{line}\n")
}

fn keep(file: &Path, line: &str) -> std::io::Result<()> {
    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(file)?;
    file.write_all(line.as_bytes())
}

fn family_of_profile(name: &str) -> Option<&'static str> {
    FAMILIES.iter().map(|&(_, prefix)| prefix).find(|prefix| name.starts_with(prefix))
}

/// Prefix of the names of the right profiles. `None` if there is no profile of the link.
fn family(name: &str) -> Option<&'static str> {
    if STRANGERS.iter().any(|stranger| name.contains(stranger)) {
        return None;
    }
    FAMILIES.iter().find(|(folder, _)| name.starts_with(folder)).map(|&(_, prefix)| prefix)
}

/// All captures below the folders: relative path without extension, and full path.
fn captures(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut all = Vec::new();
    let below = |path: &Path| -> Vec<PathBuf> {
        let entries =
            std::fs::read_dir(path).map(|entries| entries.flatten().map(|one| one.path()));
        let mut paths: Vec<PathBuf> = entries.map(Iterator::collect).unwrap_or_default();
        paths.sort();
        paths
    };
    for path in below(folder).iter().flat_map(|link| below(link)) {
        if path.extension().is_some_and(|ending| ending == "csv") {
            let name = path.strip_prefix(folder).unwrap_or(&path).with_extension("");
            all.push((name.to_string_lossy().into_owned(), path));
        }
    }
    all
}

fn read(path: &Path) -> Option<Transfers> {
    let trace = airlag_trace::read(path, &airlag_trace::ReadOptions::default()).ok()?;
    Some(pair(&trace, PairOptions::default()))
}

/// Payload in the name of a capture. A board without a link has no payload; any value is valid for
/// it, here 12.
fn size_of(name: &str) -> usize {
    let digits = |word: &str| word.to_uppercase().strip_suffix('B')?.parse().ok();
    name.split(['-', '_', '/']).find_map(digits).unwrap_or(12)
}
