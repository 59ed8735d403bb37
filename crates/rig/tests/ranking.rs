//! Which profile is said to explain each real capture, and what is said of a capture whose family
//! is left out or not modelled.
//!
//! Captures lie in the folder `AIRLAG_CAPTURES`, by default beside the workspace; without them
//! these tests say so and pass.

#![allow(clippy::print_stdout, reason = "what was said of each is what a reader wants")]

mod bench;

use airlag_rig::matching::{Options, Ranking, rank};
use airlag_rig::profile::Profile;
use airlag_rig::registry;
use airlag_stats::Transfers;

/// Folders of captures, and how the names of the profiles of their family begin.
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
    ("wifi-tcp-esp32", "wifi-tcp-"),
    ("wifi-udp-esp32", "wifi-udp-"),
    ("wifi-websocket-esp32", "websocket-esp32"),
    ("pi4-websocket", "websocket-pi4-"),
];

/// Boards nobody has modelled, in the folder of boards that are.
const STRANGERS: [&str; 2] = ["gpio-fixture/espIDF-o3", "gpio-fixture/rpi-node"];

/// Links without a phase, which can only be where they are.
const DETERMINISTIC: [&str; 4] = ["gpio-", "uart-", "nrf24-", "lora-"];

/// Triggers of a capture that are used: enough to tell families apart.
const TRIGGERS: usize = 200;

/// Every capture of a folder: its path without the ending, its size and what is in it.
fn captures_of(folder: &str) -> Vec<(String, usize, Transfers)> {
    let Some(root) = bench::captures() else { return Vec::new() };
    let Ok(entries) = std::fs::read_dir(root.join(folder)) else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("a file").path());
    let is_csv = |path: &std::path::PathBuf| path.extension().is_some_and(|ending| ending == "csv");
    let stem = |path: std::path::PathBuf| {
        format!("{folder}/{}", path.file_stem().expect("a name").to_string_lossy())
    };
    let mut files: Vec<String> = paths.filter(is_csv).map(stem).collect();
    files.sort();
    let one = |file: String| {
        let captured = bench::real(&file)?;
        let size = size_of(&file);
        Some((file, size, captured))
    };
    files.into_iter().filter_map(one).collect()
}

/// The payload a name tells; a board alone has none, and 12 is as good as any.
fn size_of(name: &str) -> usize {
    let digits = |word: &str| word.to_uppercase().strip_suffix('B')?.parse().ok();
    name.split(['-', '_', '/']).find_map(digits).unwrap_or(12)
}

fn ranked(profiles: &[Profile], file: &str, size: usize, captured: &Transfers) -> Ranking {
    let options = Options { triggers: TRIGGERS, vary: false, ..Options::default() };
    let ranking = rank(profiles, Some(size), captured, &options).expect("a ranking");
    let told = ranking.candidates.first().map_or(String::new(), |first| {
        let found = &first.matched;
        let off = found.quantile_error[2].relative() * 100.0;
        format!("{}, median {off:+.2} %, shape {:.3}", found.profile.name, found.shape)
    });
    println!("{file}: explained {}, nearest {told}", ranking.best().is_some());
    ranking
}

/// Captures whose family has profiles, with the beginning of their names: the first six of a folder,
/// and of a link with phases, which take many runs to fit, the first two of less than a kilobyte.
fn modelled(profiles: &[Profile]) -> Vec<(&'static str, String, usize, Transfers)> {
    let has = |prefix: &str| profiles.iter().any(|one| one.name.starts_with(prefix));
    let folders = FAMILIES.iter().filter(|(_, prefix)| has(prefix));
    let with = |&(folder, prefix): &(&str, &'static str)| {
        let mut all = captures_of(folder);
        all.retain(|(file, ..)| !STRANGERS.contains(&file.as_str()));
        all.truncate(6);
        if !DETERMINISTIC.contains(&prefix) {
            all.retain(|&(_, size, _)| size < 1024);
            all.truncate(2);
        }
        all.into_iter().map(move |(file, size, captured)| (prefix, file, size, captured))
    };
    folders.flat_map(with).collect()
}

#[test]
fn the_right_family_is_first_for_nine_captures_of_ten() {
    let profiles = registry::all().expect("right files");
    let (mut right, mut all) = (0, 0);
    for (prefix, file, size, captured) in modelled(&profiles) {
        let ranking = ranked(&profiles, &file, size, &captured);
        let first = ranking.candidates.first().map(|first| first.matched.profile.name.as_str());
        right += usize::from(first.is_some_and(|name| name.starts_with(prefix)));
        all += 1;
    }
    println!("{right} of {all}");
    assert!(10 * right >= 9 * all, "{right} of {all}");
}

#[test]
fn a_deterministic_link_whose_family_is_left_out_is_explained_by_none() {
    let all = registry::all().expect("right files");
    let (mut explained, mut seen) = (0, 0);
    for (prefix, file, size, captured) in modelled(&all) {
        if !DETERMINISTIC.contains(&prefix) {
            continue;
        }
        let others = all.iter().filter(|one| {
            DETERMINISTIC.iter().any(|known| one.name.starts_with(known) && *known != prefix)
        });
        let others: Vec<Profile> = others.cloned().collect();
        explained += usize::from(ranked(&others, &file, size, &captured).best().is_some());
        seen += 1;
    }
    assert!(20 * explained <= seen, "{explained} of {seen}");
}

#[test]
fn a_capture_of_a_family_nobody_modelled_is_explained_by_none() {
    let profiles = registry::all().expect("right files");
    let (mut explained, mut seen) = (0, 0);
    let is_modelled = |prefix: &str| profiles.iter().any(|one| one.name.starts_with(prefix));
    let foreign = FAMILIES.iter().filter(|(_, prefix)| !is_modelled(prefix));
    let strangers = captures_of("gpio-fixture").into_iter();
    let strangers = strangers.filter(|(file, ..)| STRANGERS.contains(&file.as_str()));
    let all = foreign.flat_map(|(folder, _)| captures_of(folder)).chain(strangers);
    // Messages of a kilobyte take the serial benches longest, and tell no more.
    for (file, size, captured) in all.filter(|&(_, size, _)| size < 1024) {
        explained += usize::from(ranked(&profiles, &file, size, &captured).best().is_some());
        seen += 1;
    }
    assert!(10 * explained <= seen, "{explained} of {seen}");
}
