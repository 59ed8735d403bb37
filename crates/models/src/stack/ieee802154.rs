//! Raw IEEE 802.15.4: frames, unslotted medium access, acknowledgements, retries.
//!
//! - [`frame`]: MAC frames byte for byte, with their FCS.
//! - [`element`]: header information elements.
//! - [`phy`]: channels of the 868, 915 and 2450 MHz bands.
//! - [`config`]: MAC attributes, and differences between real radios.
//! - [`node`]: a radio with its MAC. [`transmit`] and [`receive`] are the two sides of the radio.
//! - [`link`]: a node and the program around it, with the interface of a link.
//! - [`slices`]: time slices.
//!
//! ```text
//!  sender    backoff │ CCA │ turnaround │ frame │        await acknowledgement │ host │ …
//!  receiver                             │ frame │ turnaround │ acknowledgement │
//! ```
//!
//! An acknowledged frame with CSMA-CA always costs seven events, and one more per busy channel.
//!
//! The model omits beacons, superframes, guaranteed time slots and association. Security and
//! indirect transmission are left to the creator of the frames. A radio receives no other
//! frame while it waits for an acknowledgement, or while it turns around to send an
//! acknowledgement.

pub mod config;
pub mod demodulator;
pub mod element;
pub mod frame;
pub mod link;
pub mod node;
pub mod phy;
pub mod receive;
mod rest;
pub mod slices;
pub mod transmit;

pub use config::{Config, Csma, Destination};
pub use frame::Address;
pub use link::{Host, Ieee802154};
pub use node::{Asked, Counts, Incident, Node, Outcome};
pub use phy::Channel;
pub use transmit::Plan;

#[cfg(test)]
mod tests;
