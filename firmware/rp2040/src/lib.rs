//! # airlag-rp2040: airlag on a Raspberry Pi Pico
//!
//! A board is either an instrument or one end of a link. **Input:** an instrument receives edges on
//! eight pins, and requests of a host on USB. An end of a link receives a trigger edge, or the
//! packets of a radio. **Output:** an instrument produces time stamps of edges, and triggers. An
//! end of a link produces packets, or a strobe. **Used by:** `airlag record pico:` uses the
//! instrument. A logic analyser on trigger and strobe measures an end of a link.
//!
//! Only pins and start-up are specific to the Raspberry Pi Pico. The protocol between host and
//! board is `airlag_link::edges`. On this board, as on any other, the crate `airlag-app` buffers
//! edges, times triggers, and sends and receives messages, and the crate `airlag-ends` has the roles of
//! an end of a link. Each file in `src/bin` is a firmware image.
//!
//! The instrument:
//!
//! - [`board`]: clocks and pins.
//! - [`edges`]: two state machines of the PIO that time-stamp edges.
//! - [`ring`]: transfer of the time stamps to memory without the processor.
//! - [`trigger`]: a state machine of the PIO that generates triggers.
//! - [`recorder`]: the instrument, which combines edges, triggers and requests of the host.
//! - [`serial`]: a serial port on USB.
//!
//! An end of a link:
//!
//! - [`end`]: a board with a radio, as one end of a link, and the pins of this board.
//! - [`radio`]: the pins of a radio for an end of a link. The radios are in `airlag-ends`.
//! - [`console`]: requests and probes of the host on USB.

#![no_std]

pub mod board;
pub mod console;
pub mod edges;
pub mod end;
pub mod radio;
pub mod recorder;
pub mod ring;
pub mod serial;
pub mod trigger;
