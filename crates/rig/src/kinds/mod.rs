//! The kinds of link there are, one folder each.

use crate::kind::AnyKind;

pub mod ble;
pub mod espnow;
pub mod ethernet;
pub mod gpio;
pub mod hc05;
pub mod ieee802154;
pub mod lora;
pub mod nrf24;
pub mod sik;
pub mod spp;
pub mod thread;
pub mod uart;
pub mod wifi;

/// Every kind that comes with airlag.
pub const ALL: &[&dyn AnyKind] = &[
    &gpio::KIND,
    &uart::KIND,
    &nrf24::KIND,
    &lora::KIND,
    &ieee802154::KIND,
    &espnow::KIND,
    &sik::KIND,
    &hc05::KIND,
    &spp::KIND,
    &ble::KIND,
    &wifi::KIND,
    &ethernet::KIND,
    &thread::KIND,
];
