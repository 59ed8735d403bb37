//! # airlag-air: who hears which frame, when, how badly
//!
//! **Enters:** frames with a band, a beginning and an end. **Leaves:** for every node in hearing,
//! the frame at its last bit and a verdict on it. **Next on the way:** the receiving chip's model
//! in `airlag-models`, which knows whether it was listening.
//!
//! - [`frame`]: a frame in time and frequency.
//! - [`loss`]: what may happen to a frame on one path. The seam for further loss models.
//! - [`medium`]: nodes, paths, overlap.
//! - [`sniffer`]: what is in the air, as a capture file.
//!
//! A frame costs one event and one look at each node within hearing.
//!
//! What it leaves out: signal strength and everything that follows from it (capture effect,
//! sensitivity, adjacent channels). Two frames that overlap in time and frequency at a receiver
//! destroy each other there, unless their family says that their modulations are
//! [orthogonal](Medium::orthogonal).

#![forbid(unsafe_code)]

pub mod frame;
pub mod loss;
pub mod medium;
pub mod sniffer;

pub use frame::{Band, Frame, FrameId, Modulation};
pub use loss::{Burst, Disturbed, Independent, Loss, NoLoss};
pub use medium::{Medium, NodeId, Radio, Reception, Verdict};
pub use sniffer::{Capture, Encapsulation, Sniffer};
