//! # airlag-esp32c6: airlag on an ESP32-C6-DevKitC-1
//!
//! **Input:** a trigger edge, or frames of the chip's radio; requests and probes of a host on the USB port.
//! **Output:** frames, or a strobe; replies. **Used by:** a logic analyser on trigger and strobe, `airlag boards`
//! and `airlag probe`.
//!
//! This crate contains only pins, start-up and the use of the manufacturer's radio driver. The program is in
//! `airlag-app`. Each file in `src/bin` is an image; that for IEEE 802.15.4 is in a package of its own.
//!
//! - [`board`]: pins, clocks, memory and scheduler.
//! - `espnow`: ESP-NOW as a link, and `rate` its rates, unless the feature `espnow` is off.
//! - [`program`]: the roles of an end of a link, with the settings of its host.
//! - [`settings`]: settings that a host can change, and their initial values.
//! - [`console`]: requests and probes of a host; [`serial`] is the line to it.
//! - [`strobe`]: a pulse long enough for an analyser.

#![no_std]

pub mod board;
pub mod console;
#[cfg(feature = "espnow")]
pub mod espnow;
pub mod program;
#[cfg(feature = "espnow")]
pub mod rate;
pub mod serial;
pub mod settings;
pub mod strobe;
