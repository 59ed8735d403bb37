//! Radio chips, one folder each.

pub mod nrf24;
pub mod sik;
pub mod sx127x;
pub mod sx128x;
pub mod sx1301;
