//! Chunks → check → the same message back.

use airlag_link::{Delivery, Link, chunks};

use crate::receiver::{Received, Sorter};

/// Sends every message that is right back to where it came from. `N` is the longest message, and at
/// least the link's largest chunk.
pub struct Responder<const N: usize> {
    sorter: Sorter<N>,
    chunk: [u8; N],
}

impl<const N: usize> Default for Responder<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Responder<N> {
    /// A responder that has seen nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { sorter: Sorter::new(), chunk: [0; N] }
    }

    /// What was received so far.
    #[must_use]
    pub const fn received(&self) -> Received {
        self.sorter.received()
    }

    /// Takes one chunk, and answers what it completes. A message the link gives up on is abandoned.
    pub async fn step<L: Link>(&mut self, link: &mut L) -> Result<(), L::Error> {
        let capability = link.capability();
        let got = link.receive(&mut self.chunk).await?.min(N);
        let mut rest = &self.chunk[..got];
        while !rest.is_empty() {
            if self.sorter.next(&mut rest, capability.stream).is_none() {
                continue;
            }
            for chunk in chunks(self.sorter.message(), capability.mtu) {
                if link.send(chunk).await? == Delivery::Lost {
                    break;
                }
            }
            link.flush().await?;
        }
        Ok(())
    }
}
