//! # airlag-kinds: the kinds of link, one folder each
//!
//! **Enters:** nothing but a bench. **Leaves:** for each kind of link its typed parameters, its two
//! ends, its floor and its knobs, in one list. **Next on the way:** `airlag-rig`, which reads
//! profiles of these kinds and runs them; it knows none of them by name.
//!
//! Walk through the folders in this order:
//!
//! - [`gpio`], [`uart`]: boards and a wire.
//! - [`nrf24`], [`lora`], [`sik`]: chips and modems.
//! - [`ieee802154`], [`espnow`], [`hc05`], [`spp`], [`ble`]: radios with a stack of their own.
//! - [`wifi`], [`ethernet`], [`thread`], [`tunnel`]: what carries IP.
//! - [`boards`], [`ip`], and the floor of a radio between two serial lines: what several kinds have
//!   in common. `neighbours`: who else can be on their air.
//! - [`calls`]: requests and answers over any of them that goes both ways; [`ip_tunnel`]: IP packets over
//!   one that knows nothing of IP. Both are handed to the bench.
//! - [`registry`]: the profiles that come with airlag, by name.

#![forbid(unsafe_code)]

use airlag_rig::Kind;

pub mod ble;
pub mod boards;
pub mod calls;
pub mod espnow;
pub mod ethernet;
pub mod gpio;
pub mod hc05;
pub mod ieee802154;
pub mod ip;
pub mod ip_tunnel;
pub mod lora;
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

/// Every kind that comes with airlag.
pub const ALL: &[Kind] = &[
    Kind::new(&gpio::KIND),
    Kind::new(&uart::KIND),
    Kind::new(&nrf24::KIND),
    Kind::new(&lora::KIND),
    Kind::new(&ieee802154::KIND),
    Kind::new(&espnow::KIND),
    Kind::new(&sik::KIND),
    Kind::new(&hc05::KIND),
    Kind::new(&spp::KIND),
    Kind::new(&ble::KIND),
    Kind::new(&wifi::KIND),
    Kind::new(&ethernet::KIND),
    Kind::new(&thread::KIND),
    Kind::new(&tunnel::KIND),
    Kind::new(&tunnel::naive::KIND),
];
