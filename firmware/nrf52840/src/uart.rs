//! A serial port as the line to the host.

use embassy_nrf::uarte::Uarte;

use crate::board::Console;

/// Bytes that the port sends at once: its DMA reads memory only.
const PIECE: usize = 64;

/// Serves the host. Never returns.
#[embassy_executor::task]
pub async fn serve(port: Uarte<'static>, mut console: Console) -> ! {
    let (mut tx, mut rx) = port.split();
    let mut byte = [0];
    loop {
        // A framing error or an overrun damages a frame, which the host repeats.
        if rx.read(&mut byte).await.is_err() {
            continue;
        }
        let Some(frame) = console.receive(byte[0]) else { continue };
        for piece in frame.chunks(PIECE) {
            let _ = tx.write(piece).await;
        }
    }
}
