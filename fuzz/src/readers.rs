//! The readers of captures.

use std::fs;
use std::io::Cursor;

use airlag_trace::latency_table::TableUnit;
use airlag_trace::saved_run::{self, Kept, Rows};
use airlag_trace::{
    Channel, Format, MemoryLimit, Recorder, SavedRun, Segment, TableOptions, Trace,
};

use crate::made::{Wire, archive, meta};
use crate::promise::{checked, kept, one_line, options, same, sound};

/// Text as a table of latencies or as a unit, and the head of anything as any format.
pub fn latency_table(bytes: &[u8]) {
    let _ = Format::detect(bytes);
    let _ = std::str::from_utf8(bytes).map(TableUnit::parse);
    let table = TableOptions { memory: options().memory, ..TableOptions::default() };
    if let Some(table) = checked(airlag_trace::latency_table::read(bytes, &table)) {
        assert!(table.latencies_ns.iter().all(|&ns| ns >= 0) && !table.latencies_ns.is_empty());
    }
}

/// Bytes as a `.sal`: the archive itself, or one of the members of an archive that is sound.
pub fn sal(bytes: &[u8]) {
    use airlag_trace::sal::{read, read_trace};

    let Some((&kind, bytes)) = bytes.split_first() else { return };
    let file = match kind {
        0 => bytes.to_vec(),
        1 => archive(&[("meta.json", meta(&[]).as_bytes()), ("digital-0.bin", bytes)]),
        _ => {
            let wire = Wire::new(50_000_000, 900, false, &[100]).bytes();
            archive(&[("meta.json", bytes), ("digital-0.bin", &wire)])
        }
    };
    let whole = read_trace(Cursor::new(&file), &options());
    let trace = same(whole, |sink| read(Cursor::new(&file), &options(), sink));
    trace.iter().for_each(sound);
}

/// Bytes as a Logic 2 binary export, kept and merged.
pub fn saleae_binary(bytes: &[u8]) {
    use airlag_trace::saleae_binary::{read, read_trace};

    let whole = read_trace(bytes, "a", &options());
    let trace = same(whole, |sink| read(bytes, "a", &options(), sink));
    trace.iter().for_each(sound);
}

/// Text as a Logic 2 CSV export.
pub fn saleae_csv(bytes: &[u8]) {
    let trace = kept(|sink| airlag_trace::saleae_csv::read(bytes, &options(), sink));
    trace.iter().for_each(sound);
}

/// Bytes as a folder of two Logic 2 binary exports, kept and merged.
///
/// # Panics
/// If the machine has no room for temporary files.
pub fn saleae_folder(bytes: &[u8]) {
    use airlag_trace::{read, read_into};

    let Some((&length, bytes)) = bytes.split_first() else { return };
    let (one, two) = bytes.split_at(bytes.len().min(length.into()));
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    for (name, bytes) in [("digital_0.bin", one), ("digital_1.bin", two)] {
        fs::write(folder.path().join(name), bytes).expect("a temporary file");
    }
    let mut recorder = Recorder::within(options().memory);
    let whole = read(folder.path(), &options());
    let merged = read_into(folder.path(), &options(), &mut recorder);
    whole.as_ref().err().into_iter().chain(merged.as_ref().err()).for_each(one_line);
    assert_eq!(whole.is_ok(), merged.is_ok());
    if let Ok(whole) = whole {
        sound(&whole);
        assert_eq!(whole, recorder.into_trace());
    }
}

/// Bytes as a saved run: the file itself, or what a sound one says about its edges. What is read is
/// written and must be read again as the same.
///
/// # Panics
/// If what was read cannot be written, or is read differently.
pub fn saved_run(bytes: &[u8]) {
    let Some((&kind, bytes)) = bytes.split_first() else { return };
    let file = if kind == 0 {
        bytes.to_vec()
    } else {
        let edges = Segment { begin_ns: 0, end_ns: 900, initial: false, edges_ns: vec![100, 300] };
        let channel = Channel { name: "a".into(), segments: vec![edges] };
        let trace = Trace { channels: vec![channel], ..Trace::default() };
        saved(Some(&trace), &[], &String::from_utf8_lossy(bytes))
    };
    let run = checked(SavedRun::new(Cursor::new(file)));
    let Some(kept) = run.and_then(|run| checked(run.read(options().memory))) else { return };
    let file = match &kept {
        Kept::Edges(trace) => {
            sound(trace);
            saved(Some(trace), &[], &about(&saved_run::layout(trace)))
        }
        Kept::Latencies(latencies) => saved(None, latencies, &about("null")),
    };
    // Metadata may be longer, and rows take a value each.
    let memory = MemoryLimit::of(1 << 28);
    let again = SavedRun::new(Cursor::new(file)).and_then(|run| run.read(memory));
    assert_eq!(checked(again), Some(kept));
}

/// What a saved run says about itself, as far as the core reads it.
pub fn about(layout: &str) -> String {
    format!(r#"{{"format": 1, "trace": {layout}}}"#)
}

/// A saved run of these edges or latencies.
///
/// # Panics
/// If memory does not take it.
pub fn saved(trace: Option<&Trace>, latencies: &[i64], metadata: &str) -> Vec<u8> {
    let rows = Rows {
        trigger_ns: trace.map(|_| latencies),
        completion_ns: latencies,
        outcome: &vec![0; latencies.len()],
        outcomes: &["delivered"],
    };
    let mut file = Vec::new();
    saved_run::write(&mut file, &rows, trace, metadata).expect("memory takes everything");
    file
}

/// Bytes as a sigrok session: the archive itself, or metadata and samples of one that is sound.
pub fn sigrok(bytes: &[u8]) {
    let Some((&kind, bytes)) = bytes.split_first() else { return };
    let file = if kind == 0 {
        bytes.to_vec()
    } else {
        let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
        let (metadata, samples) = bytes.split_at(end);
        let version: &[u8] = if kind == 1 { b"1" } else { b"2" };
        archive(&[("version", version), ("metadata", metadata), ("logic-1", samples)])
    };
    let trace = kept(|sink| airlag_trace::sigrok::read(Cursor::new(&file), &options(), sink));
    trace.iter().for_each(sound);
}

/// Text as a value change dump. What is read is written and must be read again as the same.
///
/// # Panics
/// If what was read cannot be written, or is read differently.
pub fn vcd(bytes: &[u8]) {
    use airlag_trace::vcd::{read, write};

    let Some(trace) = kept(|sink| read(bytes, &options(), sink)) else { return };
    sound(&trace);
    let mut text = Vec::new();
    write(&mut text, &trace).expect("memory takes everything");
    let again = kept(|sink| read(&text[..], &options(), sink));
    assert_eq!(again, Some(trace));
}
