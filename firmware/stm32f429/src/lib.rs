//! # airlag-stm32f429: airlag on a Nucleo-F429ZI
//!
//! **Input:** a trigger edge, or bytes from a radio or a serial port. **Output:** bytes to a radio
//! or a serial port, or a strobe. **Used by:** a logic analyser on trigger and strobe.
//!
//! Only pins and start-up are specific to the board: the program is `airlag-app` on
//! `airlag-drivers`, the same code as on the virtual bench. Each file in `src/bin` is an image.
//!
//! - [`board`]: clocks, pins and the error light of the board.
//! - [`settings`]: message size and settings of the radios.
//! - [`ends`]: the two ends of a link.
//! - [`nrf24`], [`lora`]: set-up of a radio on the SPI header.
//! - [`polled`]: a serial port without interrupts.
//! - [`delay`]: delays that are never shorter than requested.
//! - [`strobe`]: a strobe pulse that is long enough for an analyser to sample it.

#![no_std]

pub mod board;
pub mod delay;
pub mod ends;
pub mod lora;
pub mod nrf24;
pub mod polled;
pub mod settings;
pub mod strobe;
