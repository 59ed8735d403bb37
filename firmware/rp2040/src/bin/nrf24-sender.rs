//! Trigger → message → nRF24.

#![no_std]
#![no_main]

use airlag_rp2040::end::{self, End};
use embassy_executor::Spawner;

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    End::start().send().await
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    end::halt()
}
