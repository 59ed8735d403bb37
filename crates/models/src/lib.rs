//! # airlag-models: models of hardware and protocol stacks
//!
//! **Input:** SPI bytes and pin levels from an unmodified driver. **Output:** frames on the air and
//! interrupts, and the timing of both. **Used by:** `airlag-kinds`, which places the models on a
//! virtual bench. The crate `airlag-air` carries frames between the models.
//!
//! - [`mcu`]: time that a microcontroller needs for interrupts, pins, buses and software.
//! - [`chip`]: radio chips, transcribed from their specifications. The models of chips share no
//!   code with the drivers, so that a wrong opcode in a driver is detected.
//! - [`stack`]: protocol stacks, which a program uses through the `Link` trait or a serial port.
//! - [`slices`]: time slices that several models share.

#![forbid(unsafe_code)]

pub mod chip;
pub mod mcu;
mod observer;
pub mod slices;
pub mod stack;
