//! Radio chips, one folder each.

pub mod nrf24;
pub mod sx127x;
