//! # airlag-kinds: the kinds of link, one folder each
//!
//! **Input:** a virtual bench. **Output:** the list of all kinds of link. Each kind has typed
//! parameters, two ends, a floor and tuning parameters. **Used by:** `airlag-rig`, which reads and
//! runs profiles of all kinds, but does not depend on any kind. A crate that calls `airlag-rig`
//! passes the list of kinds to `airlag-rig`.
//!
//! Suggested reading order:
//!
//! - [`gpio`], [`uart`]: two boards connected by a wire.
//! - [`nrf24`], [`lora`], [`sik`]: radio chips and modems.
//! - [`esb`], [`ieee802154`], [`espnow`], [`hc05`], [`spp`], [`ble`], [`btmesh`], [`lorawan`],
//!   [`meshtastic`], [`elrs`], [`zigbee`]: radios with a protocol stack.
//! - [`wifi`], [`wifi_module`], [`ethernet`], [`thread`], [`tunnel`]: links that carry IP.
//! - [`boards`], [`ip`], `relay`: components that several kinds share. `relay` computes the floor
//!   of a radio between two serial lines.
//! - `neighbours`: other transmitters on the air.
//! - [`calls`]: remote procedure calls over any bidirectional link. [`ip_tunnel`]: IP packets over
//!   any bidirectional link without IP support. The caller of the bench passes the programs of
//!   [`calls`] and [`ip_tunnel`] to the bench.
//! - [`crowds`]: many devices around a few receivers, and the share of their messages that arrives.
//! - [`registry`]: the built-in profiles, by name.

#![forbid(unsafe_code)]

use airlag_rig::Kind;

pub mod ble;
pub mod boards;
pub mod btmesh;
pub mod calls;
pub mod crowds;
pub mod elrs;
pub mod esb;
pub mod espnow;
pub mod ethernet;
pub mod gpio;
pub mod hc05;
pub mod ieee802154;
pub mod ip;
pub mod ip_tunnel;
pub mod lora;
pub mod lorawan;
pub mod meshtastic;
mod neighbours;
pub mod nrf24;
pub mod registry;
mod relay;
pub mod sik;
pub mod spp;
pub mod thread;
pub mod tunnel;
pub mod uart;
pub mod wifi;
pub mod wifi_module;
pub mod zigbee;

/// All built-in kinds.
pub const ALL: &[Kind] = &[
    Kind::new(&gpio::KIND),
    Kind::new(&uart::KIND),
    Kind::new(&nrf24::KIND),
    Kind::new(&esb::KIND),
    Kind::new(&lora::KIND),
    Kind::new(&lorawan::KIND),
    Kind::new(&meshtastic::KIND),
    Kind::new(&elrs::KIND),
    Kind::new(&ieee802154::KIND),
    Kind::new(&espnow::KIND),
    Kind::new(&sik::KIND),
    Kind::new(&hc05::KIND),
    Kind::new(&spp::KIND),
    Kind::new(&ble::KIND),
    Kind::new(&btmesh::KIND),
    Kind::new(&wifi::KIND),
    Kind::new(&wifi_module::KIND),
    Kind::new(&ethernet::KIND),
    Kind::new(&thread::KIND),
    Kind::new(&zigbee::KIND),
    Kind::new(&tunnel::KIND),
    Kind::new(&tunnel::naive::KIND),
];
