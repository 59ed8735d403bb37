//! Chunks → check → the same message back.

use airlag_link::{Delivery, Link, chunks};

use crate::receiver::{Received, Sorter};

/// Returns every correct message to its sender. `N` is the longest message, and at least the link's
/// largest chunk.
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
    /// Creates a responder.
    #[must_use]
    pub const fn new() -> Self {
        Self { sorter: Sorter::new(), chunk: [0; N] }
    }

    /// Counters so far.
    #[must_use]
    pub const fn received(&self) -> Received {
        self.sorter.received()
    }

    /// Processes one chunk and responds to the message that it completes. A message that the link
    /// gives up is abandoned.
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
