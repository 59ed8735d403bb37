//! Real files of other programs. Every sample and every run is checked.
//!
//! The files are not part of the repository. They are in the folder `other-tools`, next to the
//! folder that `AIRLAG_CAPTURES` names.
#![allow(clippy::unwrap_used)]

use std::fs::File;
use std::io::Read;
use std::path::Path;

use airlag_peers::other_tools;
use airlag_trace::{ReadOptions, Recorder, Trace, read, read_into};
use zip::ZipArchive;

fn member(path: &Path, name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = ZipArchive::new(File::open(path).unwrap()).unwrap();
    archive.by_name(name).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

/// Instants of each channel in the order of [`Trace`]: the level before the first edge, then the
/// edges.
type Seen = Vec<(bool, Vec<i64>)>;

fn seen(trace: &Trace) -> Seen {
    let whole = |channel: &airlag_trace::Channel| {
        let [segment] = &channel.segments[..] else { panic!("{} has gaps", channel.name) };
        (segment.initial, segment.edges_ns.clone())
    };
    trace.channels.iter().map(whole).collect()
}

/// Edges of each bit, computed from the level of each sample.
fn edges_of(samples: impl Iterator<Item = u64> + Clone, bit: u32, ns: i64) -> (bool, Vec<i64>) {
    let mut levels = samples.map(|sample| sample >> bit & 1 == 1);
    let initial = levels.next().unwrap();
    let (mut level, mut edges) = (initial, Vec::new());
    for (number, next) in (1..).zip(levels) {
        if next != level {
            edges.push(number * ns);
            level = next;
        }
    }
    (initial, edges)
}

#[test]
#[ignore = "needs captures"]
fn sigrok_sessions_of_version_1_have_the_edges_of_their_samples() {
    let sessions = other_tools("sr").unwrap_or_default();
    for path in &sessions {
        let trace = read(path, &ReadOptions::default()).unwrap();
        let metadata = String::from_utf8(member(path, "metadata")).unwrap();
        let probes: Vec<(u32, &str)> = metadata
            .lines()
            .filter_map(|line| line.strip_prefix("probe")?.split_once(" = "))
            .map(|(number, name)| (number.parse::<u32>().unwrap() - 1, name))
            .collect();
        let names: Vec<&str> = trace.channels.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, probes.iter().map(|&(_, name)| name).collect::<Vec<_>>());
        let bytes = member(path, "logic-1");
        let ns = 1e9 / trace.sample_rate_hz.unwrap();
        let expected: Seen = probes
            .iter()
            .map(|&(bit, _)| edges_of(bytes.iter().map(|&b| u64::from(b)), bit, ns as i64))
            .collect();
        assert!(seen(&trace) == expected, "{}", path.display());
        assert_eq!(trace.end_ns(), bytes.len() as i64 * ns as i64);
    }
}

#[test]
#[ignore = "needs captures"]
fn logic_2_captures_of_other_versions_cover_what_their_settings_say() {
    let captures = other_tools("sal").unwrap_or_default();
    for path in &captures {
        let trace = read(path, &ReadOptions::default()).unwrap();
        let mut streamed = Recorder::default();
        read_into(path, &ReadOptions::default(), &mut streamed).unwrap();
        assert!(trace == streamed.into_trace(), "{}", path.display());
        let meta: serde_json::Value = serde_json::from_slice(&member(path, "meta.json")).unwrap();
        assert_ne!(meta["version"], 15);
        let shown = &meta["data"]["captureProgress"]["processedInterval"];
        let length = shown["end"].as_f64().unwrap() - shown["begin"].as_f64().unwrap();
        assert_eq!((trace.begin_ns(), trace.end_ns()), (0, (length * 1e9).round() as i64));
        let start = &meta["data"]["captureStartTime"];
        let start_us = start["unixTimeMilliseconds"].as_i64().unwrap() as f64 * 1e3
            + start["fractionalMilliseconds"].as_f64().unwrap() * 1e3;
        let epoch_us = trace.epoch_unix_ns.unwrap() as f64 / 1e3;
        assert!((epoch_us - start_us - shown["begin"].as_f64().unwrap() * 1e6).abs() < 1.0);
        assert!(trace.channels.iter().all(|channel| channel.edge_count() > 100));
    }
}
