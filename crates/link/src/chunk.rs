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
    /// Where held chunks begin that look like the beginning of a message, behind the first.
    beginnings: [usize; BEGINNINGS],
    begun: usize,
}

/// Beginnings remembered: messages of which only the first chunk came, in a row.
const BEGINNINGS: usize = 8;

impl<const N: usize> Default for Reassembler<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Reassembler<N> {
    /// Nothing under way.
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

    /// The header at the front of `bytes`, if it is one and its message can be held.
    fn beginning(bytes: &[u8]) -> Option<Header> {
        Header::parse(bytes).filter(|header| usize::from(header.length) <= N)
    }

    /// Judges the message if all of it is there. If it is not what it claimed to be, `salvage` says
    /// where to look for another one behind.
    fn conclude(&mut self, salvage: fn(&mut Self) -> bool) -> Seen {
        let Some(Header { sequence, .. }) = self.expected else { return Seen::Orphan };
        let mut first = true;
        while let Some(expected) = self.expected {
            let length = usize::from(expected.length);
            if self.held < length {
                return if first { Seen::Partial } else { Seen::Damaged { sequence } };
            }
            if message::open(&self.bytes[..length]).is_ok() {
                // A short message behind a damaged one may be complete already.
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

    /// Goes on with the message that begins at the next beginning behind, if there is one. Messages
    /// begin where chunks begin: a byte in the middle of one that looks like a header is none.
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

    /// The same in a stream, where a message may begin at any byte.
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
