//! ExpressLRS: a remote control link with a fixed packet rate, on an SX1280 at 2.4 GHz or an SX1276
//! at 868 or 915 MHz.
//!
//! ```text
//!  handset  trigger ─ wait ─ mixer ─ serial ┐
//!  module             slot │ slot │ slot │ slot · set-up ─ frame on the air ┐
//!  receiver                                                                 └ processing ─ serial ─ strobe
//! ```
//!
//! - [`rate`]: packet rates with their waveforms, as in the table of the firmware.
//! - [`waveform`]: a modulation with its airtime.
//! - [`domain`]: channels of the regulatory domains.
//! - [`schedule`]: start, channel and use of each slot. A slot is used for data, synchronisation or
//!   telemetry.
//! - [`ota`]: bytes of the frames on the air.
//! - [`config`]: settings of a transmitter module and of its receiver.
//! - [`module`]: the transmitter module.
//! - [`receiver`]: the receiver.
//! - `silence`: slots without new data, which are left out of the simulation.
//! - [`link`]: the transmitter module and the receiver as the two ends of a link.
//! - [`slices`]: time slices.
//!
//! The facts are those of the firmware's sources: rates, spreading factors, preambles and intervals
//! (`common.cpp`), frame formats (`OTA.h`), domains (`FHSS.cpp`).
//!
//! # Not modelled
//!
//! - Binding, the search for the packet rate after power-up, and the phase lock of the receiver are not
//!   modelled. The transmitter module and the receiver are synchronised from the start, and both follow the
//!   crystal of the module.
//! - The content of telemetry is not modelled. A receiver sends telemetry frames, and a module receives them,
//!   but telemetry frames carry no data of the programs on the bench.
//! - The firmware's own random sequence of channels is not used. Each pair of module and receiver draws a
//!   sequence of channels from the seed of the run.
//! - Dynamic power, antenna diversity and Gemini (transmission on two frequencies) are not modelled.

pub mod config;
pub mod domain;
pub mod link;
pub mod module;
pub mod ota;
pub mod rate;
pub mod receiver;
pub mod schedule;
mod silence;
pub mod slices;
pub mod waveform;

pub use config::{Config, Content, Handset};
pub use domain::Domain;
pub use link::{Elrs, Receiving};
pub use module::{Incident, Module};
pub use rate::Rate;
pub use receiver::Receiver;
pub use schedule::Schedule;
pub use waveform::Waveform;

#[cfg(test)]
mod tests;
