//! One end of a serial wire or a modem, by DMA into a ring with idle-line detection.

#![no_std]
#![no_main]

use airlag_stm32f429::board::{self, Board, Port};
use airlag_stm32f429::end::End;
use airlag_stm32f429::serial::{Serial, config};
use embassy_executor::Spawner;
use embassy_stm32::usart::{BufferedInterruptHandler, InterruptHandler, Uart};
use embassy_stm32::{bind_interrupts, dma, peripherals};

bind_interrupts!(struct Irqs {
    USART3 => BufferedInterruptHandler<peripherals::USART3>;
    UART5 => InterruptHandler<peripherals::UART5>;
    DMA1_STREAM0 => dma::InterruptHandler<peripherals::DMA1_CH0>;
    DMA1_STREAM7 => dma::InterruptHandler<peripherals::DMA1_CH7>;
});

/// Size of the ring, as in the latency comparison. Its middle and its end wake the program.
const RING: usize = 32;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let Board { pins, host, serial, .. } = Board::start();
    let Port { port, tx, rx, tx_dma, rx_dma } = serial;
    let made = Uart::new(port, rx, tx, tx_dma, rx_dma, Irqs, config());
    let Ok(uart) = made else { board::halt() };
    let (tx, rx) = uart.split();
    let mut ring = [0; RING];
    let mut rx = rx.into_ring_buffered(&mut ring);
    rx.start_uart();
    End::new(pins, host, Irqs).run_serial(spawner, "uart-dma", Serial::new(rx, tx)).await
}
