//! # airlag-nrf52840: airlag on an nRF52840 DK or Dongle
//!
//! **Input:** a trigger edge, or packets of the chip's radio; and requests and probes that a host sends over a
//! serial port. **Output:** packets, or an edge of the strobe; and replies to the host. **Used by:** a logic
//! analyser connected to trigger and strobe, `airlag boards` and `airlag probe`.
//!
//! This crate contains only pins, start-up and the radio of the chip. The protocols are in
//! `airlag-drivers`, and the program is in `airlag-app`. Each file in `src/bin` is an image; the
//! first word of its name is the board.
//!
//! - [`dk`], [`dongle`]: pins and serial port of each board.
//! - [`board`]: common parts of both boards.
//! - [`radio`]: the radio as a transceiver whose frames start at exact times; [`timer`] keeps the times.
//! - [`esb`], [`ieee802154`]: set-up of the radio for a protocol.
//! - [`program`]: the roles of an end of a link, with the settings that its host has made.
//! - [`settings`]: settings that a host can change, and their initial values.
//! - [`console`]: requests and probes of a host; [`usb`] and [`uart`] are the serial lines to the host.
//! - [`strobe`]: a pulse long enough for an analyser.

#![no_std]

pub mod board;
pub mod console;
pub mod dk;
pub mod dongle;
pub mod esb;
pub mod ieee802154;
pub mod program;
pub mod radio;
pub mod settings;
pub mod strobe;
pub mod timer;
pub mod uart;
pub mod usb;
