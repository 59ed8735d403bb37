//! nRF24L01+, transcribed from the Product Specification v1.0 (Nordic Semiconductor, 2008).
//!
//! - [`registers`]: the register map with reset values and masks (Product Specification, section
//!   9.1).
//! - [`fifo`]: the two FIFOs, each three payloads deep (section 8.4).
//! - [`packet`]: packet format on the air (section 7.3).
//! - [`capture`]: packet format in a capture file.
//! - [`timing`]: durations of the chip's state transitions (section 6.1.7), including durations
//!   that the specification does not state.
//! - [`command`]: the SPI commands (section 8.3.1).
//! - [`air_interface`]: settings of the air interface, decoded from the registers.
//! - [`radio`]: states of the radio and transitions between them (section 6.1.6).
//! - [`transmit`], [`receive`]: the transmitter and the receiver of Enhanced ShockBurst (section
//!   7).
//! - [`sensitivity`]: receiver sensitivity (section 5.4).
//! - [`chip`]: the chip with its pins.
//! - [`slices`]: names of the time slices of the chip.
//!
//! Not modelled:
//! - original ShockBurst frames: when all acknowledgements and retransmissions are disabled, the
//!   real chip omits the packet control field, but this model keeps it;
//! - signal strength: RF_PWR, LNA gain, CONT_WAVE and PLL_LOCK are stored without effect, and the
//!   received power detector reports every frame in range;
//! - the rule that registers are written only in power down and standby: in this model, a write
//!   takes effect in every mode, because published drivers rely on writes in other modes;
//! - the limit of 4 ms in transmit mode: a longer stay in transmit mode has no effect.

pub mod air_interface;
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
