//! Trigger → message → nRF24.

#![no_std]
#![no_main]

use airlag_ends::settings::Role;
use airlag_rp2040::end::{self, End};
use airlag_rp2040::radio::Nrf24;
use embassy_executor::Spawner;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    End::start().run::<Nrf24>(spawner, "nrf24-sender", Role::Sender).await
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    end::halt()
}
