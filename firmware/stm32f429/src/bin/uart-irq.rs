//! Both ends of a serial wire, with one interrupt per byte: trigger → bytes, bytes → strobe.

#![no_std]
#![no_main]

use airlag_drivers::Modem;
use airlag_stm32f429::board::{self, Board, Serial};
use airlag_stm32f429::ends;
use airlag_stm32f429::settings::{BAUD, LARGEST, QUEUE};
use embassy_executor::Spawner;
use embassy_futures::join::join;
use embassy_stm32::usart::{BufferedInterruptHandler, BufferedUart, Config};
use embassy_stm32::{bind_interrupts, peripherals};

bind_interrupts!(struct Irqs {
    UART5 => BufferedInterruptHandler<peripherals::UART5>;
});

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let Board { trigger, strobe, serial: Serial { port, rx, tx, .. }, .. } = Board::start();
    let mut config = Config::default();
    config.baudrate = BAUD;
    // Every byte wakes the program, instead of a half-full queue or an idle line.
    config.eager_reads = Some(1);
    let (mut tx_queue, mut rx_queue) = ([0; QUEUE], [0; QUEUE]);
    let made = BufferedUart::new(port, rx, tx, &mut tx_queue, &mut rx_queue, Irqs, config);
    let Ok(uart) = made else { board::halt() };
    let (tx, rx) = uart.split();
    // Each end uses one half of the port; the other half of its modem is empty.
    let (nothing, nowhere) = (&[][..], &mut [][..]);
    let out = Modem::new(nothing, tx, LARGEST);
    let back = Modem::new(rx, nowhere, LARGEST);
    board::ready();
    join(ends::send(trigger, out), ends::receive(back, strobe)).await;
}
