//! Both ends of a serial wire, by DMA into a ring with idle-line detection: trigger → bytes, bytes
//! → strobe.

#![no_std]
#![no_main]

use airlag_drivers::Modem;
use airlag_stm32f429::board::{self, Board, Serial};
use airlag_stm32f429::ends;
use airlag_stm32f429::settings::{BAUD, LARGEST, RING};
use embassy_executor::Spawner;
use embassy_futures::join::join;
use embassy_stm32::usart::{Config, InterruptHandler, Uart};
use embassy_stm32::{bind_interrupts, dma, peripherals};

bind_interrupts!(struct Irqs {
    UART5 => InterruptHandler<peripherals::UART5>;
    DMA1_STREAM0 => dma::InterruptHandler<peripherals::DMA1_CH0>;
    DMA1_STREAM7 => dma::InterruptHandler<peripherals::DMA1_CH7>;
});

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let Board { trigger, strobe, serial, .. } = Board::start();
    let Serial { port, tx, rx, tx_dma, rx_dma } = serial;
    let mut config = Config::default();
    config.baudrate = BAUD;
    let made = Uart::new(port, rx, tx, tx_dma, rx_dma, Irqs, config);
    let Ok(uart) = made else { board::halt() };
    let (tx, rx) = uart.split();
    let mut ring = [0; RING];
    let mut rx = rx.into_ring_buffered(&mut ring);
    rx.start_uart();
    // Each end uses one half of the port; the other half of its modem is empty.
    let (nothing, nowhere) = (&[][..], &mut [][..]);
    let out = Modem::new(nothing, tx, LARGEST);
    let back = Modem::new(rx, nowhere, LARGEST);
    board::ready();
    join(ends::send(trigger, out), ends::receive(back, strobe)).await;
}
