//! UDP, TCP and WebSocket over Wi-Fi on an ESP32-C6, in any role.

#![no_std]
#![no_main]

use airlag_ends::program::Program;
use airlag_esp32c6::{board, serial};
use airlag_esp32c6_wifi::plan::SETTINGS;
use airlag_esp32c6_wifi::{Console, Wifi, share};
use embassy_executor::Spawner;

esp_bootloader_esp_idf::esp_app_desc!();

#[esp_rtos::main]
async fn main(spawner: Spawner) {
    let board = board::start();
    let shared = share();
    let program = Program::new(board.pins, Wifi::new(board.wifi, spawner), shared);
    let Ok(serving) = serve(board.serial, Console::new(shared)) else { board::halt() };
    spawner.spawn(serving);
    program.run().await
}

#[embassy_executor::task]
async fn serve(port: serial::Port, mut console: Console) -> ! {
    serial::run::<SETTINGS>(port, &mut console).await
}
