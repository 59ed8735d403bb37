//! One end of a serial wire or a modem, by polling.

#![no_std]
#![no_main]

use airlag_ends::settings::LARGEST;
use airlag_stm32f429::board::{self, Board, Port};
use airlag_stm32f429::end::End;
use airlag_stm32f429::polled::Polled;
use airlag_stm32f429::serial::{Serial, config};
use embassy_executor::Spawner;
use embassy_stm32::usart::{BufferedInterruptHandler, Uart};
use embassy_stm32::{bind_interrupts, peripherals};

bind_interrupts!(struct Irqs {
    USART3 => BufferedInterruptHandler<peripherals::USART3>;
});

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let Board { pins, host, serial: Port { port, tx, rx, .. }, .. } = Board::start();
    let Ok(uart) = Uart::new_blocking(port, rx, tx, config()) else { board::halt() };
    let port = Polled::<LARGEST>::new(uart.split());
    End::new(pins, host, Irqs).run_serial(spawner, "uart-poll", Serial::new(&port, &port)).await
}
