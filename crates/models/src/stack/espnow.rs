//! ESP-NOW: vendor action frames of IEEE 802.11 between two boards that are also access points.
//!
//! - [`frame`]: frame format, byte for byte.
//! - [`config`]: settings of rates, contention, beacons and queues.
//! - [`station`]: a radio with ESP-NOW. The medium access is that of [Wi-Fi](super::wifi::access).
//! - [`link`]: a station and the program that uses the station, with the interface of a link.
//! - [`slices`]: the named parts of the latency.
//!
//! Not modelled: power save, encryption, association.

pub mod config;
pub mod frame;
pub mod link;
pub mod slices;
pub mod station;

pub use config::{Beacons, Config, Fallback};
pub use frame::Address;
pub use link::{EspNow, Host};
pub use station::{Counts, Incident, Outcome, Station};

#[cfg(test)]
mod tests;
