//! A node and the program around it, as a link.

use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::Duration;

use super::frame::MAX_PAYLOAD;
use super::node::{Node, Outcome};
use super::slices;
use crate::mcu::Board;
use crate::stack::frames::Program;

/// What the program and the driver around a radio cost, on their board's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// From being asked to send to the radio being told.
    pub before_send: Duration,
    /// From the radio being done with a frame to the program being ready with the next chunk.
    pub after_send: Duration,
    /// From the end of a frame to the program having its payload.
    pub receive: Duration,
}

/// One end of a link over raw IEEE 802.15.4 frames.
pub struct Ieee802154 {
    node: Rc<Node>,
    program: Program,
    host: Host,
    chunk: usize,
    /// Whether a frame that failed is reported as lost; a program that does not look at the result
    /// goes on with the next chunk.
    report_failure: bool,
}

/// A chunk that does not fit a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{len} B do not fit a frame of IEEE 802.15.4, which holds {MAX_PAYLOAD} B")]
pub struct TooLong {
    /// Bytes given.
    pub len: usize,
}

impl Ieee802154 {
    /// Sends and receives through `node`, with chunks of up to `chunk` bytes and never more than a
    /// frame holds.
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

    /// The same for a program that does not look at what became of a frame.
    #[must_use]
    pub const fn ignoring_failure(mut self) -> Self {
        self.report_failure = false;
        self
    }

    /// Sends one frame and says what became of it.
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
