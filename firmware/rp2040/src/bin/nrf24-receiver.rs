//! nRF24 → check → strobe.

#![no_std]
#![no_main]

use airlag_rp2040::end::{self, End};
use embassy_executor::Spawner;

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    End::start().receive().await
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    end::halt()
}
