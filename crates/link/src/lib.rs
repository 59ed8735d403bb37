//! # airlag-link: the protocol between both ends
//!
//! **Input:** a message, and a link over which the message is sent. **Output:** at the sending end,
//! chunks (parts of the message) that fit the link; at the receiving end, the message, or a report
//! that the message is damaged. **Used by:** `airlag-app`, which sends and receives messages, and
//! `airlag-drivers`, whose drivers implement [`Link`].
//!
//! Suggested reading order:
//!
//! - [`message`]: sequence number, length and CRC, which are part of the bytes of a message.
//! - [`chunk`]: splits messages into chunks, reassembles the messages and detects missing chunks.
//! - [`framing`]: marks the end of each message on a byte stream.
//! - [`envelope`]: kind and checksum of every frame between a board and its host.
//! - [`edges`]: frames in which a board sends time-stamped edges.
//! - [`control`]: frames that identify a board, change its settings and read its counters.
//! - [`link`]: the interface of every radio.
//! - [`probe`]: the message of a live probe, with time stamps of the far end.
//! - [`stamp`]: the packets of STAMP (RFC 8762), for probes over UDP.
//! - [`repetition`]: repeated transmission of every chunk, for links without acknowledgement.
//! - [`airtime`]: airtime of frames, as `const fn`, with one file per radio.
//!
//! Builds without the standard library and without an allocator.

#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod airtime;
pub mod chunk;
pub mod control;
pub mod edges;
pub mod envelope;
pub mod framing;
pub mod link;
pub mod message;
pub mod probe;
pub mod repetition;
pub mod stamp;

pub use chunk::{Reassembler, Seen, chunks};
pub use link::{Capability, Delivery, Link, OpenedBy};
pub use message::{Header, MessageError};
pub use repetition::Repeated;

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
