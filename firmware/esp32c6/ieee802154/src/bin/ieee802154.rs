//! IEEE 802.15.4 on an ESP32-C6, in any role.

#![no_std]
#![no_main]

use airlag_ends::program::Program;
use airlag_esp32c6::board::{Console, share};
use airlag_esp32c6::{board, serial};
use airlag_esp32c6_ieee802154::Ieee802154;
use embassy_executor::Spawner;

esp_bootloader_esp_idf::esp_app_desc!();

#[esp_rtos::main]
async fn main(spawner: Spawner) {
    let board = board::start();
    let shared = share::<Ieee802154>("ieee802154");
    let program = Program::new(board.pins, Ieee802154::new(board.ieee802154), shared);
    let Ok(serving) = serial::serve(board.serial, Console::new(shared)) else { board::halt() };
    spawner.spawn(serving);
    program.run().await
}
