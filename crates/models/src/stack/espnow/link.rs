//! A station and the program around it, as a link.

use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::{Duration, Stream};

use super::frame::BROADCAST;
use super::slices;
use super::station::{Outcome, Station};
use crate::mcu::Board;
use crate::stack::frames::Program;

/// Costs of the program and the Wi-Fi task, on their board's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// Time from the program's call to the handover of the frame to the MAC.
    pub before_send: Duration,
    /// Largest additional delay of this handover; uniformly distributed.
    pub send_jitter: Duration,
    /// Time from the acknowledgement until the program is ready with the next chunk: the send
    /// callback and its queue.
    pub after_send: Duration,
    /// Additional delay after a chunk of more than [`Host::stall_over`] bytes.
    pub stall: Duration,
    /// See [`Host::stall`].
    pub stall_over: usize,
    /// Time from the end of a frame to its body in the program.
    pub receive: Duration,
}

/// One end of an ESP-NOW link.
pub struct EspNow {
    station: Rc<Station>,
    program: Program,
    host: Host,
    chunk: usize,
    report_failure: bool,
    jitter: Stream,
}

/// A chunk is too long for a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{len} B do not fit an ESP-NOW frame of at most {most} B")]
pub struct TooLong {
    /// Length of the chunk, bytes.
    pub len: usize,
    /// Largest body in this version, bytes.
    pub most: usize,
}

impl EspNow {
    /// Creates a link over `station`, with chunks of up to `chunk` bytes, limited to the capacity
    /// of a frame.
    #[must_use]
    pub fn new(station: &Rc<Station>, board: &Board, host: Host, chunk: usize) -> Self {
        Self {
            station: Rc::clone(station),
            program: Program::new(board, &slices::HOST),
            host,
            chunk: chunk.clamp(1, station.config().format.max_body()),
            report_failure: true,
            jitter: board.stream("send jitter"),
        }
    }

    /// Configures a program that ignores the result of its send callback.
    #[must_use]
    pub const fn ignoring_failure(mut self) -> Self {
        self.report_failure = false;
        self
    }

    /// Sends one frame and returns the result of the callback. Returns `None` for a group address,
    /// because such a frame is not acknowledged.
    pub async fn transmit(&mut self, body: &[u8]) -> Result<Option<Outcome>, TooLong> {
        let late = self.jitter.within(self.host.send_jitter);
        self.program.spend(self.host.before_send + late).await;
        let outcome = self.station.transmit(body).await?;
        self.program.spend(self.host.after_send).await;
        if body.len() > self.host.stall_over && !self.host.stall.is_zero() {
            self.program.board().spend(&slices::STALL, self.host.stall).await;
        }
        Ok(outcome)
    }
}

impl Link for EspNow {
    type Error = TooLong;

    fn capability(&self) -> Capability {
        let acknowledged = self.station.config().peer != BROADCAST;
        Capability::datagram(self.chunk).acknowledged(acknowledged).duplex(true)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, TooLong> {
        Ok(match self.transmit(chunk).await? {
            Some(Outcome::Acknowledged) => Delivery::Confirmed,
            Some(Outcome::Failed) if self.report_failure => Delivery::Lost,
            Some(Outcome::Failed) | None => Delivery::Sent,
        })
    }

    async fn flush(&mut self) -> Result<Delivery, TooLong> {
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, TooLong> {
        let station = &self.station;
        let next = async |buffer: &mut [u8]| station.next_body(buffer).await;
        Ok(self.program.receive(buffer, self.host.receive, next).await)
    }
}
