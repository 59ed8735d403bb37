//! Path from the queue to the radio. Three payloads are written into the FIFO, each with a CE
//! pulse, and the status is polled.

use std::convert::Infallible;
use std::rc::Rc;

use airlag_drivers::nrf24::register::{at, command, fifo, status};
use airlag_sim::Duration;
use embedded_hal::digital::OutputPin;
use embedded_hal_async::spi::SpiDevice;

use super::{PIECE, Queue, Raw};

/// Payloads in a burst: the FIFO's capacity.
const BURST: usize = 3;
/// Duration of a CE pulse.
const PULSE: Duration = Duration::from_us(10);
/// Sleep between two polls of the status.
const LOOK: Duration = Duration::from_us(360);
/// Sleep after each packet.
const PAUSE: Duration = Duration::from_us(1);

/// Sends packets from the queue.
pub(super) async fn run(mut raw: Raw, queue: Rc<Queue>, attempts: u8) {
    loop {
        let packet = queue.take().await;
        for burst in packet.chunks(BURST * PIECE) {
            let Ok(()) = send(&mut raw, burst, attempts).await;
        }
        raw.sleep(PAUSE).await;
    }
}

/// Sends up to three payloads, with up to `attempts` transmissions.
async fn send(raw: &mut Raw, burst: &[u8], attempts: u8) -> Result<(), Infallible> {
    for piece in burst.chunks(PIECE) {
        raw.fifo_status().await?;
        let mut bytes = [command::W_TX_PAYLOAD; 1 + PIECE];
        bytes[1..=piece.len()].copy_from_slice(piece);
        raw.spi.write(&bytes[..=piece.len()]).await?;
    }
    for _ in 0..attempts {
        if attempt(raw).await? {
            return Ok(());
        }
    }
    raw.spi.write(&[command::FLUSH_TX]).await
}

/// Sends the contents of the FIFO; returns false if a payload was not acknowledged.
///
/// TX_DS is cleared before and after, but not between payloads. From the second payload on, the
/// first poll finds it set whatever the outcome.
async fn attempt(raw: &mut Raw) -> Result<bool, Infallible> {
    raw.clear(status::TX_DS | status::MAX_RT).await?;
    while raw.fifo_status().await? & fifo::TX_EMPTY == 0 {
        raw.ce.set_high()?;
        raw.sleep(PULSE).await;
        raw.ce.set_low()?;
        let flags = loop {
            raw.sleep_on(LOOK).await;
            let mut bytes = [command::R_REGISTER | at::OBSERVE_TX, 0];
            raw.spi.transfer_in_place(&mut bytes).await?;
            if bytes[0] & (status::TX_DS | status::MAX_RT) != 0 {
                break bytes[0];
            }
        };
        if flags & status::MAX_RT != 0 {
            raw.clear(status::MAX_RT).await?;
            return Ok(false);
        }
    }
    raw.clear(status::TX_DS).await?;
    Ok(true)
}

impl Raw {
    pub(super) async fn fifo_status(&mut self) -> Result<u8, Infallible> {
        let mut bytes = [command::R_REGISTER | at::FIFO_STATUS, 0];
        self.spi.transfer_in_place(&mut bytes).await?;
        Ok(bytes[1])
    }

    pub(super) async fn clear(&mut self, flags: u8) -> Result<(), Infallible> {
        self.spi.write(&[command::W_REGISTER | at::STATUS, flags]).await
    }
}
