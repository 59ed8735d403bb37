//! # airlag-openthread: Thread networks of OpenThread processes
//!
//! **Input:** a topology, the costs of a board, a seed. **Output:** delivered messages with their times, and
//! frames for a sniffer. **Used by:** studies of Thread networks, and validation of the everyday profiles.
//!
//! ```text
//!  process: OpenThread ◄─ socket ─► node ── board ── radio ── air (airlag-air) ── radio ── …
//! ```
//!
//! - [`topology`]: positions and neighbours of nodes. [`paths`]: propagation between nodes.
//! - [`network`]: formation of a network.
//! - [`traffic`]: messages through a network, with their outcomes.
//! - [`live`]: a running network, in which nodes are added, moved and killed, commands are executed and pings are sent.
//! - [`node`]: a node, which consists of its [`process`], the [`wire`] protocol to this process, the [`costs`]
//!   (software delays) of its board, and its [`radio`].
//! - [`header`]: the frame header that the radio evaluates.
//! - [`error`]: all errors of a network.
//!
//! Each node is a separate process of one program (`node/`, built by `make openthread`). The program contains
//! unmodified OpenThread on a platform layer. The platform layer takes no virtual time, draws random numbers from a
//! seed, and delegates radio and time to this crate. Only one of the processes runs at a time, and the same seed gives
//! the same bytes.

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
pub use traffic::{Direction, Flow, Load, LoadResult, Message, MessageOutcome, Scope, Underway};
