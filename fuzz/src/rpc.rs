//! What the two ends of a connection hear.

pub mod assembler;
pub mod between;
pub mod command;
pub mod ends;
pub mod exchange;
pub mod service;
pub mod session;

/// Bytes as pieces of them: each begins with its length.
fn pieces(mut rest: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (&length, tail) = rest.split_first()?;
        let (piece, tail) = tail.split_at(usize::from(length).min(tail.len()));
        rest = tail;
        Some(piece)
    })
}
