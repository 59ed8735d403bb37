//! Airtime of frames (or their time on a wire), one file per radio.
//!
//! All functions are `const fn` on whole nanoseconds, cite their source document, and are tested
//! against figures from independent sources.

pub mod ble;
pub mod ieee802154;
pub mod lora;
pub mod nrf24;
pub mod sik;
pub mod sx128x;
pub mod uart;
pub mod wifi;
