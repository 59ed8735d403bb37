//! # airlag-tunnel: IP over a packet radio
//!
//! **Input:** IP packets at one end. **Output:** the same packets at the other end, each once and complete,
//! or counted as dropped. **Used with:** a [`Radio`], which transmits the frames.
//!
//! ```text
//!  packet → fair (one queue per flow, CoDel) → record (sealed) → send (frames, block ARQ) → radio
//!  radio → receive (in order, selective repeat) → record (opened) → packet
//! ```
//!
//! - [`time`]: instants, which the caller provides.
//! - [`noise`]: the Noise handshake.
//! - [`keys`]: encryption of packets, authentication of reports, and the keyed mark of each frame,
//!   which hides the frame number.
//! - [`wire`]: frame formats.
//! - [`flow`], [`codel`], [`ecn`], [`fair`]: packet queues (RFC 8290).
//! - [`send`], [`receive`]: the two halves of the block ARQ.
//! - [`handshake`]: agreement of the two ends on a session, and detection of a restart of an end.
//! - [`endpoint`]: one end of a tunnel. The caller provides input, output and clock.
//! - [`radio`]: interface of a radio, and the loop that connects a radio to an endpoint.
//! - [`nrf24`]: the nRF24L01+ as a radio.
//! - [`over`]: any bidirectional link as a radio.
//!
//! `docs/tunnel-security.md` describes what a key protects. Not supported: more than two ends, and header
//! compression.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod codel;
pub mod ecn;
pub mod endpoint;
pub mod fair;
pub mod flow;
pub mod handshake;
pub mod keys;
pub mod noise;
pub mod nrf24;
pub mod over;
pub mod radio;
pub mod receive;
pub mod send;
pub mod time;
pub mod wire;

pub use endpoint::{Arq, Config, Dropped, Endpoint, Lifetime, Pace, Reason};
pub use keys::Protection;
pub use over::Over;
pub use radio::{Clock, Radio};
pub use time::Instant;

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
