//! What the fuzz targets share: small limits, so that what is found is a fault and not a large file.

use std::fmt::Write;

use airlag_trace::error::At;
use airlag_trace::{ReadOptions, Recorder, Trace};

#[path = "../../crates/trace/tests/made/mod.rs"]
pub mod made;

/// Options under which no input of a few kilobytes fills the memory.
pub fn options() -> ReadOptions {
    ReadOptions { max_unpacked_bytes: 8 << 20, ..ReadOptions::default() }
}

/// Runs a reader; its error, if any, must be one short line.
pub fn kept(read: impl FnOnce(&mut Recorder) -> Result<(), At>) -> Option<Trace> {
    let mut recorder = Recorder::default();
    checked(read(&mut recorder)).map(|()| recorder.into_trace())
}

/// The value of a reader; its error, if any, must be one short line.
pub fn checked<T>(read: Result<T, At>) -> Option<T> {
    match read {
        Ok(value) => Some(value),
        Err(at) => {
            let mut text = String::new();
            let _ = write!(text, "{}{}", at.place, at.problem);
            assert!(!text.is_empty() && !text.contains('\n'), "{text:?}");
            None
        }
    }
}

/// What every trace promises: segments in order, edges ascending inside them.
pub fn sound(trace: &Trace) {
    for channel in &trace.channels {
        let mut before_ns = i64::MIN;
        for segment in &channel.segments {
            assert!(segment.begin_ns >= before_ns);
            let mut last_ns = segment.begin_ns;
            for &edge_ns in &segment.edges_ns {
                assert!(edge_ns >= last_ns);
                last_ns = edge_ns;
            }
            assert!(segment.end_ns >= last_ns);
            before_ns = segment.end_ns;
        }
    }
}
