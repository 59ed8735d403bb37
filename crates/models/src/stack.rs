//! Protocol stacks model a radio at the level of its software. A program uses a stack through the
//! [`Link`](airlag_link::Link) trait or a serial port, and the stack sends real frames on the air.
//! Most of the original stacks are closed source, and their firmware cannot be run here. The open
//! source stacks smoltcp and `trouble-host` run unmodified.
//!
//! - [`ble`]: Bluetooth LE.
//! - [`bt_classic`]: Bluetooth BR/EDR with RFCOMM, as in a serial-port module and in the SPP of the
//!   ESP32.
//! - [`btmesh`]: Bluetooth mesh over the advertising bearer, with relays.
//! - [`elrs`]: ExpressLRS, a remote control link.
//! - [`esb`]: Enhanced ShockBurst of the nRF52, nRF53 and nRF54.
//! - [`espnow`]: ESP-NOW of the ESP32, between two boards that are also access points.
//! - [`ethernet`]: two hosts at an Ethernet switch.
//! - [`ieee802154`]: raw IEEE 802.15.4.
//! - [`lorawan`]: LoRaWAN of class A and C, from a device through a gateway to an application
//!   server.
//! - [`meshtastic`]: Meshtastic, LoRa nodes that flood packets.
//! - [`wifi`]: IEEE 802.11.
//! - [`ip`]: TCP/IP over any radio or interface that carries packets.
//! - [`ip_module`]: a module with its own IP stack behind a serial port.
//! - [`thread`]: UDP over 6LoWPAN over secured IEEE 802.15.4, as in OpenThread.
//! - [`zigbee`]: Zigbee, messages over NWK and APS on IEEE 802.15.4, through routers.
//! - [`virtual_time`]: the clock of software that uses `embassy-time`.

pub mod ble;
pub mod bt_classic;
pub mod btmesh;
pub mod elrs;
pub mod esb;
pub mod espnow;
pub mod ethernet;
mod frames;
pub mod ieee802154;
pub mod ip;
pub mod ip_module;
pub mod lorawan;
pub mod meshtastic;
mod processor;
pub mod thread;
pub mod virtual_time;
pub mod wifi;
pub mod zigbee;
