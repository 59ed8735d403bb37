//! Trigger → message → nRF24.

#![no_std]
#![no_main]

use airlag_ends::settings::Role;
use airlag_stm32f429::board::Board;
use airlag_stm32f429::end::End;
use embassy_executor::Spawner;
use embassy_stm32::usart::BufferedInterruptHandler;
use embassy_stm32::{bind_interrupts, peripherals};

bind_interrupts!(struct Irqs {
    USART3 => BufferedInterruptHandler<peripherals::USART3>;
});

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let Board { pins, host, radio, .. } = Board::start();
    let end = End::new(pins, host, Irqs);
    end.run_radio(spawner, "nrf24-sender", Role::Sender, radio.nrf24()).await
}
