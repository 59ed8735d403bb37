//! A station's UDP socket as a datagram link.

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
    /// Earliest handover of the next datagram by the program.
    ready: Instant,
}

impl Thread {
    /// Creates the link of `station`.
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

    /// Datagrams follow each other at the program's pace, which does not delay return traffic. A
    /// datagram without a buffer is reported as lost; one that the stack drops later is not.
    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Infallible> {
        let board = &self.station.board;
        if self.ready > board.sim().now() {
            board.spend_until(&slices::PACE, self.ready).await;
        }
        let taken = self.station.offer(chunk).await;
        self.ready = board.sim().now() + self.station.config.costs.pace;
        Ok(if taken { Delivery::Sent } else { Delivery::Lost })
    }

    /// Later losses are not reported, so there is nothing to wait for.
    async fn flush(&mut self) -> Result<Delivery, Infallible> {
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        Ok(self.station.next_datagram(buffer).await)
    }
}
