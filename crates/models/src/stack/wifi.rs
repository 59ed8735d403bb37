//! IEEE 802.11 at 2.4 GHz, frame by frame.
//!
//! - [`frame`]: MAC frames byte for byte, with their FCS; [`beacon`]: what an access point says of
//!   itself.
//! - [`access`]: a radio with the distributed coordination function, for whoever sends such frames.
//! - [`slices`]: what they spend time on.

pub mod access;
pub mod beacon;
pub mod frame;
pub mod slices;
