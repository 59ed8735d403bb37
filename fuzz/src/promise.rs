//! What every reader promises, under small limits: what is found is a fault and not a large file.

use std::fmt::Display;

use airlag_trace::error::At;
use airlag_trace::{MemoryLimit, Problem, ReadOptions, Recorder, Trace};

/// Options under which the limit is met by inputs of a few kilobytes.
pub fn options() -> ReadOptions {
    ReadOptions { memory: MemoryLimit::of(1 << 20), ..ReadOptions::default() }
}

/// An error is one line.
pub fn one_line(error: &impl Display) {
    let text = error.to_string();
    assert!(!text.is_empty() && !text.contains('\n'), "{text:?}");
}

/// Runs a reader; its error, if any, must be one line.
pub fn kept(read: impl FnOnce(&mut Recorder) -> Result<(), At>) -> Option<Trace> {
    let mut recorder = Recorder::within(options().memory);
    checked(read(&mut recorder)).map(|()| recorder.into_trace())
}

/// The value of a reader; its error, if any, must be one line.
pub fn checked<T>(read: Result<T, At>) -> Option<T> {
    read.map_err(|at| one_line(&format!("{}{}", at.place, at.problem))).ok()
}

/// A trace read whole, which must be the one that its rows make. They may differ only in when the
/// memory limit stops them.
pub fn same(
    whole: Result<Trace, At>,
    stream: impl FnOnce(&mut Recorder) -> Result<(), At>,
) -> Option<Trace> {
    let mut recorder = Recorder::within(options().memory);
    let streamed = stream(&mut recorder).map(|()| recorder.into_trace());
    let stopped = |read: &Result<Trace, At>| {
        matches!(read, Err(At { problem: Problem::OverMemory { .. }, .. }))
    };
    if stopped(&whole) || stopped(&streamed) {
        return checked(whole).or(checked(streamed));
    }
    let whole = checked(whole);
    assert_eq!(whole, checked(streamed));
    whole
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
