//! A station's UDP socket, as a link of datagrams.

use std::convert::Infallible;
use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::Instant;

use super::adaptation::MAX_PAYLOAD;
use super::slices;
use super::station::Station;

/// One end.
pub struct Thread {
    station: Rc<Station>,
    /// When the program hands the next datagram over at the earliest.
    ready: Instant,
}

impl Thread {
    /// The socket of `station`.
    #[must_use]
    pub fn new(station: &Rc<Station>) -> Self {
        Self { station: Rc::clone(station), ready: Instant::START }
    }
}

impl Link for Thread {
    type Error = Infallible;

    fn capability(&self) -> Capability {
        Capability::datagram(self.station.config.datagram.clamp(1, MAX_PAYLOAD)).duplex(true)
    }

    /// Datagrams follow each other at the program's pace, which holds up nothing that comes back meanwhile. One
    /// that found no buffer is lost, and the program knows; one that the stack drops later is
    /// not known to be.
    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Infallible> {
        let board = &self.station.board;
        if self.ready > board.sim().now() {
            board.spend_until(&slices::PACE, self.ready).await;
        }
        let taken = self.station.offer(chunk).await;
        self.ready = board.sim().now() + self.station.config.costs.pace;
        Ok(if taken { Delivery::Sent } else { Delivery::Lost })
    }

    /// What a datagram's program never learns is not waited for.
    async fn flush(&mut self) -> Result<Delivery, Infallible> {
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        Ok(self.station.next_datagram(buffer).await)
    }
}
