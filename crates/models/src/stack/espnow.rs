//! ESP-NOW: vendor action frames of IEEE 802.11 between two boards that are access points as well.
//!
//! - [`frame`]: its frames byte for byte.
//! - [`config`]: rates, contention, beacons, queues.
//! - [`station`]: a radio as ESP-NOW uses it. How it gets to the medium is any
//!   [Wi-Fi's](super::wifi::access).
//! - [`link`]: a station and the program around it, as a link.
//! - [`slices`]: what they spend time on.
//!
//! What it leaves out: power save, encryption, association.

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
