//! # airlag-drivers: radio chips over `embedded-hal-async`
//!
//! **Input:** chunks from `airlag-app`. **Output:** bytes on a bus and levels on pins. **Used by:**
//! a real chip or a chip model, without any difference to the driver.
//!
//! - [`nrf24`]: nRF24L01+, 2.4 GHz.
//! - [`sx127x`]: SX1276 and the other chips of its family, LoRa below 1 GHz.
//! - [`modem`]: any transparent byte stream behind a serial port.
//! - [`esb`], [`ieee802154`]: Enhanced ShockBurst and IEEE 802.15.4 with the radio inside a microcontroller.
//!   The code of a board provides this radio as a [`transceiver`].
//! - `websocket`: a WebSocket connection over any byte stream, for example TCP. Requires the feature `websocket`.
//!
//! Every driver waits on its interrupt and never polls with a sleep. Errors keep their cause.

#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod esb;
pub mod ieee802154;
pub mod modem;
pub mod nrf24;
pub mod sx127x;
pub mod transceiver;
#[cfg(feature = "websocket")]
pub mod websocket;

pub use esb::Esb;
pub use ieee802154::Ieee802154;
pub use modem::Modem;
pub use nrf24::Nrf24;
pub use sx127x::Sx127x;
pub use transceiver::Transceiver;

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
