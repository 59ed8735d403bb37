//! # airlag-stm32f429: airlag on a Nucleo-F429ZI
//!
//! **Enters:** a trigger edge, or bytes from a radio or a serial port. **Leaves:** bytes to one, or
//! a strobe. **Next on the way:** a logic analyser on trigger and strobe.
//!
//! Pins and start-up only: what runs is `airlag-app` on `airlag-drivers`, the same code as on the
//! virtual bench. One image a file in `src/bin`.
//!
//! - [`board`]: clocks, pins, the light that says something is wrong.
//! - [`settings`]: message size and what the radios are set to.
//! - [`ends`]: the two ends of a link.
//! - [`nrf24`], [`lora`]: a radio on the SPI header, set up.
//! - [`polled`]: a serial port without interrupts.
//! - [`delay`]: waiting at least as long as asked.
//! - [`strobe`]: a pulse long enough to be sampled.

#![no_std]

pub mod board;
pub mod delay;
pub mod ends;
pub mod lora;
pub mod nrf24;
pub mod polled;
pub mod settings;
pub mod strobe;
