//! Bluetooth LE: a link layer implemented here, and hosts on top of it.
//!
//! ```text
//!  program -> Link -> host (ATT, L2CAP) -> controller (link layer) -> air -> controller -> host -> Link
//! ```
//!
//! - [`pdu`]: data channel PDUs byte for byte, with access address and CRC.
//! - [`hop`]: channel selection.
//! - [`cipher`]: encryption of PDUs.
//! - [`classify`]: channel classification for adaptive frequency hopping.
//! - [`interval`]: valid connection intervals.
//! - [`controller`]: connection events, acknowledgement, peripheral latency, supervision timeout.
//! - [`att`]: ATT frames in L2CAP.
//! - [`host`]: a host modelled by its processing times, for closed-source stacks.
//! - [`hci`]: the interface between an open-source host and the controller.
//! - [`open_host`]: the open-source host `trouble-host`, unmodified.
//! - [`slices`]: names of the time slices of these layers.
//!
//! The link layer has the control procedures for encryption and for a change of the interval. It omits those for PHY and
//! data length: both ends are configured with the negotiated values.

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
