//! # airlag-esp32c6: airlag on an ESP32-C6-DevKitC-1
//!
//! **Input:** edges of the trigger, frames from the radio of the chip, and requests and probes that a host sends over
//! the USB port. **Output:** frames to the radio, edges of the strobe, and replies to the host. **Used by:** a logic
//! analyser on trigger and strobe, `airlag boards` and `airlag probe`.
//!
//! This crate contains only pins, start-up and the use of the manufacturer's radio driver. The program is in
//! `airlag-app` and `airlag-ends`. Each file in `src/bin` is an image; that for IEEE 802.15.4 is in a package of its own.
//!
//! - [`board`]: pins, clocks, memory and scheduler.
//! - `espnow`: ESP-NOW as a link. `rate`: the bit rates of ESP-NOW. Both modules require the feature `espnow`.
//! - [`serial`]: the line to the host.

#![no_std]

pub mod board;
#[cfg(feature = "espnow")]
pub mod espnow;
#[cfg(feature = "espnow")]
pub mod rate;
pub mod serial;
