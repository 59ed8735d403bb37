//! LoRaWAN 1.0: an end device of class A or C, one gateway, and the network and application server
//! behind it.
//!
//! ```text
//!  device   off time ─ uplink ─ 1 s ─ RX1 ─ 1 s ─ RX2 ─ idle (class C: RX2 again)
//!  gateway             ··uplink·· ─ poll                     downlink
//!  server                              backhaul ─ deduplication ─ application
//! ```
//!
//! - [`plan`]: channels, data rates and receive windows of EU868 and US915.
//! - [`frame`]: frames byte for byte, encrypted and with their integrity code, so that a sniffer
//!   that has the keys can decode the frames.
//! - [`config`]: settings of the device and of the network.
//! - [`device`]: the MAC of an end device. [`network`]: gateway and servers.
//! - [`link`]: the links of two programs, one on the device and one at the application server.
//! - [`slices`]: time slices.
//!
//! Chirps, packets and sensitivity are those of an [SX1276](crate::chip::sx127x). The registers and
//! the bus of the SX1276 are not part of this model. A session exists from the beginning, so no
//! device joins the network. Not modelled: MAC commands, adaptive data rate (the data rate is a
//! setting), class B, confirmed downlinks, several gateways, and FSK.

pub mod config;
pub mod device;
mod ear;
pub mod frame;
pub mod link;
pub mod network;
pub mod plan;
pub mod slices;

pub use config::{Class, Config, NetworkConfig, Session};
pub use device::Device;
pub use link::{Application, EndDevice, Host};
pub use network::Network;
pub use plan::Plan;

#[cfg(test)]
mod tests;
