//! # airlag-rp2040: airlag on a Raspberry Pi Pico
//!
//! **Input:** for the instrument, edges on eight pins and orders of a host on USB; for an end of a
//! link, a trigger edge or a radio's packets. **Output:** time stamps of the edges, and triggers;
//! or packets, or a strobe. **Used by:** `airlag record pico:`, and a logic analyser on trigger and
//! strobe.
//!
//! Only pins and start-up are specific to the board: the protocol is `airlag_link::edges`, and
//! `airlag-app` buffers edges, times triggers, sends and receives, as on any board. Each file in
//! `src/bin` is an image.
//!
//! The instrument:
//!
//! - [`board`]: clocks and pins.
//! - [`edges`]: two state machines that time-stamp edges.
//! - [`ring`]: transfer of the time stamps to memory without the processor.
//! - [`trigger`]: a state machine that makes triggers.
//! - [`recorder`]: the instrument, composed of edges, triggers and orders.
//! - [`serial`]: a serial port on USB.
//!
//! An end of a link:
//!
//! - [`end`]: a board with a radio, and its pins.
//! - [`radio`]: interface of a radio for an end; [`nrf24`] and [`sx127x`] implement it.
//! - [`program`]: sender or receiver, with the settings of its host.
//! - [`console`]: requests of the host on USB.
//! - [`settings`]: settings that a host can change, and their initial values.
//! - [`delay`]: delays of at least the requested time.
//! - [`strobe`]: a pulse long enough for an analyser.

#![no_std]

pub mod board;
pub mod console;
pub mod delay;
pub mod edges;
pub mod end;
pub mod nrf24;
pub mod program;
pub mod radio;
pub mod recorder;
pub mod ring;
pub mod serial;
pub mod settings;
pub mod strobe;
pub mod sx127x;
pub mod trigger;
