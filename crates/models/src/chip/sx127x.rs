//! SX1276 in LoRa mode, transcribed from the SX1276/77/78/79 datasheet (Semtech, revision 7).
//!
//! - [`registers`]: the register file, with reset values and access rules (datasheet, sections 4.3
//!   and 6).
//! - [`settings`]: interpretation of the registers for a frame (datasheet, sections 4.1.1 and 6.4).
//! - [`errata`]: register settings that the errata note requires, and detection of requirements
//!   that a driver does not meet.
//! - [`packet`]: packet format on the air.
//! - [`capture`]: packet format in a capture file.
//! - [`timing`]: durations of transitions (datasheet, sections 2.5.2 and 4.2.5), including those
//!   that the datasheet does not state.
//! - [`modem`]: modes (datasheet, Table 16), transmission, reception, channel activity detection,
//!   and interrupts.
//! - [`chip`]: the chip with its pins (datasheet, Table 18) and its SPI port (section 4.3).
//! - [`slices`]: time slices.
//!
//! Not modelled:
//! - The FSK/OOK modem. Its registers 0x0D to 0x3F are a separate page, which is only stored. In
//!   FSK/OOK mode, the transmit and receive modes have no effect.
//! - Frequency hopping. RegHopPeriod is stored, and FhssChangeChannel never occurs.
//! - Transmit continuous mode, the temperature sensor, image calibration, ClkOut, and the reference
//!   of RegTcxo.
//! - Signal strength. The settings of output power, gain and current limit are only stored. SNR and
//!   RSSI are the same for every packet (see [`Timing`]).
//! - Frequency errors. A receiver is on its configured centre frequency, rounded to kilohertz.
//! - The header interrupt before the end of the packet. ValidHeader rises together with RxDone.
//! - Time within an SPI transaction. Reads return the state at the falling edge of the select line,
//!   and writes take effect at its rising edge.
//! - A receiver that changes from the frame that it receives to a stronger frame that begins later.
//!   Where received powers are simulated, the signal-to-interference ratio determines whether the
//!   first frame survives ([`interference`]). Otherwise, overlapping frames are both damaged.

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
