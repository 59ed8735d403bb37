//! A station's UDP socket, as a link of datagrams.

use std::convert::Infallible;
use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link};

use super::adaptation::MAX_PAYLOAD;
use super::slices;
use super::station::Station;

/// One end.
pub struct Thread(Rc<Station>);

impl Thread {
    /// The socket of `station`.
    #[must_use]
    pub fn new(station: &Rc<Station>) -> Self {
        Self(Rc::clone(station))
    }
}

impl Link for Thread {
    type Error = Infallible;

    fn capability(&self) -> Capability {
        Capability::datagram(self.0.config.datagram.clamp(1, MAX_PAYLOAD)).duplex(true)
    }

    /// A datagram that found no buffer is lost, and the program knows; one that the stack drops later is
    /// not known to be.
    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Infallible> {
        let taken = self.0.offer(chunk).await;
        let pace = self.0.config.costs.pace;
        if !pace.is_zero() {
            self.0.board.spend(&slices::PACE, pace).await;
        }
        Ok(if taken { Delivery::Sent } else { Delivery::Lost })
    }

    /// What a datagram's program never learns is not waited for.
    async fn flush(&mut self) -> Result<Delivery, Infallible> {
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        Ok(self.0.next_datagram(buffer).await)
    }
}
