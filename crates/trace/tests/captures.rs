//! Real captures: all formats of a capture must have the same content.
//!
//! The files are not part of the repository: `AIRLAG_CAPTURES` names their folder.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use airlag_files::{Replace, write};
use airlag_peers::{captures, files};
use airlag_trace::{
    Format, Pick, ReadOptions, Selection, TableOptions, Trace, WriteFormat, read, read_into,
    read_stream, read_table,
};

fn all(path: &Path) -> Trace {
    read(path, &ReadOptions::default()).unwrap()
}

fn only(path: &Path, channels: &[&str]) -> Trace {
    let picks = channels.iter().map(|name| Pick::new(*name)).collect();
    let options = ReadOptions { selection: Selection::Picks(picks), ..ReadOptions::default() };
    read(path, &options).unwrap()
}

/// Begin, end, initial level and edges of a segment.
type Seen = (i64, i64, bool, Vec<i64>);

/// The segments of every channel, with times in ns since 1970.
fn absolute(trace: &Trace) -> Vec<Vec<Seen>> {
    let epoch = trace.epoch_unix_ns.expect("captures carry a date");
    let channels = trace.channels.iter().map(|channel| {
        let segments = channel.segments.iter().map(|s| {
            let edges = s.edges_ns.iter().map(|e| epoch + e).collect();
            (epoch + s.begin_ns, epoch + s.end_ns, s.initial, edges)
        });
        segments.collect()
    });
    channels.collect()
}

/// A folder for one test, which is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("airlag-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
#[ignore = "needs captures"]
fn a_native_capture_says_what_its_csv_export_says() {
    let Some(folder) = captures() else { return };
    let mut pairs = 0;
    for sal in files(&folder, "sal") {
        let csv = sal.with_extension("csv");
        if !csv.exists() {
            continue;
        }
        let name = sal.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
        let exported = all(&csv);
        let names: Vec<&str> = exported.channels.iter().map(|c| c.name.as_str()).collect();
        let native = only(&sal, &names);
        let (mut native, exported) = (absolute(&native), absolute(&exported));
        if name.starts_with("bt-spp-hc05") {
            // This is a different capture with the same name: the serial lines of the next few
            // seconds.
            assert_ne!(native, exported, "{name}");
            continue;
        }
        if name.ends_with("trigger-logs__12B-250ms-trigger.sal") {
            // The export shows a view that starts later, before the first edge.
            for (native, exported) in native.iter_mut().zip(&exported) {
                assert_eq!(exported[0].0 - native[0].0, 113_693_860, "{name}");
                native[0].0 = exported[0].0;
            }
        }
        assert!(native == exported, "{name}: native and exported differ");
        pairs += 1;
    }
    assert!(pairs >= 10, "{pairs} pairs");
}

#[test]
#[ignore = "needs captures"]
fn a_native_capture_streams_the_rows_it_is_read_as() {
    let Some(folder) = captures() else { return };
    let native = files(&folder, "sal");
    assert!(native.len() >= 10, "{} captures", native.len());
    for sal in native {
        let mut recorder = airlag_trace::Recorder::default();
        let format = read_into(&sal, &ReadOptions::default(), &mut recorder).unwrap();
        assert_eq!(format, Format::Sal);
        let (kept, streamed) = (all(&sal), recorder.into_trace());
        assert!(kept == streamed, "{}", sal.display());
    }
}

#[test]
#[ignore = "needs captures"]
fn every_capture_survives_csv_and_vcd() {
    let Some(folder) = captures() else { return };
    let scratch = Scratch::new("chains");
    let (a, b, c) = (scratch.file("a.csv"), scratch.file("b.vcd"), scratch.file("c.csv"));
    let captures = files(&folder, "csv");
    assert!(captures.len() >= 90, "{} captures", captures.len());
    for csv in captures {
        let original = all(&csv);
        write(&a, &original, WriteFormat::SaleaeCsv, Replace::Anything).unwrap();
        assert!(all(&a) == original, "{}: csv to csv", csv.display());
        write(&b, &all(&a), WriteFormat::Vcd, Replace::Anything).unwrap();
        assert!(all(&b) == original, "{}: csv to vcd", csv.display());
        write(&c, &all(&b), WriteFormat::SaleaeCsv, Replace::Anything).unwrap();
        assert!(all(&c) == original, "{}: csv to vcd to csv", csv.display());
        // The writer produces the same bytes as Logic 2.
        assert!(
            std::fs::read(&c).unwrap() == std::fs::read(&csv).unwrap(),
            "{}: other bytes",
            csv.display()
        );
    }
}

#[test]
#[ignore = "needs captures"]
fn a_published_table_is_no_capture_and_a_capture_no_table() {
    let Some(folder) = captures() else { return };
    let (tables, captures) = (files(&folder, "txt"), files(&folder, "csv"));
    assert!(!tables.is_empty() && captures.len() >= 90, "{} captures", captures.len());
    for path in tables {
        let table = read_table(&path, &TableOptions::default()).unwrap();
        let lines = std::fs::read_to_string(&path).unwrap().lines().count();
        assert_eq!(table.latencies_ns.len(), lines);
        assert_eq!(table.latencies_ns[..2], [630_000, 1_280_000]);
        let refused = read(&path, &ReadOptions::default()).unwrap_err();
        assert!(refused.to_string().contains("a table of latencies"), "{refused}");
    }
    for path in captures {
        let file = std::fs::File::open(&path).unwrap();
        let mut rows = airlag_trace::Recorder::default();
        let format = read_stream(file, "", &ReadOptions::default(), &mut rows).unwrap();
        assert_eq!(format, Format::SaleaeCsv, "{}", path.display());
    }
}
