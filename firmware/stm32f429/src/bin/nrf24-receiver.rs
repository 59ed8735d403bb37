//! nRF24 → check → strobe.

#![no_std]
#![no_main]

use airlag_ends::settings::Role;
use airlag_stm32f429::board::Board;
use airlag_stm32f429::end::End;
use embassy_executor::Spawner;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let Board { pins, host, radio, .. } = Board::start();
    let end = End { pins, host };
    end.run_radio(spawner, "nrf24-receiver", Role::Receiver, radio.nrf24()).await
}
