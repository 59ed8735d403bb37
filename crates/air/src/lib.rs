//! # airlag-air: propagation, reception and interference of frames
//!
//! **Input:** frames with a band, a start and an end. **Output:** each frame, at the end of its
//! last bit, for every node in range, with a verdict on its reception by that node. **Used by:**
//! the models of receiving chips in `airlag-models`, which track whether the chip was listening.
//!
//! - [`frame`]: a frame in time and frequency.
//! - [`loss`]: frame loss on one path, and the interface for further loss models.
//! - [`signal`]: frame loss that follows from signal and noise, with [`propagation`] (path loss,
//!   shadowing), [`fading`] and [`error_rate`] (demodulators), in the units of [`quantity`].
//! - [`interference`]: effect of overlapping frames, and carrier sense.
//! - [`medium`]: nodes, the paths between them, and overlap of frames.
//! - [`grid`]: search for points near a position, for the paths between many nodes.
//! - [`transmitter`]: radio properties for regulation and coexistence.
//! - [`sniffer`]: all frames on the air, as a capture file.
//!
//! Simulating a frame takes one event, and one check for each node in range. Nodes that [join in
//! isolation](Medium::join_isolated) reach only nodes to which a path was created. In a large
//! network of such nodes, the computing time of a frame therefore depends only on the number of its
//! receivers, and a node without incoming paths takes no computing time while other nodes send.
//!
//! If signal levels are not known, a carrier detector senses every frame, and two frames that
//! overlap in time and frequency at a receiver destroy each other, unless their protocol family
//! declares its modulations [orthogonal](Medium::orthogonal). If signal levels are known
//! ([`Medium::set_budget`], [`Medium::set_receiver`]), a carrier detector has thresholds, and the
//! stronger of two overlapping frames may survive.
//!
//! The model omits adjacent channels, and carrier levels that reach the threshold only as a sum.

#![forbid(unsafe_code)]

pub mod error_rate;
pub mod fading;
pub mod frame;
pub mod grid;
pub mod interference;
pub mod loss;
pub mod medium;
pub mod propagation;
pub mod quantity;
pub mod signal;
pub mod sniffer;
pub mod transmitter;

pub use fading::Fading;
pub use frame::{Band, Frame, FrameId, Modulation};
pub use interference::{Receiver, Sense};
pub use loss::{Burst, Disturbed, Independent, Loss};
pub use medium::{Medium, NodeId, Radio, Reception, Verdict};
pub use propagation::{Building, PathLoss};
pub use signal::{Budget, BySignal};
pub use sniffer::{Capture, Encapsulation, Sniffer};
