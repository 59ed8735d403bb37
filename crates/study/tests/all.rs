//! Questions asked of benches and captures.
//!
//! All integration tests are one program, because each program would be linked with all
//! dependencies.

mod advice;
mod aligned_matches;
#[path = "../../kinds/tests/bench/mod.rs"]
mod bench;
mod ble_bench;
mod ble_settings;
mod bluetooth_bench;
mod bluetooth_captures;
mod bounds;
mod btmesh_bench;
mod budget;
mod charge;
mod clocks_found;
mod elrs_bench;
mod espnow_bench;
mod follow_one_packet;
mod ieee802154_bench;
mod known_causes;
mod law;
mod load;
mod lora_bench;
mod lora_captures;
mod lorawan_bench;
mod meshtastic_bench;
mod model_vs_capture;
mod nrf24_captures;
mod nrf24_limits;
mod own_kind;
mod published;
mod ranking_captures;
mod recommend;
#[path = "../../kinds/tests/rules/region.rs"]
mod region;
mod region_walk;
mod resting;
mod rpc;
#[path = "../../kinds/tests/rules/mod.rs"]
mod rules;
mod sensitivity;
mod sik_captures;
mod thread_bench;
mod thread_mesh;
mod traffic;
mod tune;
mod under_load;
mod virtual_capture;
mod wifi_module_bench;
mod wired_bench;
mod wired_captures;
mod zigbee_bench;
