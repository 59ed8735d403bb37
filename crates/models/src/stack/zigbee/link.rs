//! A device's program as a datagram link.

use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link};

use super::config::Host;
use super::slices;
use super::station::Station;
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
pub struct Zigbee {
    station: Rc<Station>,
    program: Program,
    host: Host,
    chunk: usize,
}

impl Zigbee {
    /// Creates the end of `station`, which divides its data into messages of at most `chunk` bytes.
    #[must_use]
    pub fn new(station: &Rc<Station>, host: Host, chunk: usize) -> Self {
        let program = Program::new(&station.board, &slices::HOST);
        Self { station: Rc::clone(station), program, host, chunk }
    }

    fn most(&self) -> usize {
        self.chunk.clamp(1, self.station.config().format.room())
    }

    fn delivery(&self, otherwise: Delivery) -> Delivery {
        let results = self.station.results.take();
        if results.lost > 0 { Delivery::Lost } else { otherwise }
    }
}

impl Link for Zigbee {
    type Error = TooLong;

    fn capability(&self) -> Capability {
        let acknowledged = self.station.config().aps_ack;
        Capability::datagram(self.most()).acknowledged(acknowledged).duplex(true)
    }

    /// Hands a message over. The program prepares it when the previous one has been confirmed or
    /// given up.
    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, TooLong> {
        let (len, most) = (chunk.len(), self.most());
        if len > most {
            return Err(TooLong { len, most });
        }
        self.station.drain().await;
        self.program.spend(self.host.send).await;
        self.station.offer(chunk).await;
        Ok(self.delivery(Delivery::Sent))
    }

    async fn flush(&mut self) -> Result<Delivery, TooLong> {
        self.station.drain().await;
        let acknowledged = self.station.config().aps_ack;
        Ok(self.delivery(if acknowledged { Delivery::Confirmed } else { Delivery::Sent }))
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, TooLong> {
        let station = &self.station;
        let next = async |buffer: &mut [u8]| station.next_message(buffer).await;
        Ok(self.program.receive(buffer, self.host.receive, next).await)
    }
}
