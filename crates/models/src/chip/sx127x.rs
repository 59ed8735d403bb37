//! SX1276 in LoRa mode, transcribed from the SX1276/77/78/79 datasheet (Semtech, revision 7).
//!
//! - [`registers`]: the register file with reset values and access rules (sections 4.3 and 6).
//! - [`settings`]: what the registers mean for a frame (sections 4.1.1 and 6.4).
//! - [`errata`]: which items of the errata note the registers do not follow.
//! - [`packet`]: a packet as it is handed to the air.
//! - [`capture`]: the same in a capture file.
//! - [`timing`]: what transitions take (sections 2.5.2 and 4.2.5), and what the datasheet leaves
//!   open.
//! - [`modem`]: modes (Table 16), transmission, reception, channel activity detection, interrupts.
//! - [`chip`]: the chip with its pins (Table 18) and its SPI port (section 4.3).
//! - [`slices`]: what they spend time on.
//!
//! What it leaves out:
//! - the FSK/OOK modem: its registers 0x0D to 0x3F are a page of their own that is only stored, and
//!   transmit and receive modes do nothing there;
//! - frequency hopping (RegHopPeriod is stored, FhssChangeChannel never comes), transmit continuous
//!   mode, the temperature sensor, image calibration, ClkOut and the reference of RegTcxo;
//! - signal strength: output power, gain and current limit are only stored, SNR and RSSI read the
//!   same for every packet (see [`Timing`]);
//! - a frequency error: a receiver hears the centre it is tuned to, to the nearest kilohertz;
//! - the header interrupt ahead of the packet: ValidHeader rises together with RxDone;
//! - time inside a transaction: reads answer when the select line falls, writes act when it rises;
//! - a receiver that locks onto one of two frames that overlap: both are damaged.

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
