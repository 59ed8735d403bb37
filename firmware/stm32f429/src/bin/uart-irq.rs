//! One end of a serial wire or a modem, with one interrupt per byte.

#![no_std]
#![no_main]

use airlag_ends::settings::LARGEST;
use airlag_stm32f429::board::{self, Board, Port};
use airlag_stm32f429::end::End;
use airlag_stm32f429::serial::{Serial, config};
use embassy_executor::Spawner;
use embassy_stm32::usart::{BufferedInterruptHandler, BufferedUart};
use embassy_stm32::{bind_interrupts, peripherals};

bind_interrupts!(struct Irqs {
    USART3 => BufferedInterruptHandler<peripherals::USART3>;
    UART5 => BufferedInterruptHandler<peripherals::UART5>;
});

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let Board { pins, host, serial: Port { port, tx, rx, .. }, .. } = Board::start();
    let mut config = config();
    // Every byte wakes the program, instead of a half-full queue or an idle line.
    config.eager_reads = Some(1);
    // The queues of the firmware of the latency comparison have the same size.
    let (mut tx_queue, mut rx_queue) = ([0; LARGEST], [0; LARGEST]);
    let made = BufferedUart::new(port, rx, tx, &mut tx_queue, &mut rx_queue, Irqs, config);
    let Ok(uart) = made else { board::halt() };
    let (tx, rx) = uart.split();
    End::new(pins, host, Irqs).run_serial(spawner, "uart-irq", Serial::new(rx, tx)).await
}
