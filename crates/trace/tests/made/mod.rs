//! Generates small capture files in the formats that airlag reads but does not write, for tests,
//! fuzzing and benchmarks.
#![allow(dead_code, missing_docs)]
#![allow(clippy::unwrap_used)]

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A zip archive of these members.
pub fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        let packed = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        zip.start_file(*name, packed).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// `meta.json` with names for wires.
pub fn meta(names: &[(u32, &str)]) -> String {
    let rows = names.iter().map(|(number, name)| {
        format!(
            r#"{{"name":"{name}","channel":{{"type":"Digital","deviceChannel":{number}}},"type":"channel"}}"#
        )
    });
    let rows: Vec<String> = rows.collect();
    format!(r#"{{"version":15,"data":{{"rowsSettings":[{}]}}}}"#, rows.join(","))
}

/// One wire of a `.sal`.
#[derive(Clone, Debug)]
pub struct Wire {
    pub rate_hz: u64,
    pub unix_ms: u64,
    pub fraction_ms: f64,
    pub first_shown: Option<u64>,
    pub last_shown: Option<u64>,
    pub begin: u64,
    pub end: u64,
    pub chunk: u64,
    pub initial: bool,
    pub edges: Vec<u64>,
}

impl Wire {
    pub fn new(rate_hz: u64, end: u64, initial: bool, edges: &[u64]) -> Self {
        Self {
            rate_hz,
            unix_ms: 1_700_000_000_123,
            fraction_ms: 0.456,
            first_shown: None,
            last_shown: None,
            begin: 0,
            end,
            chunk: 1_000,
            initial,
            edges: edges.to_vec(),
        }
    }

    /// `digital-N.bin`.
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = b"<SALEAE>".to_vec();
        out.extend(1u32.to_le_bytes());
        out.extend(100u32.to_le_bytes());
        out.push(1);
        out.extend((self.rate_hz as f64).to_le_bytes());
        out.extend(self.unix_ms.to_le_bytes());
        out.extend(self.fraction_ms.to_le_bytes());
        for shown in [self.first_shown, self.last_shown] {
            out.push(u8::from(shown.is_some()));
            out.extend(shown.map_or(Vec::new(), |sample| sample.to_le_bytes().to_vec()));
        }
        let chunks = (self.end - self.begin).div_ceil(self.chunk);
        out.extend(chunks.to_le_bytes());
        let mut edges = self.edges.iter().copied().peekable();
        let mut level = self.initial;
        for chunk in 0..chunks {
            let begin = self.begin + chunk * self.chunk;
            let end = (begin + self.chunk).min(self.end);
            level ^= edges.next_if_eq(&begin).is_some();
            let first_level = level;
            let (mut runs, mut at) = (Vec::new(), begin);
            while let Some(edge) = edges.next_if(|&edge| edge < end) {
                runs.extend(run(edge - at));
                at = edge;
                level = !level;
            }
            runs.extend(run(end - at));
            for field in [begin, end, end - begin, self.rate_hz, 1, runs.len() as u64] {
                out.extend(field.to_le_bytes());
            }
            out.extend(&runs);
            out.extend(1u64.to_le_bytes());
            out.extend([0u8; 16]);
            out.extend(u32::from(first_level).to_le_bytes());
        }
        out
    }
}

/// A run of `samples` samples.
pub fn run(samples: u64) -> Vec<u8> {
    let value = samples - 1;
    let mut groups = vec![(value & 0x7f) as u8];
    let mut rest = value >> 7;
    // The last group is stored in the first byte, which has space for six bits.
    while rest > 0 {
        groups.push((rest & 0x7f) as u8);
        rest >>= 7;
    }
    if groups.last().is_some_and(|&top| top > 0x3f) {
        groups.push(0);
    }
    groups.reverse();
    let last = groups.len() - 1;
    let more = |index: usize| if index == 0 { 0x40 } else { 0x80 };
    let bytes = groups.iter().enumerate();
    bytes.map(|(i, &group)| if i < last { group | more(i) } else { group }).collect()
}

/// A `.sal` with these wires.
pub fn sal(wires: &[(u32, Wire)], names: &[(u32, &str)]) -> Vec<u8> {
    let bins: Vec<(String, Vec<u8>)> =
        wires.iter().map(|(n, wire)| (format!("digital-{n}.bin"), wire.bytes())).collect();
    let meta = meta(names);
    let mut members: Vec<(&str, &[u8])> =
        bins.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    members.push(("meta.json", meta.as_bytes()));
    archive(&members)
}

/// A binary export, version 0.
pub fn binary_0(initial: bool, begin: f64, end: f64, times: &[f64]) -> Vec<u8> {
    let mut out = b"<SALEAE>\0\0\0\0\0\0\0\0".to_vec();
    out.extend(u32::from(initial).to_le_bytes());
    out.extend([begin, end].map(f64::to_le_bytes).concat());
    out.extend((times.len() as u64).to_le_bytes());
    out.extend(times.iter().flat_map(|time| time.to_le_bytes()));
    out
}

/// A binary export, version 1. Each chunk has an initial state, its start and end, and transitions.
pub fn binary_1(rate_hz: f64, chunks: &[(bool, f64, f64, &[f64])]) -> Vec<u8> {
    let mut out = b"<SALEAE>\x01\0\0\0\0\0\0\0".to_vec();
    out.extend((chunks.len() as u64).to_le_bytes());
    for &(initial, begin, end, times) in chunks {
        out.extend(u32::from(initial).to_le_bytes());
        out.extend([rate_hz, begin, end].map(f64::to_le_bytes).concat());
        out.extend((times.len() as u64).to_le_bytes());
        out.extend(times.iter().flat_map(|time| time.to_le_bytes()));
    }
    out
}

/// A sigrok session with samples of `unit` bytes, split into pieces.
pub fn session(metadata: &str, pieces: &[&[u8]]) -> Vec<u8> {
    let names: Vec<String> = (1..=pieces.len()).map(|n| format!("logic-1-{n}")).collect();
    let mut members: Vec<(&str, &[u8])> =
        vec![("version", b"2"), ("metadata", metadata.as_bytes())];
    members.extend(names.iter().map(String::as_str).zip(pieces.iter().copied()));
    archive(&members)
}
