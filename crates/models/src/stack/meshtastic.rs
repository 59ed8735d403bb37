//! Meshtastic: nodes with LoRa radios that flood packets from node to node.
//!
//! ```text
//!  application  text message                ─ its data in a Data message, encrypted
//!  reliability  retransmission ─ timeout    ─ acknowledgement, or a relayed copy that the sender hears
//!  flooding     hop limit, packet history   ─ rebroadcast, cancelled where another node was faster
//!  radio        contention window ─ channel activity detection ─ packet
//! ```
//!
//! - [`preset`]: modem presets, regions and their frequencies.
//! - [`header`]: the packet header.
//! - [`data`]: the message in a packet, and its encryption.
//! - [`contention`]: contention windows, slots, and the timeout of a retransmission.
//! - [`usage`]: channel utilisation and transmit time of a node, per period.
//! - [`queue`]: the transmit queue.
//! - [`radio`]: channel access and packets on the air.
//! - [`history`]: packets that a node has received before.
//! - [`config`]: settings of a node.
//! - [`node`]: retransmission and flooding.
//! - [`incident`]: named events that a node reports.
//! - [`link`]: the program of a node, as a datagram link.
//! - [`slices`]: names of the time slices of a node.
//!
//! The LoRa modulation, the packet format and the sensitivity are those of an [SX1276](crate::chip::sx127x).
//! A direct message with public-key encryption has the correct length, but the model does not apply this
//! encryption.
//!
//! Not modelled:
//! - next-hop routing of direct messages;
//! - the rule that favourite routers do not reduce the hop limit;
//! - routers that rebroadcast only after all other nodes (role `ROUTER_LATE`);
//! - replacement of a pending copy of a packet by a copy with more hops left;
//! - messages that nodes send on their own, such as telemetry;
//! - receivers that sleep, and periodically check for a preamble;
//! - MQTT.

pub mod config;
pub mod contention;
pub mod data;
pub mod header;
pub mod history;
pub mod incident;
mod job;
pub mod link;
pub mod node;
pub mod preset;
pub mod queue;
pub mod radio;
pub mod slices;
pub mod usage;

pub use config::{Addressee, Config, Host, Role};
pub use link::Meshtastic;
pub use node::Node;
pub use preset::{Preset, Region};

#[cfg(test)]
mod tests;
