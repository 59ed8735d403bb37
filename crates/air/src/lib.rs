//! # airlag-air: propagation, reception and interference of frames
//!
//! **Input:** frames with a band, a start and an end. **Output:** for every node in range, each
//! frame at the end of its last bit, with the outcome of the frame at this node: correct, destroyed
//! by another frame, lost on the path, or aborted by its sender. **Used by:** the models of
//! receiving chips in `airlag-models`. These models track whether the chip was listening.
//!
//! - [`frame`]: a frame in time and frequency.
//! - [`loss`]: frame loss on one path, and the interface of loss models.
//! - [`signal`]: frame loss that results from signal and noise. The signal follows from
//!   [`propagation`] (path loss, shadowing) and [`fading`]. The frame loss at this signal follows
//!   from [`error_rate`] (demodulators).
//! - [`quantity`]: units of levels and lengths.
//! - [`interference`]: effect of overlapping frames, and carrier sense.
//! - [`medium`]: nodes, the paths between nodes, and overlap of frames.
//! - [`grid`]: search for points near a position, used to create the paths between many nodes.
//! - [`transmitter`]: properties of a radio on which regulation and coexistence depend.
//! - [`sniffer`]: a capture file with all frames on the air.
//!
//! The simulation of a frame takes one event, and one check for each node in range. Nodes that
//! [join in isolation](Medium::join_isolated) reach only nodes to which a path was created. In a
//! large network of isolated nodes, the computing time of a frame therefore depends only on the
//! number of its receivers. A node without incoming paths takes no computing time while other nodes
//! send.
//!
//! If signal levels are not known, a carrier detector senses every frame. Two frames that overlap
//! in time and frequency at a receiver then destroy each other, unless their modulations differ and
//! their protocol family is declared [orthogonal](Medium::orthogonal). If signal levels are known
//! ([`Medium::set_budget`], [`Medium::set_receiver`]), a carrier detector compares the levels with
//! thresholds, and the stronger of two overlapping frames may survive.
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
