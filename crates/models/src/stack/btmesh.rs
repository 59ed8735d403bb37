//! Bluetooth mesh over the advertising bearer: nodes that flood messages from relay to relay.
//!
//! ```text
//!  access     opcode, data            ─ response after a random delay
//!  transport  segments of 12 B        ─ segment acknowledgements
//!  network    SRC, DST, SEQ, TTL      ─ message cache, relaying
//!  bearer     ADV_NONCONN_IND on 37, 38, 39, repeated ─ scanning on one channel at a time
//! ```
//!
//! - [`pdu`]: PDUs of network and lower transport layer, with their lengths.
//! - [`segments`]: segmentation and reassembly. [`cache`]: the network message cache.
//! - [`bearer`]: the queue of the advertiser, and its advertising events.
//! - [`config`]: settings of a node. [`node`]: network, transport and access layer. [`incident`]:
//!   named events of a node.
//! - [`link`]: the program of a node, with the interface of a link. [`slices`]: time slices.
//!
//! The lengths of PDUs are those of the Mesh Profile, revision 1.0.1. PDUs are neither encrypted
//! nor obfuscated, and their integrity codes are zero. The model omits provisioning, beacons,
//! friends and low-power nodes, the GATT bearer, group addresses, directed forwarding, and the
//! publish retransmission of the access layer.

pub mod bearer;
pub mod cache;
pub mod config;
pub mod incident;
mod job;
pub mod link;
pub mod node;
pub mod pdu;
pub mod segments;
pub mod slices;

pub use config::{Config, Host, Occupancy, Segmentation, Transmit};
pub use link::BtMesh;
pub use node::Node;

#[cfg(test)]
mod tests;
