//! Processor time a program spends around its link.
//!
//! Virtual time charges nothing for computing, so a wrapper around the link does: neither the
//! program nor the driver knows.

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::{Duration, Instant, Stream};

use super::board::Board;
use crate::slices;

/// What the program costs, on its board's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Before each chunk is handed to the link.
    pub before_send: Duration,
    /// After the last confirmation of a chunk, before the program goes on.
    pub after_send: Duration,
    /// For each byte received: copying, CRC, comparing.
    pub per_byte: Duration,
    /// From a chunk's last byte to asking the link for the next one.
    pub before_receive: Duration,
    /// What is added to that at most while chunks follow each other, each nanosecond equally
    /// likely.
    pub before_receive_jitter: Duration,
    /// How soon a chunk must follow the one before to count as following it.
    pub busy: Duration,
}

/// A link whose use costs processor time.
pub struct Costed<L> {
    link: L,
    board: Board,
    costs: Costs,
    stream: Stream,
    /// When the last chunk was handed on, and whether it followed another.
    last: Option<(Instant, bool)>,
}

impl<L: Link> Costed<L> {
    /// Charges `costs` on `board` for using `link`.
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
