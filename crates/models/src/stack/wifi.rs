//! IEEE 802.11 at 2.4 GHz, frame by frame.
//!
//! - [`frame`]: MAC frames byte for byte, including the FCS. [`beacon`]: beacons of an access
//!   point.
//! - [`access`]: a radio with the distributed coordination function, for any sender of MAC frames.
//! - [`station`] and [`ap`]: a station and its access point. Each of the two has an interface for
//!   packets.
//! - [`competitor`]: a further station, which always has packets to send. [`offered`]: a further
//!   station with Poisson traffic.
//! - [`demodulator`]: frame error rates at each bit rate, as a function of the signal-to-noise
//!   ratio.
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
