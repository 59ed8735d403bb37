//! A station and the program around it, as a link.

use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::{Duration, Stream};

use super::frame::BROADCAST;
use super::slices;
use super::station::{Outcome, Station};
use crate::mcu::Board;
use crate::stack::frames::Program;

/// What the program and the Wi-Fi task cost, on their board's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// From being asked to send to the MAC being handed the frame.
    pub before_send: Duration,
    /// What is added to that at most, each nanosecond equally likely.
    pub send_jitter: Duration,
    /// From the acknowledgement to the program being ready with the next chunk: the send callback
    /// and its way through a queue.
    pub after_send: Duration,
    /// What is added to that after a chunk of more than [`Host::stall_over`] bytes.
    pub stall: Duration,
    /// See [`Host::stall`].
    pub stall_over: usize,
    /// From the end of a frame to the program having its body.
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

/// A chunk that does not fit a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{len} B do not fit a frame of ESP-NOW, which holds {most} B")]
pub struct TooLong {
    /// Bytes given.
    pub len: usize,
    /// Bytes a frame of this version holds.
    pub most: usize,
}

impl EspNow {
    /// Sends and receives through `station`, with chunks of up to `chunk` bytes and never more than
    /// a frame holds.
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

    /// The same for a program that does not look at what its send callback is told.
    #[must_use]
    pub const fn ignoring_failure(mut self) -> Self {
        self.report_failure = false;
        self
    }

    /// Sends one frame and says what the callback is told; none of a frame to a group, which nobody
    /// acknowledges.
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
