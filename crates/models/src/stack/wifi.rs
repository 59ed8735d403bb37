//! IEEE 802.11 at 2.4 GHz, frame by frame.
//!
//! - [`frame`]: MAC frames byte for byte, with their FCS; [`beacon`]: what an access point says of
//!   itself.
//! - [`access`]: a radio with the distributed coordination function, for whoever sends such frames.
//! - [`station`] and [`ap`]: a station of an access point, and that; ports for packets.
//! - [`competitor`]: another station that always has something to send. [`offered`]: one that has it
//!   now and then.
//! - [`demodulator`]: how often a frame at each rate is read, by how far it is above the noise.
//! - [`slices`]: what they spend time on.
//!
//! ```text
//!  station ── up ──► access point ── down ──► station        each packet is on the air twice
//!  station ◄─ down ── soft access point                       or once
//! ```
//!
//! What it leaves out: association, encryption, aggregates, rate control, more than one access
//! category.

pub mod access;
pub mod ap;
pub mod beacon;
pub mod competitor;
pub mod demodulator;
pub mod frame;
pub mod offered;
pub mod sensitivity;
pub mod slices;
pub mod station;

pub use access::{Counts, Incident, Outcome};
pub use ap::AccessPoint;
pub use competitor::Competitor;
pub use demodulator::EveryRate;
pub use offered::Offered;
pub use station::{PowerSave, Station};

#[cfg(test)]
mod tests;
