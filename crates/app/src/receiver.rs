//! Chunks → check → strobe.

use airlag_link::{Link, Reassembler, Seen, message};
use embedded_hal::digital::OutputPin;

/// Why a receiver stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReceiveError<L, S> {
    /// The link could not be used.
    #[error("the link failed")]
    Link(L),
    /// The strobe output could not be driven.
    #[error("the strobe output failed")]
    Strobe(S),
}

/// What a receiver counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Received {
    /// Messages whose every byte was right.
    pub messages: u32,
    /// Messages whose CRC was wrong, or whose body was not that of the test message.
    pub damaged: u32,
    /// Chunks that belonged to no message.
    pub orphans: u32,
}

/// Raises a strobe for every message that is right. `N` is the longest message, and at least the
/// link's largest chunk.
pub struct Receiver<const N: usize> {
    reassembler: Reassembler<N>,
    chunk: [u8; N],
    count: Received,
}

impl<const N: usize> Default for Receiver<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Receiver<N> {
    /// A receiver that has seen nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            reassembler: Reassembler::new(),
            chunk: [0; N],
            count: Received { messages: 0, damaged: 0, orphans: 0 },
        }
    }

    /// What was received so far.
    #[must_use]
    pub const fn received(&self) -> Received {
        self.count
    }

    /// Receives for ever.
    pub async fn run<L: Link, S: OutputPin>(
        &mut self,
        link: &mut L,
        strobe: &mut S,
    ) -> ReceiveError<L::Error, S::Error> {
        loop {
            if let Err(error) = self.step(link, strobe).await {
                return error;
            }
        }
    }

    /// Takes one chunk. The strobe is low again when this returns.
    pub async fn step<L: Link, S: OutputPin>(
        &mut self,
        link: &mut L,
        strobe: &mut S,
    ) -> Result<(), ReceiveError<L::Error, S::Error>> {
        let stream = link.capability().stream;
        let got = link.receive(&mut self.chunk).await.map_err(ReceiveError::Link)?.min(N);
        let mut rest = 0;
        while rest < got {
            let seen = if stream {
                let (seen, used) = self.reassembler.push_stream(&self.chunk[rest..got]);
                rest += used;
                seen
            } else {
                rest = got;
                self.reassembler.push(&self.chunk[..got])
            };
            if self.judge(seen) {
                strobe.set_high().map_err(ReceiveError::Strobe)?;
                strobe.set_low().map_err(ReceiveError::Strobe)?;
            }
        }
        Ok(())
    }

    /// True if `seen` is a message of which every byte is right.
    fn judge(&mut self, seen: Seen) -> bool {
        match seen {
            Seen::Whole(header) => {
                let right = message::is_test(self.reassembler.message(), header.sequence);
                let count = if right { &mut self.count.messages } else { &mut self.count.damaged };
                *count = count.wrapping_add(1);
                right
            }
            Seen::Damaged { .. } => {
                self.count.damaged = self.count.damaged.wrapping_add(1);
                false
            }
            Seen::Orphan => {
                self.count.orphans = self.count.orphans.wrapping_add(1);
                false
            }
            Seen::Partial => false,
        }
    }
}
