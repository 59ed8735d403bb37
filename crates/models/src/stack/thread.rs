//! Thread: datagrams over UDP, IPv6, 6LoWPAN and secured 802.15.4 frames, between neighbours or through
//! other boards.
//!
//! - [`address`]: who a board is, and what datagrams call it.
//! - [`adaptation`]: a datagram as 6LoWPAN frames, and back; headers are compressed by smoltcp.
//! - [`reassembly`]: fragments put together, within their time.
//! - [`mesh`]: the header of frames on their way through others. [`routes`]: who is the next hop.
//! - [`security`]: AES-CCM* of the frames, with the keys that Thread derives.
//! - [`queue`]: message buffers, the direct transmit queue, and what they refuse.
//! - [`spinel`]: a radio co-processor behind a serial line.
//! - [`config`]: what differs between boards.
//! - [`station`]: a board with all of it. [`transmit`] and [`receive`] are its two sides, [`forward`]
//!   what a router does besides; [`background`] is what other boards send.
//! - [`sleepy`]: an end device whose radio is off, and what its parent holds for it.
//! - [`faults`]: what is wrong with a board on purpose.
//! - [`link`]: a station's UDP socket, as a link.
//! - [`slices`]: what they spend time on.
//!
//! ```text
//!  program │ UDP │ buffers, queue │ 6LoWPAN │ AES, software │ [ serial line ] │ CSMA, frame, ACK │ next frame
//!                                                                            └► [ serial line ] │ AES, software │ 6LoWPAN │ program
//! ```
//!
//! One frame of a board is under way at a time, with its retries; what waits does so in message buffers.
//! Neighbours call each other by link-local addresses made from EUI-64s, so that 6LoWPAN leaves them
//! out, as between a node and its border router; boards further apart have a mesh between them, whose
//! routers pass on frame by frame. Rules and sizes are those of OpenThread.
//!
//! What it leaves out: attaching and keeping a network (MLE), finding routes and addresses,
//! priorities, and whatever is not UDP.

pub mod adaptation;
pub mod address;
pub mod background;
pub mod config;
pub mod faults;
mod forward;
pub mod link;
pub mod mesh;
pub mod queue;
pub mod reassembly;
mod receive;
pub mod routes;
pub mod security;
mod sleepy;
pub mod slices;
pub mod spinel;
pub mod station;
mod transmit;

pub use config::{Config, Costs, Radio, WhenFull};
pub use link::Thread;
pub use sleepy::Polls;
pub use station::{Incident, Station};

#[cfg(test)]
mod tests;
