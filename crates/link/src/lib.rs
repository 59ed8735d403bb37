//! # airlag-link: what both ends agree on
//!
//! **Enters:** a message and a link to send it over. **Leaves:** chunks that fit the link, and on
//! the other side the message again, or the news that it is damaged. **Next on the way:**
//! `airlag-app`, which sends and receives messages, and `airlag-drivers`, which implement [`Link`].
//!
//! Walk through the files in this order:
//!
//! - [`message`]: sequence number, length and CRC inside the bytes of the message itself.
//! - [`chunk`]: split at the link's largest chunk, put together again, notice what is missing.
//! - [`framing`]: messages on a stream of bytes.
//! - [`edges`]: what a board that stamps edges itself sends to whoever records them.
//! - [`link`]: the seam every radio is seen through.
//! - [`probe`]: the message of a live probe, with the stamps of the far end.
//! - [`stamp`]: the packets of STAMP (RFC 8762), for probes over UDP.
//! - [`again`]: every chunk more than once, for links that confirm nothing.
//! - [`airtime`]: how long a frame occupies the air, one file per radio, as `const fn`.
//!
//! Builds without the standard library and without an allocator.

#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod again;
pub mod airtime;
pub mod chunk;
pub mod edges;
pub mod framing;
pub mod link;
pub mod message;
pub mod probe;
pub mod stamp;

pub use again::Again;
pub use chunk::{Reassembler, Seen, chunks};
pub use link::{Capability, Delivery, Link, OpenedBy};
pub use message::{Header, MessageError};
