//! Time-stamps edges and makes triggers for `airlag record pico:`.

#![no_std]
#![no_main]

use airlag_app::Stamper;
use airlag_rp2040::board::Board;
use airlag_rp2040::recorder::{self, ROWS, Recorder};
use airlag_rp2040::serial;
use embassy_executor::Spawner;
use static_cell::StaticCell;

static STAMPER: StaticCell<Stamper<ROWS>> = StaticCell::new();

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let stamper = STAMPER.init_with(recorder::stamper);
    let (recorder, port) = Recorder::start(Board::start(), stamper);
    serial::serve(port, recorder).await
}

/// Stops. The watchdog is disabled, so that the cause can be examined with a debugger.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {
        cortex_m::asm::bkpt();
    }
}
