//! LoRa → check → strobe.

#![no_std]
#![no_main]

use airlag_stm32f429::board::Board;
use airlag_stm32f429::{ends, lora};
use embassy_executor::Spawner;

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let Board { strobe, radio, .. } = Board::start();
    let link = lora::start(radio).await;
    ends::receive(link, strobe).await
}
