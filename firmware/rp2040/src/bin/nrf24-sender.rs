//! Trigger → message → nRF24.

#![no_std]
#![no_main]

use airlag_drivers::nrf24::Role;
use airlag_rp2040::end::{self, End};
use embassy_executor::Spawner;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    End::start().run(spawner, "nrf24-sender", Role::Transmitter).await
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    end::halt()
}
