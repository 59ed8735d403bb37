//! Zigbee: unicast messages over APS, NWK and IEEE 802.15.4 frames, from a device through routers
//! to another device.
//!
//! - [`frame`]: headers of the network layer (NWK), of the application support sublayer (APS) and
//!   of the Zigbee Cluster Library (ZCL), byte for byte.
//! - [`security`]: AES-CCM* of NWK frames with the network key, new on every hop.
//! - [`config`]: settings of a device.
//! - [`station`]: a complete device. [`transmit`] and [`receive`] are its two sides, and [`message`]
//!   is the state of its message, with the APS acknowledgement.
//! - [`link`]: the program of a device, with the interface of a link.
//! - [`slices`]: time slices.
//!
//! ```text
//!  sender    program │ stack, AES │ CSMA, frame, ACK │              await APS acknowledgement
//!  router                                            │ AES, stack, AES │ CSMA, frame, ACK │
//!  receiver                                                                               │ AES, stack │ program
//! ```
//!
//! A device sends one frame at a time, with all of its retries. Other frames wait in its buffers.
//! Section numbers are those of the Zigbee specification, 05-3474 revision 23.
//!
//! Not modelled: joining, discovery and repair of routes, source routing, broadcasts, groups,
//! fragmentation, security of the APS, and end devices that sleep.

pub mod config;
pub mod frame;
pub mod link;
mod message;
mod receive;
pub mod security;
pub mod slices;
pub mod station;
mod transmit;

pub use config::{Config, Costs, Host, Place};
pub use link::Zigbee;
pub use station::{Incident, Station};

#[cfg(test)]
mod tests;
