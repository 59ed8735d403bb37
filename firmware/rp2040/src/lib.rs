//! # airlag-rp2040: airlag on a Raspberry Pi Pico
//!
//! **Enters:** edges on eight pins, and orders of a host on USB. **Leaves:** their time stamps, and triggers.
//! **Next on the way:** `airlag record pico:`.
//!
//! Pins and start-up only: the protocol is `airlag_link::edges`, and `airlag-app` buffers edges and times
//! triggers, as on any board. One image a file in `src/bin`.
//!
//! - [`board`]: clocks and pins.
//! - [`edges`]: two state machines that stamp edges.
//! - [`ring`]: what they stamped, moved to memory without the processor.
//! - [`trigger`]: a state machine that makes triggers.
//! - [`recorder`]: edges, triggers and orders put together.
//! - [`serial`]: a serial port on USB.

#![no_std]

pub mod board;
pub mod edges;
pub mod recorder;
pub mod ring;
pub mod serial;
pub mod trigger;
