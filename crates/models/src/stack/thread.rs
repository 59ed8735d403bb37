//! Thread: datagrams over UDP, IPv6, 6LoWPAN and secured 802.15.4 frames, between neighbours or
//! over several hops.
//!
//! - [`address`]: identity of a board, and addresses of datagrams.
//! - [`adaptation`]: conversion of datagrams to 6LoWPAN frames and back, with header compression by
//!   smoltcp.
//! - [`reassembly`]: reassembly of fragments, with a timeout.
//! - [`mesh`]: the 6LoWPAN mesh header of forwarded frames. [`routes`]: neighbours and next hops of
//!   a board.
//! - [`security`]: AES-CCM* of the frames, with the keys that Thread derives.
//! - [`queue`]: the message buffers, the direct transmit queue, and the rules for dropping
//!   messages.
//! - [`spinel`]: a radio co-processor behind a serial line.
//! - [`config`]: settings in which boards differ.
//! - [`station`]: a complete board. [`transmit`] and [`receive`] are the two sides of a board,
//!   [`forward`] is the additional part of a router, and [`background`] is traffic of other boards.
//! - [`sleepy`]: a sleepy end device that polls. [`csl`]: samples of such a device, in which its
//!   parent sends. [`indirect`]: the frames that a parent holds while the radio of the device is off.
//! - [`faults`]: faults that are injected into a board.
//! - [`link`]: the UDP socket of a station, with the interface of a link.
//! - [`slices`]: the named parts of the latency.
//!
//! ```text
//!  program │ UDP │ buffers, queue │ 6LoWPAN │ AES, software │ [ serial line ] │ CSMA, frame, ACK │ next frame
//!                                                                            └► [ serial line ] │ AES, software │ 6LoWPAN │ program
//! ```
//!
//! A board sends one frame, including the retries of this frame, before it starts the next frame.
//! Meanwhile, all other messages wait in message buffers. Neighbours use link-local addresses
//! derived from EUI-64s, as a node and its border router do. 6LoWPAN omits these addresses from
//! frames. Boards that are not neighbours communicate over a mesh whose routers forward frame by
//! frame. Protocol rules and sizes are those of OpenThread.
//!
//! Not modelled: attaching and network maintenance (MLE), discovery of routes and addresses,
//! priorities, and all traffic other than UDP.

pub mod adaptation;
pub mod address;
pub mod background;
pub mod config;
pub mod csl;
pub mod faults;
mod forward;
mod indirect;
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
pub use sleepy::{ELEMENTS_LEN, Sampling};
pub use station::{Incident, Station};

#[cfg(test)]
mod tests;
