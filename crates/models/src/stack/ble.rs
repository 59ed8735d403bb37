//! Bluetooth LE: a link layer implemented here, and hosts on top of it.
//!
//! ```text
//!  program -> Link -> host (ATT, L2CAP) -> controller (link layer) -> air -> controller -> host -> Link
//! ```
//!
//! - [`pdu`]: data channel PDUs byte for byte, with access address and CRC.
//! - [`hop`]: channel selection.
//! - [`classify`]: channel classification for adaptive hopping.
//! - [`interval`]: valid connection intervals.
//! - [`controller`]: connection events, acknowledgement, latency, supervision.
//! - [`att`]: L2CAP and ATT frames.
//! - [`host`]: a host modelled by its costs, for closed-source stacks.
//! - [`hci`]: the interface between an open host and the controller.
//! - [`open_host`]: `trouble-host`, unmodified.
//! - [`slices`]: time slices.
//!
//! The link layer omits encryption, connection updates during a connection, and the control
//! procedures for PHY and data length. Both ends are configured with the negotiated values.

pub mod att;
pub mod cipher;
pub mod classify;
pub mod controller;
pub mod hci;
pub mod hop;
pub mod host;
pub mod interval;
pub mod open_host;
pub mod pdu;
pub mod slices;
