//! # airlag-nrf52840: airlag on an nRF52840 DK or Dongle
//!
//! **Input:** edges of the trigger, packets from the radio of the chip, and requests and probes that a host
//! sends over a serial port. **Output:** packets to the radio, edges of the strobe, and replies to the host.
//! **Used by:** a logic analyser that is connected to trigger and strobe, and the commands `airlag boards`
//! and `airlag probe`.
//!
//! This crate contains only pins, start-up and the radio of the chip. The protocols are in
//! `airlag-drivers`, and the program is in `airlag-app` and `airlag-ends`. Each file in `src/bin` is an
//! image; the first word of the file name is the board.
//!
//! - [`dk`], [`dongle`]: pins and serial port of each board.
//! - [`board`]: common parts of both boards.
//! - [`radio`]: the radio as a transceiver whose frames start at exact times. [`timer`]: the hardware timer
//!   that starts these frames.
//! - [`esb`], [`ieee802154`]: set-up of the radio for a protocol.
//! - [`usb`], [`uart`]: serial lines to the host.

#![no_std]

pub mod board;
pub mod dk;
pub mod dongle;
pub mod esb;
pub mod ieee802154;
pub mod radio;
pub mod timer;
pub mod uart;
pub mod usb;
