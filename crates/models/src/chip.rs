//! Radio chips, one folder each.

pub mod nrf24;
