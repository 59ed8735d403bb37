//! SX1276 in LoRa mode, transcribed from the SX1276/77/78/79 datasheet (Semtech, revision 7).
//!
//! - [`registers`]: the register file with reset values and access rules (sections 4.3 and 6).
//! - [`settings`]: interpretation of the registers for a frame (sections 4.1.1 and 6.4).
//! - [`errata`]: items of the errata note that the registers do not follow.
//! - [`packet`]: packet format on the air.
//! - [`capture`]: packet format in a capture file.
//! - [`timing`]: durations of transitions (sections 2.5.2 and 4.2.5), including those that the
//!   datasheet does not state.
//! - [`modem`]: modes (Table 16), transmission, reception, channel activity detection, interrupts.
//! - [`chip`]: the chip with its pins (Table 18) and its SPI port (section 4.3).
//! - [`slices`]: time slices.
//!
//! Not modelled:
//! - the FSK/OOK modem: its registers 0x0D to 0x3F are a separate page that is only stored, and
//!   transmit and receive modes have no effect there;
//! - frequency hopping (RegHopPeriod is stored, FhssChangeChannel never occurs), transmit
//!   continuous mode, the temperature sensor, image calibration, ClkOut and the reference of
//!   RegTcxo;
//! - signal strength: output power, gain and current limit are only stored, and SNR and RSSI are
//!   the same for every packet (see [`Timing`]);
//! - frequency errors: a receiver is on its configured centre frequency, rounded to kilohertz;
//! - the header interrupt ahead of the packet: ValidHeader rises together with RxDone;
//! - time within a transaction: reads return the state at the fall of the select line, and writes
//!   take effect when it rises;
//! - a receiver that locks onto one of two overlapping frames: both are damaged.

pub mod capture;
pub mod chip;
pub mod errata;
pub mod interference;
pub mod modem;
pub mod packet;
pub mod registers;
pub mod sensitivity;
pub mod settings;
pub mod slices;
pub mod timing;

pub use chip::Sx1276;
pub use errata::Erratum;
pub use timing::Timing;

#[cfg(test)]
mod tests;
