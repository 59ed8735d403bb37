//! How long a frame occupies the air (or a wire), one file per radio.
//!
//! Everything is a `const fn` on whole nanoseconds, cites the document it is taken from, and is
//! tested against numbers that come from somewhere else.

pub mod ble;
pub mod ieee802154;
pub mod lora;
pub mod nrf24;
pub mod sik;
pub mod uart;
pub mod wifi;
