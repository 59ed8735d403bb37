//! # airlag-ends: an end of a link on a board
//!
//! **Input:** a trigger edge; packets of a link; requests and probes of a host. **Output:** packets of the link; an
//! edge of the strobe; replies to the host. **Used by:** `firmware/rp2040`, `firmware/nrf52840` and
//! `firmware/esp32c6`, which have the pins, the radio and the serial line.
//!
//! The roles use the programs of `airlag-app`.
//!
//! - [`program`]: the roles of an end, run with the settings that the host has chosen.
//! - [`settings`]: settings that a host can change, and their initial values.
//! - [`console`]: requests and probes of a host.

#![no_std]

pub mod console;
pub mod program;
pub mod settings;
