//! # airlag-link: the protocol between both ends
//!
//! **Input:** a message and a link to send it over. **Output:** chunks that fit the link, and at
//! the receiving end the message, or a report that the message is damaged. **Used by:**
//! `airlag-app`, which sends and receives messages, and `airlag-drivers`, whose drivers implement
//! [`Link`].
//!
//! Suggested reading order:
//!
//! - [`message`]: sequence number, length and CRC within the bytes of the message.
//! - [`chunk`]: splits messages into chunks, reassembles them and detects missing ones.
//! - [`framing`]: messages on a byte stream.
//! - [`envelope`]: kind and checksum of every frame between a board and its host.
//! - [`edges`]: frames from a board that time-stamps edges.
//! - [`control`]: frames that identify a board, change its settings and read its counters.
//! - [`link`]: the interface of every radio.
//! - [`probe`]: the message of a live probe, with time stamps of the far end.
//! - [`stamp`]: the packets of STAMP (RFC 8762), for probes over UDP.
//! - [`repetition`]: repeated transmission of every chunk, for links without acknowledgement.
//! - [`airtime`]: airtime of frames, one file per radio, as `const fn`.
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
