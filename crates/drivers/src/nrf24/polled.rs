//! Replies in acknowledgement payloads: one chip transmits and the other receives at all times,
//! without role reversal.
//!
//! The receiving end can reply only by acknowledging a frame. The receiving end writes its data
//! into the transmit FIFO of its chip (W_ACK_PAYLOAD), and the chip sends the data to the
//! transmitting end in the next acknowledgements (nRF24L01+ product specification v1.0, section
//! 7.5.2). While the program of the transmitting end waits for data, the transmitting end therefore
//! sends polls (frames of one byte).
//!
//! A poll is a frame of one byte. Dynamic payload length distinguishes it from a chunk, because a
//! chunk of one byte is padded to two.
//!
//! When a new packet arrives, the receiving chip assumes that its last acknowledgement has been
//! received, and discards the payload of that acknowledgement (nRF24L01+ product specification
//! v1.0, sections 7.5.2 and 7.8.4). When the transmitting chip gives up a frame, the program
//! therefore does not replace this frame by another frame. The frame stays in the FIFO, keeps its
//! packet identity, and is sent again before any other frame (section 7.8.7). As a result, no
//! acknowledgement payload is lost or duplicated.

use airlag_link::{Capability, Delivery, Link};
use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::SpiDevice;

use super::config::{ConfigError, Payload, Role};
use super::register::{command, fifo, status};
use super::{Error, Nrf24, Outcome};

/// Pipe used by both ends: a transmitter receives acknowledgements on it (section 7.6).
const PIPE: u8 = 0;
/// A frame without data that requests an acknowledgement.
const POLL: [u8; 1] = [0];
/// The shortest chunk on the air.
const SHORTEST: usize = POLL.len() + 1;

/// The polling end, a transmitter.
pub struct Requester<S, C, I, D> {
    radio: Nrf24<S, C, I>,
    delay: D,
    /// Delay from an empty acknowledgement to the next poll, us.
    pause_us: u32,
    /// Whether the FIFO contains a frame that is in flight, or that the chip gave up.
    under_way: bool,
    /// Whether a wait for the frame in flight was dropped, so that its interrupt flags may already
    /// be cleared.
    unseen: bool,
    /// Whether the receive FIFO has no room for another payload.
    full: bool,
}

/// The replying end, a receiver.
pub struct Replier<S, C, I> {
    radio: Nrf24<S, C, I>,
}

impl<S, C, I, D> Requester<S, C, I, D> {
    /// Creates the polling end on a transmitter configured for acknowledgement payloads. It pauses
    /// `pause_us` us after an empty acknowledgement before it sends the next poll.
    ///
    /// # Errors
    ///
    /// [`ConfigError::NoReplies`] for any other configuration of the radio.
    pub fn new(radio: Nrf24<S, C, I>, delay: D, pause_us: u32) -> Result<Self, ConfigError> {
        radio.config.check_replies(Role::Transmitter)?;
        Ok(Self { radio, delay, pause_us, under_way: false, unseen: false, full: false })
    }
}

impl<S, C, I> Replier<S, C, I> {
    /// Creates the replying end on a receiver configured for acknowledgement payloads.
    ///
    /// # Errors
    ///
    /// [`ConfigError::NoReplies`] for any other configuration of the radio.
    pub fn new(radio: Nrf24<S, C, I>) -> Result<Self, ConfigError> {
        radio.config.check_replies(Role::Receiver)?;
        Ok(Self { radio })
    }
}

impl<S: SpiDevice, C: OutputPin, I: Wait, D: DelayNs> Requester<S, C, I, D> {
    /// Writes a frame and waits for its outcome.
    async fn exchange(&mut self, payload: &[u8], width: usize) -> Outcome<Delivery, S, C, I> {
        self.radio.write_payload(command::W_TX_PAYLOAD, payload, width).await?;
        self.under_way = true;
        self.conclude().await
    }

    /// Waits until the frame in the FIFO is acknowledged or the chip gives it up. If the chip gave
    /// it up earlier, it is sent again first.
    async fn conclude(&mut self) -> Outcome<Delivery, S, C, I> {
        self.radio.enable(true)?;
        let mut look = core::mem::replace(&mut self.unseen, true);
        let delivery = loop {
            if !core::mem::take(&mut look) {
                self.radio.irq.wait_for_low().await.map_err(Error::Interrupt)?;
                self.radio.clear(status::RX_DR | status::TX_DS).await?;
            }
            // A flag raised while it is being cleared is lost. Therefore check the FIFO afterwards,
            // and clear MAX_RT, which the FIFO does not show, only after it was seen.
            let (flags, fill) = self.radio.read_fifo_status().await?;
            self.full = fill & fifo::RX_FULL != 0;
            if flags & status::MAX_RT != 0 {
                // CE is set low first, because its next rising edge sends the packet again (section
                // 7.8.7).
                self.radio.enable(false)?;
                self.radio.clear(status::MAX_RT).await?;
                break Delivery::Lost;
            }
            if fill & fifo::TX_EMPTY != 0 {
                self.radio.enable(false)?;
                self.under_way = false;
                break Delivery::Confirmed;
            }
        };
        self.unseen = false;
        Ok(delivery)
    }
}

impl<S: SpiDevice, C: OutputPin, I: Wait, D: DelayNs> Link for Requester<S, C, I, D> {
    type Error = Error<S::Error, C::Error, I::Error>;

    /// Chunks may arrive padded.
    fn capability(&self) -> Capability {
        Capability::datagram(self.radio.config.mtu()).padded(true).acknowledged(true)
    }

    /// A chunk is also lost in two cases: an earlier frame that the chip gave up still does not
    /// arrive, or the receive FIFO has no room for another acknowledgement payload, because the
    /// program has not read the previous ones.
    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Self::Error> {
        let (len, mtu) = (chunk.len(), self.radio.config.mtu());
        if len > mtu {
            return Err(Error::TooLong { len, mtu });
        }
        if self.under_way && self.conclude().await? == Delivery::Lost {
            return Ok(Delivery::Lost);
        }
        if self.full {
            return Ok(Delivery::Lost);
        }
        let width = match self.radio.config.payload {
            Payload::Fixed(width) => usize::from(width),
            Payload::Dynamic => len,
        };
        self.exchange(chunk, width.max(SHORTEST)).await
    }

    /// Waits for the outcome of the frame in the FIFO. If the chip gave it up, it is sent once
    /// more.
    async fn flush(&mut self) -> Result<Delivery, Self::Error> {
        if self.under_way { self.conclude().await } else { Ok(Delivery::Sent) }
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Self::Error> {
        let mut polled = false;
        loop {
            if let Some(len) = self.radio.take(buffer).await? {
                self.full = false;
                return Ok(len);
            }
            if core::mem::replace(&mut polled, true) && self.pause_us > 0 {
                self.delay.delay_us(self.pause_us).await;
            }
            if self.under_way {
                self.conclude().await?;
            } else {
                self.exchange(&POLL, POLL.len()).await?;
            }
        }
    }
}

impl<S: SpiDevice, C: OutputPin, I: Wait> Replier<S, C, I> {
    /// Reads a poll from the head of the receive FIFO; returns false if the head is not a poll or
    /// the FIFO is empty.
    async fn take_poll(&mut self) -> Outcome<bool, S, C, I> {
        let mut bytes = [command::R_RX_PL_WID, 0];
        self.radio.spi.transfer_in_place(&mut bytes).await.map_err(Error::Spi)?;
        let is_poll = status::pipe(bytes[0]).is_some() && usize::from(bytes[1]) == POLL.len();
        if is_poll {
            let mut bytes = [command::R_RX_PAYLOAD, 0];
            self.radio.spi.transfer_in_place(&mut bytes).await.map_err(Error::Spi)?;
        }
        Ok(is_poll)
    }
}

impl<S: SpiDevice, C: OutputPin, I: Wait> Link for Replier<S, C, I> {
    type Error = Error<S::Error, C::Error, I::Error>;

    /// When [`Link::send`] returns, it is unknown whether the chunk was fetched.
    fn capability(&self) -> Capability {
        Capability::datagram(self.radio.config.mtu()).padded(true)
    }

    /// Returns when the chunk is in the FIFO. The chunk is lost if there is no room and the other
    /// end sends chunks instead of polls, because its chunks have to be received first.
    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Self::Error> {
        let (len, mtu) = (chunk.len(), self.radio.config.mtu());
        if len > mtu {
            return Err(Error::TooLong { len, mtu });
        }
        // Flags are cleared here, so the next receive has to check the FIFO before it waits for
        // them.
        self.radio.drained = false;
        loop {
            let (_, fill) = self.radio.read_fifo_status().await?;
            if fill & fifo::TX_FULL == 0 {
                let write = command::W_ACK_PAYLOAD | PIPE;
                self.radio.write_payload(write, chunk, len.max(1)).await?;
                return Ok(Delivery::Sent);
            }
            if self.take_poll().await? {
                continue;
            }
            if fill & fifo::RX_FULL != 0 {
                return Ok(Delivery::Lost);
            }
            self.radio.irq.wait_for_low().await.map_err(Error::Interrupt)?;
            self.radio.clear(status::FLAGS).await?;
        }
    }

    async fn flush(&mut self) -> Result<Delivery, Self::Error> {
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Self::Error> {
        loop {
            let (_, len) = self.radio.listen(buffer).await?;
            if len != POLL.len() {
                return Ok(len);
            }
        }
    }
}
