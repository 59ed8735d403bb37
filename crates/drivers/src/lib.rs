//! # airlag-drivers: radio chips over `embedded-hal-async`
//!
//! **Enters:** chunks from `airlag-app`. **Leaves:** bytes on a bus and levels on pins. **Next on
//! the way:** a chip, real or modelled; a driver cannot tell which.
//!
//! - [`nrf24`]: nRF24L01+, 2.4 GHz.
//! - [`sx127x`]: SX1276 and its siblings, LoRa below 1 GHz.
//! - [`modem`]: anything behind a serial port that carries bytes and says nothing else.
//!
//! Every driver waits on its interrupt pin and never polls with a sleep. Errors keep their cause.

#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod modem;
pub mod nrf24;
pub mod sx127x;

pub use modem::Modem;
pub use nrf24::Nrf24;
pub use sx127x::Sx127x;
