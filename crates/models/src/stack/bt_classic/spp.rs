//! The serial port profile of a host stack on the microcontroller itself: ESP32's SPP.
//!
//! A write is one RFCOMM frame. `esp_spp_write` returns at once. The write event that follows
//! reports whether the channel is congested. If the channel is congested, the program does not
//! write again until the congestion ends (ESP-IDF Programming Guide, "SPP API":
//! `ESP_SPP_WRITE_EVT`, `ESP_SPP_CONG_EVT`). A channel is congested while more than a given number
//! of writes are waiting.

use std::convert::Infallible;

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::channel::Receiver;
use airlag_sim::{Duration, Instant};

use super::channel::Channel;
use super::slices;
use crate::mcu::Board;

/// Timing of the program and the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SppTiming {
    /// Longest write, bytes.
    pub write_size: usize,
    /// Time from the call to the write event in the program.
    pub write: Duration,
    /// Waiting writes above which the channel is congested.
    pub high_water: usize,
    /// Handover and check of one received byte.
    pub per_byte: Duration,
}

/// One end of a serial port.
pub struct Spp {
    board: Board,
    channel: Channel,
    arriving: Receiver<Vec<u8>>,
    rest: Vec<u8>,
    timing: SppTiming,
    congestions: u32,
}

impl Spp {
    /// Creates the serial port of `board` on a channel.
    #[must_use]
    pub fn new(
        board: &Board,
        (channel, arriving): (Channel, Receiver<Vec<u8>>),
        timing: SppTiming,
    ) -> Self {
        let write_size = timing.write_size.clamp(1, channel.frame_max().max(1));
        let timing = SppTiming { write_size, ..timing };
        Self { board: board.clone(), channel, arriving, rest: Vec::new(), timing, congestions: 0 }
    }

    /// Number of writes after which the channel was congested.
    #[must_use]
    pub const fn congestions(&self) -> u32 {
        self.congestions
    }

    fn outcome(&self) -> Delivery {
        if self.channel.is_gone() { Delivery::Lost } else { Delivery::Sent }
    }
}

impl Link for Spp {
    type Error = Infallible;

    fn capability(&self) -> Capability {
        Capability::datagram(self.timing.write_size).stream(true).duplex(true)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Infallible> {
        for write in chunk.chunks(self.timing.write_size) {
            if !self.channel.send(write.to_vec()) {
                return Ok(Delivery::Lost);
            }
            self.board.spend(&slices::HOST, self.timing.write).await;
            if self.channel.waiting() > self.timing.high_water {
                self.congestions += 1;
                let since: Instant = self.board.sim().now();
                while self.channel.waiting() > self.timing.high_water && !self.channel.is_gone() {
                    self.channel.changed().await;
                }
                self.board.span(&slices::CONGESTION, since, self.board.sim().now());
            }
        }
        Ok(self.outcome())
    }

    /// The program does not wait for the last write, because its transmission is not reported.
    async fn flush(&mut self) -> Result<Delivery, Infallible> {
        Ok(self.outcome())
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        while self.rest.is_empty() {
            match self.arriving.receive().await {
                Some(data) => self.rest = data,
                // The other side of the bench is gone, so nothing more can arrive.
                None => std::future::pending().await,
            }
        }
        let count = self.rest.len().min(buffer.len());
        let takes = Duration::from_ns(self.timing.per_byte.as_ns() * count as u64);
        self.board.spend(&slices::READ_OUT, takes).await;
        for (to, from) in buffer.iter_mut().zip(self.rest.drain(..count)) {
            *to = from;
        }
        Ok(count)
    }
}
