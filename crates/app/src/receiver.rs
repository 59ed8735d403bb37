//! Chunks → check → strobe.

use airlag_link::{Link, Reassembler, Seen, message};
use embedded_hal::digital::OutputPin;

/// Reason why a receiver stopped.
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

/// Counters of a receiver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Received {
    /// Messages with correct content.
    pub messages: u32,
    /// Messages with a wrong CRC, or with a body other than that of the test message.
    pub damaged: u32,
    /// Chunks that belonged to no message.
    pub orphans: u32,
}

/// Reassembles chunks into messages and counts them.
pub struct Sorter<const N: usize> {
    reassembler: Reassembler<N>,
    count: Received,
}

impl<const N: usize> Default for Sorter<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Sorter<N> {
    /// Creates an empty sorter.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            reassembler: Reassembler::new(),
            count: Received { messages: 0, damaged: 0, orphans: 0 },
        }
    }

    /// Counters so far.
    #[must_use]
    pub const fn received(&self) -> Received {
        self.count
    }

    /// Returns the last complete message.
    #[must_use]
    pub fn message(&self) -> &[u8] {
        self.reassembler.message()
    }

    /// Processes a chunk, or a piece of a stream. Calls `right` with the sequence number of every
    /// correct message.
    pub fn sort(&mut self, chunk: &[u8], stream: bool, mut right: impl FnMut(u16)) {
        let mut rest = chunk;
        while !rest.is_empty() {
            if let Some(sequence) = self.next(&mut rest, stream) {
                right(sequence);
            }
        }
    }

    /// Consumes the front of `rest` up to the next boundary. Returns the sequence number of a
    /// message that it completes correctly.
    pub fn next(&mut self, rest: &mut &[u8], stream: bool) -> Option<u16> {
        let (seen, used) = if stream {
            self.reassembler.push_stream(rest)
        } else {
            (self.reassembler.push(rest), rest.len())
        };
        *rest = &rest[used..];
        self.judge(seen)
    }

    /// Sequence number of a correct message.
    fn judge(&mut self, seen: Seen) -> Option<u16> {
        match seen {
            Seen::Whole(header) => {
                let right = message::is_test(self.reassembler.message(), header.sequence);
                let count = if right { &mut self.count.messages } else { &mut self.count.damaged };
                *count = count.wrapping_add(1);
                right.then_some(header.sequence)
            }
            Seen::Damaged { .. } => {
                self.count.damaged = self.count.damaged.wrapping_add(1);
                None
            }
            Seen::Orphan => {
                self.count.orphans = self.count.orphans.wrapping_add(1);
                None
            }
            Seen::Partial => None,
        }
    }
}

/// Raises a strobe for every correct message. `N` is the longest message, and at least the link's
/// largest chunk.
pub struct Receiver<const N: usize> {
    sorter: Sorter<N>,
    chunk: [u8; N],
}

impl<const N: usize> Default for Receiver<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Receiver<N> {
    /// Creates a receiver.
    #[must_use]
    pub const fn new() -> Self {
        Self { sorter: Sorter::new(), chunk: [0; N] }
    }

    /// Counters so far.
    #[must_use]
    pub const fn received(&self) -> Received {
        self.sorter.received()
    }

    /// Receives until an error.
    pub async fn run<L: Link, S: OutputPin>(
        &mut self,
        link: &mut L,
        strobe: &mut S,
    ) -> ReceiveError<L::Error, S::Error> {
        loop {
            if let Err(error) = self.step(link, strobe, |_| ()).await {
                return error;
            }
        }
    }

    /// Processes one chunk. The strobe is low again when this function returns. Calls `right` with
    /// the sequence number of each message before its strobe.
    pub async fn step<L: Link, S: OutputPin>(
        &mut self,
        link: &mut L,
        strobe: &mut S,
        mut right: impl FnMut(u16),
    ) -> Result<(), ReceiveError<L::Error, S::Error>> {
        let stream = link.capability().stream;
        let got = link.receive(&mut self.chunk).await.map_err(ReceiveError::Link)?.min(N);
        let mut rest = &self.chunk[..got];
        while !rest.is_empty() {
            if let Some(sequence) = self.sorter.next(&mut rest, stream) {
                right(sequence);
                strobe.set_high().map_err(ReceiveError::Strobe)?;
                strobe.set_low().map_err(ReceiveError::Strobe)?;
            }
        }
        Ok(())
    }
}
