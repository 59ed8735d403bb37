//! nRF24L01+, transcribed from the Product Specification v1.0 (Nordic Semiconductor, 2008).
//!
//! - [`registers`]: the register map with reset values and masks (section 9.1).
//! - [`fifo`]: the two FIFOs, three payloads deep (section 8.4).
//! - [`packet`]: a packet as it is laid out on the air (section 7.3).
//! - [`capture`]: the same in a capture file.
//! - [`timing`]: what the chip's transitions take (section 6.1.7), and what the specification
//!   leaves open.
//! - [`command`]: the SPI commands (section 8.3.1).
//! - [`radio`]: states and transitions (section 6.1.6).
//! - [`transmit`], [`receive`]: the two sides of Enhanced ShockBurst (section 7).
//! - [`sensitivity`]: how weak a signal it receives (section 5.4).
//! - [`chip`]: the chip with its pins.
//! - [`slices`]: what they spend time on.
//!
//! What it leaves out:
//! - frames of the original ShockBurst: with every acknowledgement and retransmission switched off
//!   the real chip drops the packet control field, this one keeps it;
//! - signal strength, hence RF_PWR, LNA gain, CONT_WAVE and PLL_LOCK are only stored, and the
//!   received power detector shows any audible frame;
//! - the rule that registers are written only in power down and standby: a write takes effect in
//!   every mode, as drivers in the field rely on;
//! - the limit of 4 ms in transmit mode: a driver that exceeds it is not punished.

pub mod capture;
pub mod chip;
pub mod command;
pub mod fifo;
pub mod packet;
pub mod radio;
pub mod receive;
pub mod registers;
pub mod sensitivity;
pub mod slices;
pub mod timing;
pub mod transmit;

pub use chip::Nrf24;
pub use timing::{BrokenAck, Demodulator, Timing};

#[cfg(test)]
mod tests;
