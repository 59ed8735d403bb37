//! Splits a message into chunks for the link and reassembles it.
//!
//! Chunks have no header of their own, so that a message of 128 bytes takes exactly four chunks of
//! 32 bytes. The receiver detects that a chunk is missing if the CRC of the message is wrong, or if
//! a new message begins before the previous message is complete. The receiver keeps the bytes of
//! the new message, so that a lost chunk costs one message and not two.

use crate::message::{self, HEADER_LEN, Header};

/// Pieces of `message`, in order, of at most `mtu` bytes.
pub fn chunks(message: &[u8], mtu: usize) -> impl Iterator<Item = &[u8]> {
    message.chunks(mtu.max(1))
}

/// Number of chunks for `len` bytes.
#[must_use]
pub const fn count(len: usize, mtu: usize) -> usize {
    len.div_ceil(if mtu == 0 { 1 } else { mtu })
}

/// Result of a received chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// A message is in progress and incomplete.
    Partial,
    /// A complete message with a correct CRC; [`Reassembler::message`] returns its bytes until the
    /// next chunk is pushed.
    Whole(Header),
    /// The message `sequence` ended with a wrong CRC: a piece is missing, duplicated or out of
    /// order.
    Damaged {
        /// Sequence number from its header.
        sequence: u16,
    },
    /// The first chunk of this chunk's message was missed, or the message is too long for the
    /// buffer.
    Orphan,
}

/// Reassembles chunks into messages of up to `N` bytes.
pub struct Reassembler<const N: usize> {
    bytes: [u8; N],
    held: usize,
    expected: Option<Header>,
    /// Number of bytes at the front of the buffer that belong to the message already returned.
    done: usize,
    /// Offsets of buffered chunks, after the first, that may begin a message.
    beginnings: [usize; BEGINNINGS],
    begun: usize,
}

/// Largest number of stored offsets: as many consecutive messages may arrive with their first chunk
/// only.
const BEGINNINGS: usize = 8;

impl<const N: usize> Default for Reassembler<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Reassembler<N> {
    /// Creates an empty reassembler.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            bytes: [0; N],
            held: 0,
            expected: None,
            done: 0,
            beginnings: [0; BEGINNINGS],
            begun: 0,
        }
    }

    /// Returns the message last returned as [`Seen::Whole`].
    #[must_use]
    pub fn message(&self) -> &[u8] {
        &self.bytes[..self.done]
    }

    /// Returns true if part of a message is buffered, so that the next chunk should continue it.
    #[must_use]
    pub const fn is_partial(&self) -> bool {
        self.expected.is_some() && self.done == 0
    }

    /// Processes the next chunk from the link and returns its effect.
    ///
    /// Padding after the end of a message is ignored.
    pub fn push(&mut self, chunk: &[u8]) -> Seen {
        if self.done > 0 {
            self.clear();
        }
        if self.expected.is_none() {
            if !self.begin_with(chunk) {
                return Seen::Orphan;
            }
        } else if self.begun < BEGINNINGS && Self::beginning(chunk).is_some() {
            self.beginnings[self.begun] = self.held;
            self.begun += 1;
        }
        let room = N - self.held;
        let taken = chunk.len().min(room);
        self.bytes[self.held..self.held + taken].copy_from_slice(&chunk[..taken]);
        self.held += taken;
        self.conclude(Self::salvage_chunks)
    }

    /// Processes the next bytes of a stream. `bytes` may begin and end anywhere in a message.
    /// Returns the result, and how many of `bytes` were consumed. The caller has to pass the
    /// remaining bytes to the next call.
    pub fn push_stream(&mut self, bytes: &[u8]) -> (Seen, usize) {
        if self.done > 0 {
            self.clear();
        }
        let mut used = 0;
        while self.expected.is_none() && used < bytes.len() {
            self.bytes[self.held] = bytes[used];
            (self.held, used) = (self.held + 1, used + 1);
            if self.held == HEADER_LEN && !self.recognise() {
                // Advance by one byte and try again.
                self.bytes.copy_within(1..HEADER_LEN, 0);
                self.held -= 1;
            }
        }
        let Some(expected) = self.expected else { return (Seen::Partial, used) };
        let taken = (usize::from(expected.length) - self.held).min(bytes.len() - used);
        self.bytes[self.held..self.held + taken].copy_from_slice(&bytes[used..used + taken]);
        self.held += taken;
        (self.conclude(Self::salvage_bytes), used + taken)
    }

    fn clear(&mut self) {
        (self.held, self.done, self.expected, self.begun) = (0, 0, None, 0);
    }

    fn begin_with(&mut self, chunk: &[u8]) -> bool {
        self.expected = Self::beginning(chunk);
        self.expected.is_some()
    }

    fn recognise(&mut self) -> bool {
        self.expected = Self::beginning(&self.bytes[..self.held]);
        self.expected.is_some()
    }

    /// Header at the front of `bytes`, if it is valid and its message fits the buffer.
    fn beginning(bytes: &[u8]) -> Option<Header> {
        Header::parse(bytes).filter(|header| usize::from(header.length) <= N)
    }

    /// Checks the message once it is complete. If it is damaged, `salvage` searches for another
    /// message in the buffer.
    fn conclude(&mut self, salvage: fn(&mut Self) -> bool) -> Seen {
        let Some(Header { sequence, .. }) = self.expected else { return Seen::Orphan };
        let mut first = true;
        while let Some(expected) = self.expected {
            let length = usize::from(expected.length);
            if self.held < length {
                return if first { Seen::Partial } else { Seen::Damaged { sequence } };
            }
            if message::check(&self.bytes[..length], expected).is_ok() {
                // A short message after a damaged one may already be complete.
                self.done = length;
                return Seen::Whole(expected);
            }
            first = false;
            if !salvage(self) {
                self.clear();
            }
        }
        Seen::Damaged { sequence }
    }

    /// Continues with the message at the next remembered offset, if any. Messages begin only where
    /// chunks begin, so bytes in the middle of a chunk that look like a header are ignored.
    fn salvage_chunks(&mut self) -> bool {
        if self.begun == 0 {
            return false;
        }
        let at = self.beginnings[0];
        self.begun -= 1;
        self.beginnings.copy_within(1.., 0);
        for later in &mut self.beginnings[..self.begun] {
            *later -= at;
        }
        self.drop_front(at);
        self.recognise()
    }

    /// Like [`Self::salvage_chunks`], for a stream, where a message may begin at any byte.
    fn salvage_bytes(&mut self) -> bool {
        for at in 1..self.held.saturating_sub(HEADER_LEN - 1) {
            if Self::beginning(&self.bytes[at..self.held]).is_some() {
                self.drop_front(at);
                return self.recognise();
            }
        }
        false
    }

    fn drop_front(&mut self, bytes: usize) {
        self.bytes.copy_within(bytes..self.held, 0);
        self.held -= bytes;
    }
}

#[cfg(test)]
mod tests;
