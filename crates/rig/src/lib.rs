//! # airlag-rig: the virtual bench
//!
//! **Enters:** a link profile, a message size, a stimulus and a seed. **Leaves:** a
//! [`Trace`](airlag_trace::Trace) with a trigger and a completion channel, and named slices of
//! where the time went. **Next on the way:** `airlag-stats`, which cannot tell this trace from a
//! captured one.
//!
//! This is the one crate that knows everyone. Walk through the files in this order:
//!
//! - [`parameter`]: a constant, its value, its unit, its range and its source.
//! - [`profile`]: a link profile, every constant of it.
//! - [`family`]: profiles that differ in a few values, in one file.
//! - [`registry`]: the profiles that come with airlag, by name.
//! - [`kind`]: what kinds of link there are; [`programs`] are what all of them run, [`fixture`] the
//!   boards of those with an operating system.
//! - [`stimulus`]: when the triggers come.
//! - [`nrf24`]: two boards, two chips and the air between them.
//! - [`lora`]: the same with two SX1276.
//! - [`propagation`]: how far apart they stand, and what becomes of the signal.
//! - [`ieee802154`]: two boards with raw IEEE 802.15.4 radios.
//! - [`espnow`]: two boards with ESP-NOW, access points both.
//! - [`gpio`]: one board and no link.
//! - [`uart`]: two boards and a wire between their serial ports.
//! - [`sik`]: two boards, two SiK telemetry radios on their serial ports and the air between them.
//! - [`hc05`]: the same with a Bluetooth module at either end instead of the wire.
//! - [`spp`]: two boards that run Bluetooth's serial port themselves; [`bluetooth`] is what both have.
//! - [`ble`]: two boards and a Bluetooth LE connection.
//! - [`run`](mod@run): runs a bench and collects what it saw.
//! - [`sniff`](mod@sniff): the same with a sniffer on the air.
//! - [`goodput`](mod@goodput): how much the link carries.
//! - [`pace`]: how far apart triggers have to come.
//! - [`timeline`]: one transfer as slices that add up to its latency.
//! - [`explain`](mod@explain): a run with the slices of every transfer, and its [`floor`].
//! - [`advice`]: which [`knob`] to turn, measured on the bench.
//! - [`matching`]: how well a bench explains a capture, and which of all benches does best.
//! - [`recommend`](mod@recommend): which link to choose for a deadline.
//! - [`error`]: what can be wrong with a request.

#![forbid(unsafe_code)]

pub mod advice;
pub mod ble;
pub mod bluetooth;
pub mod error;
pub mod espnow;
pub mod explain;
pub mod family;
pub mod fixture;
pub mod floor;
mod frame_loss;
pub mod goodput;
pub mod gpio;
pub mod hc05;
pub mod ieee802154;
pub mod kind;
pub mod knob;
pub mod lora;
pub mod matching;
pub mod nrf24;
pub mod origin;
pub mod pace;
pub mod parameter;
pub mod profile;
mod programs;
pub mod propagation;
pub mod recommend;
pub mod registry;
pub mod run;
mod side_by_side;
pub mod sik;
pub mod sniff;
pub mod sources;
pub mod spp;
pub mod stimulus;
mod stm32;
pub mod timeline;
pub mod uart;

pub use advice::{Aim, advise};
pub use error::Error;
pub use explain::{Explanation, explain};
pub use family::Family;
pub use goodput::{Goodput, goodput};
pub use profile::Profile;
pub use recommend::recommend;
pub use run::{Options, Run, run};
pub use sniff::sniff;
pub use stimulus::Stimulus;
