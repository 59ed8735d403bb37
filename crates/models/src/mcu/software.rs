//! Processor time of a program around its link.
//!
//! Program code takes no virtual time on the bench. A wrapper around the link adds the time,
//! without changes to program or driver.

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::{Duration, Instant, Stream};

use super::board::Board;
use crate::slices;

/// Processing costs of the program, on its board's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Processor time before the handover of each chunk to the link.
    pub before_send: Duration,
    /// Processor time after the last confirmation of a chunk, before the program continues.
    pub after_send: Duration,
    /// Time per byte received: copying, CRC, comparing.
    pub per_byte: Duration,
    /// Time from a chunk's last byte to the request for the next one.
    pub before_receive: Duration,
    /// Largest additional delay between successive chunks; uniformly distributed.
    pub before_receive_jitter: Duration,
    /// Longest gap between chunks that count as successive.
    pub busy: Duration,
}

/// A link whose use costs processor time.
pub struct Costed<L> {
    link: L,
    board: Board,
    costs: Costs,
    stream: Stream,
    /// Time of the last delivered chunk, and whether it followed another one.
    last: Option<(Instant, bool)>,
}

impl<L: Link> Costed<L> {
    /// Charges `costs` to `board` for each use of `link`.
    #[must_use]
    pub fn new(board: &Board, link: L, costs: Costs) -> Self {
        let stream = board.stream("software");
        Self { link, board: board.clone(), costs, stream, last: None }
    }

    async fn spend(&self, wait: Duration) {
        if !wait.is_zero() {
            self.board.spend(&slices::SOFTWARE, wait).await;
        }
    }
}

impl<L: Link> Link for Costed<L> {
    type Error = L::Error;

    fn capability(&self) -> Capability {
        self.link.capability()
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, L::Error> {
        self.spend(self.costs.before_send).await;
        let delivery = self.link.send(chunk).await?;
        self.spend(self.costs.after_send).await;
        Ok(delivery)
    }

    async fn flush(&mut self) -> Result<Delivery, L::Error> {
        self.link.flush().await
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, L::Error> {
        if let Some((_, followed)) = self.last {
            let jitter = if followed { self.costs.before_receive_jitter } else { Duration::ZERO };
            let jitter = self.stream.within(jitter);
            self.spend(self.costs.before_receive + jitter).await;
        }
        let got = self.link.receive(buffer).await?;
        let now = self.board.sim().now();
        let followed = self.last.is_some_and(|(last, _)| now.since(last) <= self.costs.busy);
        self.last = Some((now, followed));
        self.spend(self.costs.per_byte * got as u64).await;
        Ok(got)
    }
}
