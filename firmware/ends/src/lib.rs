//! # airlag-ends: an end of a link on a board
//!
//! **Input:** a trigger edge; packets of a link; requests and probes of a host. **Output:** packets of the link; an
//! edge of the strobe; replies to the host. **Used by:** `firmware/rp2040`, `firmware/stm32f429`,
//! `firmware/nrf52840` and `firmware/esp32c6`, which have the pins, the bus or the radio, and the serial line.
//!
//! The roles use the programs of `airlag-app`.
//!
//! - [`program`]: the roles of an end, run with the settings that the host has chosen.
//! - [`settings`]: settings that a host can change, and their initial values.
//! - [`console`]: requests and probes of a host.
//! - [`nrf24`], [`sx127x`]: radios on SPI that a host can set up.
//! - [`strobe`]: a pulse that is long enough for an analyser. [`delay`]: delays for drivers.

#![no_std]

pub mod console;
pub mod delay;
pub mod nrf24;
pub mod program;
pub mod settings;
pub mod strobe;
pub mod sx127x;
