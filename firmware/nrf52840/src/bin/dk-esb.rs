//! Enhanced ShockBurst on an nRF52840 DK, in any role.

#![no_std]
#![no_main]

use airlag_ends::program::Program;
use airlag_nrf52840::board::{Console, share};
use airlag_nrf52840::esb::Esb;
use airlag_nrf52840::{board, dk, uart};
use embassy_executor::Spawner;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let board = dk::start();
    let shared = share::<Esb>(board.name, "esb");
    let program = Program::new(board.pins, Esb::new(board.radio), shared);
    let Ok(serving) = uart::serve(board.serial, Console::new(shared)) else { board::halt() };
    spawner.spawn(serving);
    program.run().await
}
