//! Reassembly of payloads from containers, with all checks.
//!
//! One payload is assembled at a time, because both ends send the containers of one payload after those of
//! the previous payload. The buffer has a fixed size, independent of the declared length.

use crate::Instant;
use crate::container::{Container, Kind};

/// Reason why a container is rejected together with its payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// The payload exceeds the buffer.
    #[error("a payload of {total} B exceeds the buffer of {room} B")]
    TooLong {
        /// Length in the first container, bytes.
        total: usize,
        /// Size of the buffer, bytes.
        room: usize,
    },
    /// A preceding container is missing, or a container was repeated.
    #[error("received container {got}, expected container {expected}")]
    OutOfSequence {
        /// Expected sequence number.
        expected: u8,
        /// Received sequence number.
        got: u8,
    },
    /// The first container of the payload is missing or was rejected.
    #[error("a container without the first container of its payload")]
    NoBeginning,
    /// The containers have more bytes than the first one declared.
    #[error("a payload with more than its declared {total} B")]
    Overrun {
        /// Length in the first container, bytes.
        total: usize,
    },
    /// A later container without bytes. An endless sequence of such containers would make no
    /// progress.
    #[error("a container without payload")]
    Empty,
}

#[derive(Clone, Copy, Debug)]
struct Partial {
    transaction: u8,
    /// Sequence number of the next container.
    next: u8,
    total: usize,
    got: usize,
    /// Time of its last container.
    heard: Instant,
}

/// Assembles payloads in a buffer.
#[derive(Clone, Debug)]
pub struct Assembler<B> {
    buffer: B,
    partial: Option<Partial>,
}

impl<B: AsRef<[u8]> + AsMut<[u8]>> Assembler<B> {
    /// Creates an assembler for payloads of up to the length of `buffer`.
    #[must_use]
    pub const fn new(buffer: B) -> Self {
        Self { buffer, partial: None }
    }

    /// Size of the buffer, bytes.
    #[must_use]
    pub fn room(&self) -> usize {
        self.buffer.as_ref().len()
    }

    /// Discards an incomplete payload.
    pub fn reset(&mut self) {
        self.partial = None;
    }

    /// Transaction of the incomplete payload, if any.
    #[must_use]
    pub fn under_way(&self) -> Option<u8> {
        self.partial.map(|partial| partial.transaction)
    }

    /// Discards a payload without a new container for `patience_ns`. Returns the transaction of the
    /// discarded payload.
    pub fn expire(&mut self, now: Instant, patience_ns: u64) -> Option<u8> {
        let late = |partial: &mut Partial| now.since(partial.heard) > patience_ns;
        self.partial.take_if(late).map(|partial| partial.transaction)
    }

    /// Processes a container other than a control message. Returns the payload that it completes.
    ///
    /// # Errors
    ///
    /// [`Refused`]: the container is rejected, and the payload so far is discarded.
    pub fn feed(
        &mut self,
        container: &Container<'_>,
        now: Instant,
    ) -> Result<Option<&mut [u8]>, Refused> {
        let partial = match container.kind {
            Kind::First { total } => self.begin(container, usize::from(total), now)?,
            Kind::Next => self.go_on(container, now)?,
            Kind::Control(_) => return Ok(None),
        };
        let end = partial.got + container.payload.len();
        if end > partial.total {
            return Err(Refused::Overrun { total: partial.total });
        }
        self.buffer.as_mut()[partial.got..end].copy_from_slice(container.payload);
        if end == partial.total {
            return Ok(Some(&mut self.buffer.as_mut()[..end]));
        }
        self.partial = Some(Partial { got: end, ..partial });
        Ok(None)
    }

    fn begin(
        &mut self,
        first: &Container<'_>,
        total: usize,
        now: Instant,
    ) -> Result<Partial, Refused> {
        // A new payload replaces an unfinished one.
        self.partial = None;
        let room = self.room();
        if total > room {
            return Err(Refused::TooLong { total, room });
        }
        if first.sequence != 0 {
            return Err(Refused::OutOfSequence { expected: 0, got: first.sequence });
        }
        Ok(Partial { transaction: first.transaction, next: 1, total, got: 0, heard: now })
    }

    fn go_on(&mut self, next: &Container<'_>, now: Instant) -> Result<Partial, Refused> {
        let ours = |partial: &mut Partial| partial.transaction == next.transaction;
        let partial = self.partial.take_if(ours).ok_or(Refused::NoBeginning)?;
        let (expected, got) = (partial.next, next.sequence);
        // After 256 containers there are no more sequence numbers.
        if got != expected || expected == 0 {
            return Err(Refused::OutOfSequence { expected, got });
        }
        if next.payload.is_empty() {
            return Err(Refused::Empty);
        }
        Ok(Partial { next: expected.wrapping_add(1), heard: now, ..partial })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn first(transaction: u8, total: u16, payload: &[u8]) -> Container<'_> {
        Container { transaction, sequence: 0, kind: Kind::First { total }, payload }
    }

    fn next(transaction: u8, sequence: u8, payload: &[u8]) -> Container<'_> {
        Container { transaction, sequence, kind: Kind::Next, payload }
    }

    fn fed(
        assembler: &mut Assembler<[u8; 8]>,
        container: Container<'_>,
    ) -> Result<Option<Vec<u8>>, Refused> {
        let whole = assembler.feed(&container, Instant(0));
        whole.map(|payload| payload.map(|bytes| bytes.to_vec()))
    }

    fn empty() -> Assembler<[u8; 8]> {
        Assembler::new([0; 8])
    }

    #[test]
    fn pieces_become_the_payload_they_were_cut_from() {
        let mut assembler = empty();
        assert_eq!(fed(&mut assembler, first(1, 5, b"ab")), Ok(None));
        assert_eq!(fed(&mut assembler, next(1, 1, b"cd")), Ok(None));
        assert_eq!(fed(&mut assembler, next(1, 2, b"e")), Ok(Some(b"abcde".to_vec())));
        assert_eq!(fed(&mut assembler, first(2, 0, b"")), Ok(Some(Vec::new())));
    }

    #[test]
    fn a_missing_or_repeated_container_drops_its_payload() {
        for (sequence, wrong) in [(1, 1), (1, 3)] {
            let mut assembler = empty();
            assert_eq!(fed(&mut assembler, first(1, 5, b"a")), Ok(None));
            assert_eq!(fed(&mut assembler, next(1, sequence, b"b")), Ok(None));
            let refused = Err(Refused::OutOfSequence { expected: 2, got: wrong });
            assert_eq!(fed(&mut assembler, next(1, wrong, b"c")), refused);
            assert_eq!(fed(&mut assembler, next(1, 2, b"c")), Err(Refused::NoBeginning));
            assert_eq!(fed(&mut assembler, first(2, 1, b"x")), Ok(Some(b"x".to_vec())));
        }
    }

    #[test]
    fn more_than_was_claimed_and_more_than_there_is_room_for_are_refused() {
        let mut assembler = empty();
        let overrun = Err(Refused::Overrun { total: 2 });
        assert_eq!(fed(&mut assembler, first(1, 2, b"abc")), overrun);
        assert_eq!(fed(&mut assembler, first(1, 2, b"a")), Ok(None));
        assert_eq!(fed(&mut assembler, next(1, 1, b"bc")), overrun);
        let long = Err(Refused::TooLong { total: 9, room: 8 });
        assert_eq!(fed(&mut assembler, first(1, 9, b"a")), long);
        assert_eq!(assembler.under_way(), None);
    }

    #[test]
    fn a_payload_that_never_ends_is_given_up() {
        let mut assembler = empty();
        assert_eq!(fed(&mut assembler, first(7, 8, b"a")), Ok(None));
        assert_eq!(assembler.expire(Instant(100), 100), None);
        assert_eq!(assembler.expire(Instant(101), 100), Some(7));
        assert_eq!(fed(&mut assembler, next(7, 1, b"b")), Err(Refused::NoBeginning));
    }

    #[test]
    fn a_container_without_bytes_does_not_keep_a_payload_alive() {
        let mut assembler = empty();
        assert_eq!(fed(&mut assembler, first(7, 8, b"a")), Ok(None));
        assert_eq!(fed(&mut assembler, next(7, 1, b"")), Err(Refused::Empty));
        assert_eq!(assembler.under_way(), None);
    }

    #[test]
    fn there_are_256_containers_at_most() {
        let mut assembler = Assembler::new([0; 300]);
        assert!(assembler.feed(&first(1, 300, b"a"), Instant(0)).is_ok());
        for sequence in 1..=255 {
            assert_eq!(assembler.feed(&next(1, sequence, b"b"), Instant(0)), Ok(None));
        }
        let none = Err(Refused::OutOfSequence { expected: 0, got: 0 });
        assert_eq!(assembler.feed(&next(1, 0, b"c"), Instant(0)), none);
    }
}
