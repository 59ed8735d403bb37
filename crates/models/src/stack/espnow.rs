//! ESP-NOW: vendor action frames of IEEE 802.11 between two boards that are access points as well.
//!
//! - [`frame`]: MAC frames byte for byte, with their FCS.
//! - [`beacon`]: what an access point says of itself.
//! - [`config`]: rates, contention, beacons, queues.
//! - [`station`]: a radio with its MAC. [`contend`], [`exchange`] and [`receive`] are its parts.
//! - [`link`]: a station and the program around it, as a link.
//! - [`slices`]: what they spend time on.
//!
//! ```text
//!  sender    DIFS │ backoff, if it was busy │ frame │             acknowledgement │ host │ …
//!  receiver                                 │ frame │ SIFS │ ACK │
//! ```
//!
//! What it leaves out: the virtual carrier (frames are announced no further ahead than the SIFS that
//! the DIFS covers), RTS and fragments, rate control, power save, encryption, association. Signal
//! strength is the medium's to leave out. A station that waits for an acknowledgement takes in no
//! other frame.

pub mod beacon;
pub mod config;
pub mod contend;
pub mod exchange;
pub mod frame;
pub mod link;
pub mod receive;
pub mod slices;
pub mod station;

pub use config::{Beacons, Config, Fallback};
pub use frame::Address;
pub use link::{EspNow, Host};
pub use station::{Counts, Incident, Outcome, Station};

#[cfg(test)]
mod tests;
