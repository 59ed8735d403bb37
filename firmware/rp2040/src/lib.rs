//! # airlag-rp2040: airlag on a Raspberry Pi Pico
//!
//! **Input:** edges on eight pins, and orders of a host on USB. **Output:** time stamps of the
//! edges, and triggers. **Used by:** `airlag record pico:`.
//!
//! Only pins and start-up are specific to the board: the protocol is `airlag_link::edges`, and
//! `airlag-app` buffers edges and times triggers, as on any board. Each file in `src/bin` is an
//! image.
//!
//! - [`board`]: clocks and pins.
//! - [`edges`]: two state machines that time-stamp edges.
//! - [`ring`]: transfer of the time stamps to memory without the processor.
//! - [`trigger`]: a state machine that makes triggers.
//! - [`recorder`]: the instrument, composed of edges, triggers and orders.
//! - [`serial`]: a serial port on USB.

#![no_std]

pub mod board;
pub mod edges;
pub mod recorder;
pub mod ring;
pub mod serial;
pub mod trigger;
