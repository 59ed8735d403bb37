//! Bursts: back-to-back frames of which only the last is acknowledged, with a payload in that
//! acknowledgement.
//!
//! Two chips that are configured for bursts (see [`Config::for_bursts`](super::Config::for_bursts))
//! take turns as transmitter. The chip that has data becomes the transmitter for one burst. The
//! other chip acknowledges the last frame of the burst. The acknowledgement contains a payload that
//! was written to the acknowledging chip before the burst.

use embedded_hal::digital::OutputPin;
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::SpiDevice;

use super::config::Role;
use super::register::{at, command, config as config_bits, fifo, status};
use super::{Nrf24, Outcome};

/// Capacity of the transmit FIFO, payloads (section 8.4).
const FIFO: u8 = 3;
/// Pipe used by both ends: a transmitter receives acknowledgements on it (section 7.6).
const PIPE: u8 = 0;

impl<S: SpiDevice, C: OutputPin, I: Wait> Nrf24<S, C, I> {
    /// Sends payloads of at most 32 bytes back to back, and requests an acknowledgement only for
    /// the last payload. Returns the number of bytes of the payload in the acknowledgement, or 0 if
    /// the acknowledgement has no payload. Returns `None` if no acknowledgement arrived.
    ///
    /// A burst must not exceed [`Frame::burst`](airlag_link::airtime::nrf24::Frame::burst).
    pub async fn burst<'a>(
        &mut self,
        payloads: impl ExactSizeIterator<Item = &'a [u8]>,
        answer: &mut [u8],
    ) -> Outcome<Option<usize>, S, C, I> {
        self.turn(Role::Transmitter).await?;
        let mut left = payloads.len();
        let mut payloads = payloads;
        let mut room = FIFO;
        loop {
            while room > 0
                && let Some(payload) = payloads.next()
            {
                (left, room) = (left - 1, room - 1);
                let write =
                    if left > 0 { command::W_TX_PAYLOAD_NOACK } else { command::W_TX_PAYLOAD };
                self.write_payload(write, payload, payload.len()).await?;
                self.enable(true)?;
            }
            self.irq.wait_for_low().await.map_err(super::Error::Interrupt)?;
            // A flag raised while it is being cleared is lost. Therefore check the FIFO afterwards,
            // and clear MAX_RT, which the FIFO does not show, only after it was seen.
            self.clear(status::RX_DR | status::TX_DS).await?;
            let (flags, fill) = self.read_fifo_status().await?;
            if flags & status::MAX_RT != 0 {
                // The payload would otherwise stay in the FIFO and be sent again (section 7.5.1).
                self.command(command::FLUSH_TX).await?;
                self.clear(status::MAX_RT).await?;
                return Ok(None);
            }
            if fill & fifo::TX_EMPTY != 0 {
                if left == 0 {
                    return Ok(Some(self.take(answer).await?.unwrap_or(0)));
                }
                room = FIFO;
            } else if fill & fifo::TX_FULL == 0 {
                // At least one frame has been sent; two may remain.
                room = room.max(1);
            }
        }
    }

    /// Starts listening, and prepares `payload` for the next acknowledgement in place of any
    /// earlier one.
    pub async fn lay_ready(&mut self, payload: &[u8]) -> Outcome<(), S, C, I> {
        if self.config.role == Role::Receiver {
            self.command(command::FLUSH_TX).await?;
        } else {
            self.turn(Role::Receiver).await?;
        }
        self.write_ack_payload(PIPE, payload).await
    }

    /// Waits for an interrupt of the chip. The future may be dropped while it waits.
    pub async fn arrived(&mut self) -> Outcome<(), S, C, I> {
        self.irq.wait_for_low().await.map_err(super::Error::Interrupt)
    }

    /// Reads a received payload, if any, and returns its size.
    pub async fn take(&mut self, buffer: &mut [u8]) -> Outcome<Option<usize>, S, C, I> {
        let mut bytes = [command::R_RX_PL_WID, 0];
        self.spi.transfer_in_place(&mut bytes).await.map_err(super::Error::Spi)?;
        if status::pipe(bytes[0]).is_none() {
            if bytes[0] & status::FLAGS == 0 {
                return Ok(None);
            }
            // A payload that arrives while a flag is being cleared does not raise it again, so
            // check the FIFO afterwards.
            self.clear(status::FLAGS).await?;
            bytes = [command::R_RX_PL_WID, 0];
            self.spi.transfer_in_place(&mut bytes).await.map_err(super::Error::Spi)?;
            if status::pipe(bytes[0]).is_none() {
                return Ok(None);
            }
        }
        let width = usize::from(bytes[1]);
        if width == 0 || width > 32 {
            // Section 8.3.1: after a width above 32, the FIFO has to be flushed.
            self.command(command::FLUSH_RX).await?;
            return Ok(None);
        }
        let mut bytes = [0; 33];
        bytes[0] = command::R_RX_PAYLOAD;
        self.spi.transfer_in_place(&mut bytes[..=width]).await.map_err(super::Error::Spi)?;
        let taken = width.min(buffer.len());
        buffer[..taken].copy_from_slice(&bytes[1..=taken]);
        Ok(Some(taken))
    }

    /// Switches between receiver and transmitter by way of standby (section 6.1.6), with an empty
    /// transmit FIFO.
    pub(super) async fn turn(&mut self, role: Role) -> Outcome<(), S, C, I> {
        if self.config.role == role {
            return Ok(());
        }
        self.enable(false)?;
        self.config.role = role;
        let powered = self.config.config_register() | config_bits::PWR_UP;
        self.write_register(at::CONFIG, &[powered]).await?;
        self.command(command::FLUSH_TX).await?;
        if role == Role::Receiver {
            self.enable(true)?;
        } else {
            // Received payloads that were not read are not the response to this burst.
            self.command(command::FLUSH_RX).await?;
            self.clear(status::FLAGS).await?;
        }
        Ok(())
    }
}
