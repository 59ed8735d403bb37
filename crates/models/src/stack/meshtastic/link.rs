//! A node's program as a datagram link.

use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link};

use super::config::Host;
use super::node::{Node, Results};
use super::slices;
use crate::mcu::Board;
use crate::stack::frames::Program;

/// A chunk is too long for a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{len} B do not fit a message of at most {most} B")]
pub struct TooLong {
    /// Length of the chunk, bytes.
    pub len: usize,
    /// Longest data of a message, bytes.
    pub most: usize,
}

/// One end.
pub struct Meshtastic {
    node: Rc<Node>,
    program: Program,
    host: Host,
    chunk: usize,
    /// Whether only relays acknowledged the messages since the last flush.
    is_implicit: bool,
}

impl Meshtastic {
    /// Creates the end on the board of `node`, which divides its data into messages of at most `chunk`
    /// bytes.
    #[must_use]
    pub fn new(node: &Rc<Node>, board: &Board, host: Host, chunk: usize) -> Self {
        let program = Program::new(board, &slices::HOST);
        Self { node: Rc::clone(node), program, host, chunk, is_implicit: false }
    }

    fn most(&self) -> usize {
        self.chunk.clamp(1, self.node.config().most())
    }

    fn delivery(&mut self) -> Delivery {
        let Results { lost, implicit, .. } = self.node.take_results();
        self.is_implicit |= implicit > 0;
        if lost > 0 { Delivery::Lost } else { Delivery::Sent }
    }
}

impl Link for Meshtastic {
    type Error = TooLong;

    fn capability(&self) -> Capability {
        let acknowledged = self.node.config().acknowledged;
        Capability::datagram(self.most()).acknowledged(acknowledged).duplex(true)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, TooLong> {
        let (len, most) = (chunk.len(), self.most());
        if len > most {
            return Err(TooLong { len, most });
        }
        // The copies of the previous message that relays send would collide with this one.
        self.node.confirm(self.host.patience).await;
        self.program.spend(self.host.send).await;
        self.node.queue(chunk).await;
        Ok(self.delivery())
    }

    async fn flush(&mut self) -> Result<Delivery, TooLong> {
        self.node.drain().await;
        let delivery = self.delivery();
        let is_implicit = core::mem::take(&mut self.is_implicit);
        // A copy from a relay does not prove that a message has arrived.
        let confirms = self.node.config().acknowledged && !is_implicit;
        Ok(match delivery {
            Delivery::Sent if confirms => Delivery::Confirmed,
            delivery => delivery,
        })
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, TooLong> {
        let node = &self.node;
        let next = async |buffer: &mut [u8]| node.next_data(buffer).await;
        Ok(self.program.receive(buffer, self.host.receive, next).await)
    }
}
