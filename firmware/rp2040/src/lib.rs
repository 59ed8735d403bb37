//! # airlag-rp2040: airlag on a Raspberry Pi Pico
//!
//! **Input:** as an instrument, edges on eight pins and requests of a host on USB; as an end of a
//! link, a trigger edge or the packets of a radio. **Output:** as an instrument, time stamps of
//! edges, and triggers; as an end of a link, packets or a strobe. **Used by:** for the instrument,
//! `airlag record pico:`; for an end of a link, a logic analyser on trigger and strobe.
//!
//! Only pins and start-up are specific to this board. The protocol is `airlag_link::edges`. As on
//! any board, `airlag-app` buffers edges, times triggers, sends and receives. Each file in
//! `src/bin` is a firmware image.
//!
//! The instrument:
//!
//! - [`board`]: clocks and pins.
//! - [`edges`]: two state machines that time-stamp edges.
//! - [`ring`]: transfer of the time stamps to memory without the processor.
//! - [`trigger`]: a state machine that generates triggers.
//! - [`recorder`]: the instrument, which combines edges, triggers and requests of the host.
//! - [`serial`]: a serial port on USB.
//!
//! An end of a link:
//!
//! - [`end`]: a board with a radio, as one end of a link, and the pins of this board.
//! - [`radio`]: the interface of a radio for an end; [`nrf24`] and [`sx127x`] implement it.
//! - [`program`]: sender or receiver, with the settings from the host.
//! - [`console`]: requests of the host on USB.
//! - [`settings`]: settings that a host can change, and their initial values.
//! - [`delay`]: delays of at least the requested time.
//! - [`strobe`]: a pulse long enough for a logic analyser.

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
