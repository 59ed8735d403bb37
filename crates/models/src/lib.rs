//! # airlag-models: models of hardware and protocol stacks
//!
//! **Input:** SPI bytes and pin levels from an unmodified driver. **Output:** frames on the air,
//! interrupts, and the time that these take. **Used by:** `airlag-kinds`, which places the models
//! on a bench. `airlag-air` carries frames between them.
//!
//! - [`mcu`]: costs of a microcontroller: interrupts, pins, buses, software.
//! - [`chip`]: radio chips, transcribed from their specifications. They share no code with the
//!   drivers, so that a driver with a wrong opcode is detected.
//! - [`stack`]: protocol stacks, behind the `Link` trait or a serial port.
//! - [`slices`]: shared time slices.

#![forbid(unsafe_code)]

pub mod chip;
pub mod mcu;
mod observer;
pub mod slices;
pub mod stack;
