//! Enhanced ShockBurst in software: the library of Nordic's nRF Connect SDK on the radio of an
//! nRF52, nRF53 or nRF54, between one primary transmitter (PTX) and one primary receiver (PRX).
//!
//! ```text
//!  PTX  queue ─ ramp-up ─ packet ─ ramp-up ─ await ─────────────── interrupt ─ next packet
//!  PRX                    ··packet·· ─ ramp-up ─ acknowledgement ─ ramp-up ─ listen
//! ```
//!
//! - [`frame`]: packets byte for byte, and their airtime. Packets of up to 32 B have the format of
//!   an [nRF24L01+](crate::chip::nrf24), so that a radio with the Enhanced ShockBurst library and
//!   an nRF24L01+ can communicate.
//! - [`config`]: rates, ramp-up times, retransmissions, queues.
//! - [`node`]: a radio with the Enhanced ShockBurst library.
//! - [`link`]: a node and its program, as one end of a link.
//! - [`slices`]: time slices.
//!
//! Times are those of `subsys/esb/esb.c`. Not modelled: payloads in acknowledgements, more than one
//! pipe, and coexistence with other protocols on the same radio.

pub mod config;
pub mod frame;
pub mod link;
pub mod node;
pub mod slices;

pub use config::{Config, RampUp, Role};
pub use frame::{Format, Rate};
pub use link::{Esb, Host};
pub use node::{Incident, Node};

#[cfg(test)]
mod tests;
