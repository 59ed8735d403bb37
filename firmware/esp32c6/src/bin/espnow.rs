//! ESP-NOW on an ESP32-C6, in any role.

#![no_std]
#![no_main]

use airlag_ends::program::Program;
use airlag_esp32c6::board::{Console, share};
use airlag_esp32c6::espnow::EspNow;
use airlag_esp32c6::{board, serial};
use embassy_executor::Spawner;

esp_bootloader_esp_idf::esp_app_desc!();

#[esp_rtos::main]
async fn main(spawner: Spawner) {
    let board = board::start();
    let shared = share::<EspNow>("espnow");
    let program = Program::new(board.pins, EspNow::new(board.wifi), shared);
    let Ok(serving) = serial::serve(board.serial, Console::new(shared)) else { board::halt() };
    spawner.spawn(serving);
    program.run().await
}
