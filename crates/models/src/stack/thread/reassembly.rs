//! Fragments put together to datagrams (RFC 4944, 5.3), as OpenThread does it: in order, one that does
//! not continue its datagram is of no use, and a datagram has its time.

use airlag_sim::Instant;

use super::adaptation::{COMPRESSED_LEN, HEADERS_LEN};

/// Datagrams under way from one sender.
#[derive(Debug, Default)]
pub struct Reassembly {
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    size: u16,
    tag: u16,
    bytes: Vec<u8>,
    deadline: Instant,
}

/// What a fragment did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It began a datagram, which has to be whole by its deadline.
    Begun,
    /// It continued one.
    Continued,
    /// It completed this one, with compressed headers.
    Whole(Vec<u8>),
    /// It continued none.
    Orphan,
}

impl Reassembly {
    /// Takes a fragment that begins `offset` octets into its datagram of `size`.
    pub fn take(
        &mut self,
        (size, tag): (u16, u16),
        offset: usize,
        bytes: &[u8],
        deadline: Instant,
    ) -> Taken {
        const SAVED: usize = HEADERS_LEN - COMPRESSED_LEN;
        if offset == 0 {
            self.parts.push(Part { size, tag, bytes: bytes.to_vec(), deadline });
            return Taken::Begun;
        }
        let continued = |part: &Part| {
            (part.size, part.tag) == (size, tag) && part.bytes.len() + SAVED == offset
        };
        let Some(at) = self.parts.iter().position(continued) else { return Taken::Orphan };
        self.parts[at].bytes.extend_from_slice(bytes);
        if self.parts[at].bytes.len() + SAVED < usize::from(size) {
            return Taken::Continued;
        }
        Taken::Whole(self.parts.swap_remove(at).bytes)
    }

    /// Drops what is not whole although its deadline has come; how many.
    pub fn expire(&mut self, now: Instant) -> usize {
        let before = self.parts.len();
        self.parts.retain(|part| part.deadline > now);
        before - self.parts.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATE: Instant = Instant::from_ns(2_000_000_000);

    #[test]
    fn a_datagram_without_one_of_its_fragments_is_never_whole_and_expires() {
        let mut reassembly = Reassembly::default();
        // 48 octets of headers and 240 of data: 80 behind nine, then 88 and 72.
        let id = (288, 1);
        assert_eq!(reassembly.take(id, 0, &[0; 89], LATE), Taken::Begun);
        assert_eq!(reassembly.take(id, 216, &[0; 72], LATE), Taken::Orphan);
        assert_eq!(reassembly.expire(Instant::from_ns(1_999_999_999)), 0);
        assert_eq!(reassembly.expire(LATE), 1);
        assert_eq!(reassembly.take(id, 128, &[0; 88], LATE), Taken::Orphan);
    }

    #[test]
    fn datagrams_that_interleave_are_told_apart_by_their_tags() {
        let mut reassembly = Reassembly::default();
        let (one, other) = ((216, 1), (216, 2));
        assert_eq!(reassembly.take(one, 0, &[1; 89], LATE), Taken::Begun);
        assert_eq!(reassembly.take(other, 0, &[2; 89], LATE), Taken::Begun);
        let whole = |of: u8| Taken::Whole(vec![of; 177]);
        assert_eq!(reassembly.take(other, 128, &[2; 88], LATE), whole(2));
        assert_eq!(reassembly.take(one, 128, &[1; 88], LATE), whole(1));
    }
}
