//! Enhanced ShockBurst on an nRF52840 Dongle, in any role.

#![no_std]
#![no_main]

use airlag_ends::program::Program;
use airlag_nrf52840::board::{Console, share};
use airlag_nrf52840::esb::Esb;
use airlag_nrf52840::{board, dongle, usb};
use embassy_executor::Spawner;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let board = dongle::start();
    let shared = share::<Esb>(board.name, "esb");
    let program = Program::new(board.pins, Esb::new(board.radio), shared);
    let Ok(serving) = usb::serve(board.serial, Console::new(shared)) else { board::halt() };
    spawner.spawn(serving);
    program.run().await
}
