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

/// Puts chunks together to messages, and counts what came.
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
    /// A sorter that has seen nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            reassembler: Reassembler::new(),
            count: Received { messages: 0, damaged: 0, orphans: 0 },
        }
    }

    /// What was received so far.
    #[must_use]
    pub const fn received(&self) -> Received {
        self.count
    }

    /// The message that was completed last.
    #[must_use]
    pub fn message(&self) -> &[u8] {
        self.reassembler.message()
    }

    /// Takes a chunk, or a piece of a stream; `right` is told the sequence number of every message
    /// of which every byte is right.
    pub fn sort(&mut self, chunk: &[u8], stream: bool, mut right: impl FnMut(u16)) {
        let mut rest = chunk;
        while !rest.is_empty() {
            if let Some(sequence) = self.next(&mut rest, stream) {
                right(sequence);
            }
        }
    }

    /// Takes as much of `rest` as belongs together; the sequence number of a message that it
    /// completes and of which every byte is right.
    pub fn next(&mut self, rest: &mut &[u8], stream: bool) -> Option<u16> {
        let (seen, used) = if stream {
            self.reassembler.push_stream(rest)
        } else {
            (self.reassembler.push(rest), rest.len())
        };
        *rest = &rest[used..];
        self.judge(seen)
    }

    /// The number of a message of which every byte is right.
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

/// Raises a strobe for every message that is right. `N` is the longest message, and at least the
/// link's largest chunk.
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
    /// A receiver that has seen nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { sorter: Sorter::new(), chunk: [0; N] }
    }

    /// What was received so far.
    #[must_use]
    pub const fn received(&self) -> Received {
        self.sorter.received()
    }

    /// Receives for ever.
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

    /// Takes one chunk. The strobe is low again when this returns. Calls `right` with the sequence
    /// number of each message before its strobe.
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
