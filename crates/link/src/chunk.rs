//! Splits a message at the link's largest chunk and puts it together again.
//!
//! Chunks carry no header of their own: 128 bytes over a link of 32 are exactly four chunks. What
//! went missing shows when the CRC fails, or when a message begins in the middle of another. The
//! bytes behind such a beginning are kept, so one lost chunk costs one message and not two.

use crate::message::{self, HEADER_LEN, Header};

/// The pieces of `message`, in order, none longer than `mtu` bytes.
pub fn chunks(message: &[u8], mtu: usize) -> impl Iterator<Item = &[u8]> {
    message.chunks(mtu.max(1))
}

/// How many chunks `len` bytes take.
#[must_use]
pub const fn count(len: usize, mtu: usize) -> usize {
    len.div_ceil(if mtu == 0 { 1 } else { mtu })
}

/// What a chunk told the receiving side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// A message is under way and still incomplete.
    Partial,
    /// A whole message with a right CRC; [`Reassembler::message`] has its bytes until the next
    /// chunk is pushed.
    Whole(Header),
    /// The message `sequence` ended with a wrong CRC: a piece is missing, doubled or out of order.
    Damaged {
        /// Its sequence number, as its header said.
        sequence: u16,
    },
    /// The chunk belongs to a message whose beginning was not seen, or that is too long to hold.
    Orphan,
}

/// Collects chunks into messages of up to `N` bytes.
pub struct Reassembler<const N: usize> {
    bytes: [u8; N],
    held: usize,
    expected: Option<Header>,
    /// Bytes at the front that belong to the message already reported.
    done: usize,
}

impl<const N: usize> Default for Reassembler<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Reassembler<N> {
    /// Nothing under way.
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: [0; N], held: 0, expected: None, done: 0 }
    }

    /// The message just reported as [`Seen::Whole`].
    #[must_use]
    pub fn message(&self) -> &[u8] {
        &self.bytes[..self.done]
    }

    /// True if part of a message is held: the next chunk is expected to continue it.
    #[must_use]
    pub const fn is_partial(&self) -> bool {
        self.expected.is_some() && self.done == 0
    }

    /// Takes the next chunk as it came from the link.
    ///
    /// Whatever a padded link added behind the end of a message is ignored.
    pub fn push(&mut self, chunk: &[u8]) -> Seen {
        if self.done > 0 {
            self.clear();
        }
        if self.expected.is_none() && !self.begin_with(chunk) {
            return Seen::Orphan;
        }
        let room = N - self.held;
        let taken = chunk.len().min(room);
        self.bytes[self.held..self.held + taken].copy_from_slice(&chunk[..taken]);
        self.held += taken;
        self.conclude()
    }

    /// Takes bytes of a stream: any number, with no regard to where a message begins. Returns what
    /// was seen and how many of `bytes` were used; push the rest again.
    pub fn push_stream(&mut self, bytes: &[u8]) -> (Seen, usize) {
        if self.done > 0 {
            self.clear();
        }
        let mut used = 0;
        while self.expected.is_none() && used < bytes.len() {
            self.bytes[self.held] = bytes[used];
            (self.held, used) = (self.held + 1, used + 1);
            if self.held == HEADER_LEN && !self.recognise() {
                // Slide by one byte and look again.
                self.bytes.copy_within(1..HEADER_LEN, 0);
                self.held -= 1;
            }
        }
        let Some(expected) = self.expected else { return (Seen::Partial, used) };
        let taken = (usize::from(expected.length) - self.held).min(bytes.len() - used);
        self.bytes[self.held..self.held + taken].copy_from_slice(&bytes[used..used + taken]);
        self.held += taken;
        (self.conclude(), used + taken)
    }

    fn clear(&mut self) {
        (self.held, self.done, self.expected) = (0, 0, None);
    }

    fn begin_with(&mut self, chunk: &[u8]) -> bool {
        self.expected = Header::parse(chunk).filter(|header| usize::from(header.length) <= N);
        self.expected.is_some()
    }

    fn recognise(&mut self) -> bool {
        self.expected =
            Header::parse(&self.bytes[..self.held]).filter(|h| usize::from(h.length) <= N);
        self.expected.is_some()
    }

    /// Judges the message if all of it is there.
    fn conclude(&mut self) -> Seen {
        let Some(expected) = self.expected else { return Seen::Orphan };
        let length = usize::from(expected.length);
        if self.held < length {
            return Seen::Partial;
        }
        if message::open(&self.bytes[..length]).is_ok() {
            self.done = length;
            return Seen::Whole(expected);
        }
        self.salvage(expected.sequence)
    }

    /// The held bytes are not the message they claimed to be. If another message begins somewhere
    /// behind, go on with that one.
    fn salvage(&mut self, sequence: u16) -> Seen {
        for at in 1..self.held.saturating_sub(HEADER_LEN - 1) {
            let found = Header::parse(&self.bytes[at..self.held])
                .filter(|header| usize::from(header.length) <= N);
            if let Some(header) = found {
                self.bytes.copy_within(at..self.held, 0);
                self.held -= at;
                self.expected = Some(header);
                let length = usize::from(header.length);
                if self.held >= length {
                    // A short message behind a damaged one is already complete.
                    if message::open(&self.bytes[..length]).is_ok() {
                        self.done = length;
                        return Seen::Whole(header);
                    }
                    return self.salvage(sequence);
                }
                return Seen::Damaged { sequence };
            }
        }
        self.clear();
        Seen::Damaged { sequence }
    }
}

#[cfg(test)]
mod tests;
