//! Trigger → strobe without a link: the latency of the board itself.

#![no_std]
#![no_main]

use airlag_app::Echo;
use airlag_stm32f429::board::{self, Board};
use embassy_executor::Spawner;

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let Board { mut trigger, mut strobe, .. } = Board::start();
    board::ready();
    let _ = Echo::new().run(&mut trigger, &mut strobe).await;
    board::halt()
}
