//! A node and the program around it, as a link.

use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::Duration;

use super::config::Role;
use super::node::Node;
use super::slices;
use crate::mcu::Board;
use crate::stack::frames::Program;

/// Costs of the program and the library around a radio, on their board's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// Time from the program's call to the start of the radio (`esb_write_payload`).
    pub send: Duration,
    /// Time from the end of a packet to its payload in the program: interrupts, event handler, and
    /// `esb_read_rx_payload`.
    pub receive: Duration,
}

/// One end of a link.
pub struct Esb {
    node: Rc<Node>,
    program: Program,
    host: Host,
}

/// Reason why a chunk cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The chunk is too long.
    #[error("{len} B do not fit a packet of at most {most} B")]
    TooLong {
        /// Length of the chunk, bytes.
        len: usize,
        /// Longest payload, bytes.
        most: usize,
    },
    /// A primary receiver sends no packets of its own.
    #[error("a primary receiver sends acknowledgements only")]
    Receiver,
}

impl Esb {
    /// Creates a link over `node`.
    #[must_use]
    pub fn new(node: &Rc<Node>, board: &Board, host: Host) -> Self {
        Self { node: Rc::clone(node), program: Program::new(board, &slices::HOST), host }
    }

    fn delivery(&self) -> Delivery {
        let results = self.node.take_results();
        if results.lost > 0 { Delivery::Lost } else { Delivery::Sent }
    }
}

impl Link for Esb {
    type Error = Refused;

    fn capability(&self) -> Capability {
        let config = self.node.config();
        Capability::datagram(config.format.longest).acknowledged(config.acknowledge)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Refused> {
        let config = self.node.config();
        if config.role == Role::Receiver {
            return Err(Refused::Receiver);
        }
        let (len, most) = (chunk.len(), config.format.longest);
        if len > most {
            return Err(Refused::TooLong { len, most });
        }
        self.program.spend(self.host.send).await;
        self.node.queue(chunk).await;
        Ok(self.delivery())
    }

    async fn flush(&mut self) -> Result<Delivery, Refused> {
        self.node.drain().await;
        let acknowledged = self.node.config().acknowledge;
        Ok(match self.delivery() {
            Delivery::Sent if acknowledged => Delivery::Confirmed,
            delivery => delivery,
        })
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Refused> {
        let node = &self.node;
        let next = async |buffer: &mut [u8]| node.next_payload(buffer).await;
        Ok(self.program.receive(buffer, self.host.receive, next).await)
    }
}
