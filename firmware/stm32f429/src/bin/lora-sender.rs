//! Trigger → message → LoRa.

#![no_std]
#![no_main]

use airlag_stm32f429::board::Board;
use airlag_stm32f429::{ends, lora};
use embassy_executor::Spawner;

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let Board { trigger, radio, .. } = Board::start();
    let link = lora::start(radio).await;
    ends::send(trigger, link).await
}
