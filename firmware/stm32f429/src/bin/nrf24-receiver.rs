//! nRF24 → check → strobe.

#![no_std]
#![no_main]

use airlag_drivers::nrf24::Role;
use airlag_stm32f429::board::Board;
use airlag_stm32f429::{ends, nrf24};
use embassy_executor::Spawner;

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let Board { strobe, radio, .. } = Board::start();
    let link = nrf24::start(radio, Role::Receiver).await;
    ends::receive(link, strobe).await
}
