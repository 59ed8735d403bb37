//! # airlag-models: what pretends to be hardware
//!
//! **Enters:** SPI bytes and pin levels from an unmodified driver. **Leaves:** frames on the air,
//! interrupts, and the time all of it took. **Next on the way:** `airlag-air`, and on the other
//! side of it the same models in the opposite order.
//!
//! - [`mcu`]: what a microcontroller costs: interrupts, pins, buses, software.
//! - [`chip`]: radio chips, transcribed from their specifications. They share nothing with the
//!   drivers, so that a driver with a wrong opcode is caught.
//! - [`stack`]: protocol stacks, which enter at the `Link` trait or behind a serial port.
//! - [`slices`]: what several of them spend time on.

#![forbid(unsafe_code)]

pub mod chip;
pub mod mcu;
pub mod slices;
pub mod stack;
