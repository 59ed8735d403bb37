//! Trigger → message → nRF24.

#![no_std]
#![no_main]

use airlag_drivers::nrf24::Role;
use airlag_stm32f429::board::Board;
use airlag_stm32f429::{ends, nrf24};
use embassy_executor::Spawner;

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let Board { trigger, radio, .. } = Board::start();
    let link = nrf24::start(radio, Role::Transmitter).await;
    ends::send(trigger, link).await
}
