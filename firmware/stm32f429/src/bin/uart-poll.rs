//! Both ends of a serial wire, by polling: trigger → bytes, bytes → strobe.

#![no_std]
#![no_main]

use airlag_drivers::Modem;
use airlag_stm32f429::board::{self, Board, Serial};
use airlag_stm32f429::ends;
use airlag_stm32f429::polled::{PolledRx, PolledTx};
use airlag_stm32f429::settings::{BAUD, LARGEST};
use embassy_executor::Spawner;
use embassy_futures::join::join;
use embassy_stm32::usart::{Config, Uart};

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let Board { trigger, strobe, serial: Serial { port, rx, tx, .. }, .. } = Board::start();
    let mut config = Config::default();
    config.baudrate = BAUD;
    let Ok(uart) = Uart::new_blocking(port, rx, tx, config) else { board::halt() };
    let (tx, rx) = uart.split();
    // Each end uses one half of the port; the other half of its modem is empty.
    let (nothing, nowhere) = (&[][..], &mut [][..]);
    let out = Modem::new(nothing, PolledTx(tx), LARGEST);
    let back = Modem::new(PolledRx(rx), nowhere, LARGEST);
    board::ready();
    join(ends::send(trigger, out), ends::receive(back, strobe)).await;
}
