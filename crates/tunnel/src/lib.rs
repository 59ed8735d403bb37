//! # airlag-tunnel: IP over a packet radio
//!
//! **Enters:** IP packets on one side. **Leaves:** the same packets on the other, each once and
//! whole, or counted as dropped. **Next on the way:** a [`Radio`] puts the frames on the air.
//!
//! ```text
//!  packet → fair (a queue a flow, CoDel) → record (sealed) → send (frames, block ARQ) → radio
//!  radio → receive (in order, selective repeat) → record (opened) → packet
//! ```
//!
//! - [`time`]: instants, handed in.
//! - [`noise`]: the handshake that others have analysed.
//! - [`keys`]: what seals a packet, what vouches for a report, and what marks a frame.
//! - [`wire`]: the frames.
//! - [`flow`], [`codel`], [`ecn`], [`fair`]: packets that wait (RFC 8290).
//! - [`send`], [`receive`]: the two halves of the block ARQ.
//! - [`handshake`]: two ends agree on a session, and notice when one has begun anew.
//! - [`endpoint`]: one end of a tunnel, made of these. No input or output, and no clock of its own.
//! - [`radio`]: what it needs of a radio, and the loop between the two.
//! - [`nrf24`]: a driver that is such a radio.
//! - [`over`]: any link that carries bytes both ways as a radio.
//!
//! What a key protects, and what it does not, is in `docs/tunnel-security.md`. What is left out: more than two
//! ends, and header compression.

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
