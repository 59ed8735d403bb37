//! # airlag-openthread: Thread networks of OpenThread's own code
//!
//! **Enters:** a topology, a board's costs, a seed. **Leaves:** what arrived and when, frames for a sniffer.
//! **Next on the way:** whoever asks how good a network is, or how good our own model of one is.
//!
//! ```text
//!  process: OpenThread ◄─ socket ─► node ── board ── radio ── air (airlag-air) ── radio ── …
//! ```
//!
//! - [`topology`]: where nodes stand, and who hears whom. [`paths`]: what distance does to frames.
//! - [`network`]: nodes on one air, until all belong to the network.
//! - [`traffic`]: messages through it, and what became of each.
//! - [`live`]: nodes added, moved and killed, commands and pings, while it runs.
//! - [`node`]: one of them: [`process`] and the [`wire`] to it, [`costs`] of its board, its [`radio`].
//! - [`header`]: what the radio reads of a frame.
//! - [`error`]: the closed list of what can go wrong.
//!
//! A node is a program of its own (`node/`, built by `make openthread`): OpenThread as its developers ship it,
//! on a board of ours that computes in no time, draws random numbers from a seed, and leaves radio and time to
//! this crate. There is one process a node, one of them runs at a time, and the same seed gives the same bytes.

#![forbid(unsafe_code)]

pub mod costs;
pub mod error;
pub mod header;
pub mod live;
pub mod network;
pub mod node;
pub mod paths;
pub mod process;
pub mod radio;
pub mod topology;
pub mod traffic;
pub mod wire;

pub use airlag_air::Sniffer;
pub use airlag_air::quantity::Metres;
pub use airlag_models::stack::thread::WhenFull;
pub use costs::Costs;
pub use error::Error;
pub use live::Ping;
pub use network::{FrameLoss, Network, Setup};
pub use node::{Config, Datagram, Node};
pub use paths::{PathModel, Position};
pub use process::{Device, Supervision};
pub use radio::Counts;
pub use topology::{Shape, Topology};
pub use traffic::{Carried, Direction, Fate, Flow, Load, Message, Scope, Underway};
