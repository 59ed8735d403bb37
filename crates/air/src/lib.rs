//! # airlag-air: who hears which frame, when, how badly
//!
//! **Enters:** frames with a band, a beginning and an end. **Leaves:** for every node in hearing,
//! the frame at its last bit and a verdict on it. **Next on the way:** the receiving chip's model
//! in `airlag-models`, which knows whether it was listening.
//!
//! - [`frame`]: a frame in time and frequency.
//! - [`loss`]: what may happen to a frame on one path. The seam for further loss models.
//! - [`signal`]: loss by signal and noise, from [`propagation`] (path loss, shadowing),
//!   [`fading`] and [`error_rate`] (what a demodulator makes of it), in the units of [`quantity`].
//! - [`interference`]: what the frames of others leave of one, and what a carrier detector sees.
//! - [`medium`]: nodes, paths, overlap.
//! - [`transmitter`]: what a radio is to whoever shares its band.
//! - [`sniffer`]: what is in the air, as a capture file.
//!
//! A frame costs one event and one look at each node within hearing.
//!
//! Where nobody says how strong frames arrive, two that overlap in time and frequency at a receiver
//! destroy each other there, unless their family says that their modulations are
//! [orthogonal](Medium::orthogonal), and a carrier detector sees everything. Where it is said
//! ([`Medium::set_budget`], [`Medium::set_receiver`]), the stronger one may survive, and a carrier
//! detector has thresholds.
//!
//! What it leaves out: adjacent channels, and levels of a carrier detector that only add up to its
//! threshold.

#![forbid(unsafe_code)]

pub mod error_rate;
pub mod fading;
pub mod frame;
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
