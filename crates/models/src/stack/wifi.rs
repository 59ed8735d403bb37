//! IEEE 802.11 at 2.4 GHz, frame by frame.
//!
//! - [`frame`]: MAC frames byte for byte, with their FCS. [`beacon`]: beacons of an access point.
//! - [`access`]: a radio with the distributed coordination function, for any sender of such frames.
//! - [`station`] and [`ap`]: a station and its access point; both are ports for packets.
//! - [`competitor`]: another station with a permanent backlog. [`offered`]: another station with
//!   Poisson traffic.
//! - [`demodulator`]: frame error rates at each rate by signal-to-noise ratio.
//! - [`slices`]: time slices.
//!
//! ```text
//!  station ── up ──► access point ── down ──► station        each packet is on the air twice
//!  station ◄─ down ── soft access point                       or once
//! ```
//!
//! Not modelled: association, encryption, aggregation, rate control, and more than one access
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
