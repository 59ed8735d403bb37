//! Every kind of link on the bench.
//!
//! All test files are in one program, because linking many programs would take long.

mod bench;
mod ble_range;
mod bluetooth_range;
mod btmesh;
mod cited;
mod elrs;
mod family;
mod forbidden;
mod ip_over_any_link;
mod ip_packets;
mod meshtastic;
mod neighbours;
mod never_stuck;
mod nrf24_flags;
mod nrf24_replies;
mod nrf24_scan;
mod payload;
mod places;
mod profile;
mod propagation;
mod range_tests;
mod relayed;
mod repeatable;
mod rules;
mod sensitivities;
mod sniffer;
mod sniffs_read_back;
mod sx127x_errata;
mod thread_csl;
mod tunnel_goodput;
mod tunnel_naive;
mod tunnel_queues;
mod wifi;
mod wifi_module;
mod zigbee;
