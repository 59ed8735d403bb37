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
//! - [`gpio`]: one board and no link.
//! - [`uart`]: two boards and a wire between their serial ports.
//! - [`ble`]: two boards and a Bluetooth LE connection.
//! - [`run`](mod@run): runs a bench and collects what it saw.
//! - [`goodput`](mod@goodput): how much the link carries.
//! - [`timeline`]: one transfer as slices that add up to its latency.
//! - [`error`]: what can be wrong with a request.

#![forbid(unsafe_code)]

pub mod ble;
pub mod error;
pub mod family;
pub mod fixture;
pub mod goodput;
pub mod gpio;
pub mod kind;
pub mod lora;
pub mod nrf24;
pub mod parameter;
pub mod profile;
mod programs;
pub mod registry;
pub mod run;
pub mod stimulus;
mod stm32;
pub mod timeline;
pub mod uart;

pub use error::Error;
pub use family::Family;
pub use goodput::{Goodput, goodput};
pub use profile::Profile;
pub use run::{Options, Run, run};
pub use stimulus::Stimulus;
