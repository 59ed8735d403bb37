//! # airlag-stm32f429: airlag on a Nucleo-F429ZI
//!
//! **Input:** a trigger edge, bytes from a radio or a serial port, and requests and probes that a
//! host sends over the ST-LINK. **Output:** bytes to a radio or a serial port, edges of the strobe,
//! and replies to the host. **Used by:** a logic analyser on trigger and strobe, and the commands
//! `airlag boards` and `airlag probe`.
//!
//! Only pins and start-up are specific to the board: the program is `airlag-app` on
//! `airlag-drivers`, the same code as on the virtual bench, in the roles of `airlag-ends`. Each file in `src/bin` is an image.
//!
//! - [`board`]: clocks, pins, radios and the error light of the board.
//! - [`end`]: one end of a link, and the line to its host.
//! - [`serial`]: a serial port as a link.
//! - [`polled`]: a serial port without interrupts.

#![no_std]

pub mod board;
pub mod end;
pub mod polled;
pub mod serial;
