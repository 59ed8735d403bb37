//! A node and the program around it, as a link.

use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::Duration;

use super::frame::MAX_PAYLOAD;
use super::node::{Node, Outcome};
use super::slices;
use crate::mcu::Board;
use crate::stack::frames::Program;

/// Costs of the program and the driver around a radio, on their board's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// Time from the program's call to the radio's command.
    pub before_send: Duration,
    /// Time from the radio's completion of a frame until the program is ready with the next chunk.
    pub after_send: Duration,
    /// Time from the end of a frame to its payload in the program.
    pub receive: Duration,
}

/// One end of a link over raw IEEE 802.15.4 frames.
pub struct Ieee802154 {
    node: Rc<Node>,
    program: Program,
    host: Host,
    chunk: usize,
    /// Whether a failed frame is reported as lost; a program that ignores the result continues with
    /// the next chunk.
    report_failure: bool,
}

/// A chunk is too long for a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{len} B do not fit an IEEE 802.15.4 frame of at most {MAX_PAYLOAD} B")]
pub struct TooLong {
    /// Length of the chunk, bytes.
    pub len: usize,
}

impl Ieee802154 {
    /// Creates a link over `node`, with chunks of up to `chunk` bytes, limited to the capacity of a
    /// frame.
    #[must_use]
    pub fn new(node: &Rc<Node>, board: &Board, host: Host, chunk: usize) -> Self {
        let chunk = chunk.clamp(1, MAX_PAYLOAD);
        Self {
            node: Rc::clone(node),
            program: Program::new(board, &slices::HOST),
            host,
            chunk,
            report_failure: true,
        }
    }

    /// Configures a program that ignores the outcome of frames.
    #[must_use]
    pub const fn ignoring_failure(mut self) -> Self {
        self.report_failure = false;
        self
    }

    /// Sends one frame and returns its outcome.
    pub async fn transmit(&mut self, payload: &[u8]) -> Result<Outcome, TooLong> {
        self.program.spend(self.host.before_send).await;
        let outcome = self.node.transmit(payload).await.ok_or(TooLong { len: payload.len() })?;
        self.program.spend(self.host.after_send).await;
        Ok(outcome)
    }
}

impl Link for Ieee802154 {
    type Error = TooLong;

    fn capability(&self) -> Capability {
        let acknowledged = self.node.config().ack_request;
        Capability::datagram(self.chunk).acknowledged(acknowledged).duplex(true)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, TooLong> {
        Ok(match self.transmit(chunk).await? {
            Outcome::Acknowledged => Delivery::Confirmed,
            Outcome::Sent => Delivery::Sent,
            Outcome::NoAck | Outcome::ChannelAccessFailure if self.report_failure => Delivery::Lost,
            Outcome::NoAck | Outcome::ChannelAccessFailure => Delivery::Sent,
        })
    }

    async fn flush(&mut self) -> Result<Delivery, TooLong> {
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, TooLong> {
        let node = &self.node;
        let next = async |buffer: &mut [u8]| node.next_payload(buffer).await;
        Ok(self.program.receive(buffer, self.host.receive, next).await)
    }
}
