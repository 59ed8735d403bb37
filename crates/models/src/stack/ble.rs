//! Bluetooth LE: a link layer of our own, and hosts on top of it.
//!
//! ```text
//!  program -> Link -> host (ATT, L2CAP) -> controller (link layer) -> air -> controller -> host -> Link
//! ```
//!
//! - [`pdu`]: data channel PDUs byte for byte, with access address and CRC.
//! - [`hop`]: which channel an event uses.
//! - [`classify`]: which channels are left to others.
//! - [`interval`]: the connection intervals there are.
//! - [`controller`]: connection events, acknowledgement, latency, supervision.
//! - [`att`]: L2CAP and ATT frames.
//! - [`host`]: a host as a set of costs, for stacks whose source is closed to us.
//! - [`hci`]: the interface between an open host and the controller.
//! - [`open_host`]: `trouble-host`, unmodified.
//! - [`slices`]: what they spend time on.
//!
//! What the link layer leaves out: encryption, connection updates while connected,
//! and the control procedures by which two ends agree on PHY and data length; both ends are given
//! what they would have agreed on.

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
