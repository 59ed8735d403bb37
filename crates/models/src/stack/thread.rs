//! Thread between two neighbours: datagrams over UDP, IPv6, 6LoWPAN and secured 802.15.4 frames.
//!
//! - [`adaptation`]: a datagram as 6LoWPAN frames, and back; headers are compressed by smoltcp.
//! - [`reassembly`]: fragments put together, within their time.
//! - [`security`]: AES-CCM* of the frames, with the keys that Thread derives.
//! - [`queue`]: message buffers, the direct transmit queue, and what they refuse.
//! - [`spinel`]: a radio co-processor behind a serial line.
//! - [`config`]: what differs between boards.
//! - [`station`]: a board with all of it. [`transmit`] and [`receive`] are its two sides.
//! - [`link`]: a station's UDP socket, as a link.
//! - [`slices`]: what they spend time on.
//!
//! ```text
//!  program │ UDP │ buffers, queue │ 6LoWPAN │ AES, software │ [ serial line ] │ CSMA, frame, ACK │ next frame
//!                                                                            └► [ serial line ] │ AES, software │ 6LoWPAN │ program
//! ```
//!
//! One frame is under way at a time, with its retries; what waits does so in message buffers. Addresses
//! are link-local and made from EUI-64s, so that 6LoWPAN leaves them out, as between a node and its
//! border router. Rules and sizes are those of OpenThread.
//!
//! What it leaves out: attaching and keeping a network (MLE), routing, mesh headers, sleepy children,
//! priorities, and whatever is not UDP.

pub mod adaptation;
pub mod config;
pub mod link;
pub mod queue;
pub mod reassembly;
mod receive;
pub mod security;
pub mod slices;
pub mod spinel;
pub mod station;
mod transmit;

pub use config::{Config, Costs, Radio, WhenFull};
pub use link::Thread;
pub use station::{Incident, Station};

#[cfg(test)]
mod tests;
