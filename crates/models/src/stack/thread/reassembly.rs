//! Reassembly of fragments to datagrams (RFC 4944, 5.3) as in OpenThread: in order only, discarding
//! fragments that do not continue their datagram, with a timeout.

use airlag_sim::Instant;

/// Identity of a fragment's datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Id {
    /// Its sender, EUI-64.
    pub from: u64,
    /// Length with uncompressed headers, octets.
    pub size: u16,
    /// Tag assigned by its sender.
    pub tag: u16,
}

/// Datagrams in reassembly.
#[derive(Debug, Default)]
pub struct Reassembly {
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    id: Id,
    /// Octets by which compression shortened its headers.
    saved: usize,
    bytes: Vec<u8>,
    deadline: Instant,
}

/// Result of a fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It continued a datagram.
    Continued,
    /// It completed this datagram, with compressed headers.
    Whole(Vec<u8>),
    /// It did not continue any datagram.
    Orphan,
}

impl Reassembly {
    /// Begins a datagram with its first fragment, whose headers compression shortened by `saved`
    /// octets.
    pub fn begin(&mut self, id: Id, saved: usize, bytes: &[u8], deadline: Instant) {
        self.parts.push(Part { id, saved, bytes: bytes.to_vec(), deadline });
    }

    /// Adds a fragment at `offset` octets into its datagram.
    pub fn take(&mut self, id: Id, offset: usize, bytes: &[u8]) -> Taken {
        let continued = |part: &Part| part.id == id && part.bytes.len() + part.saved == offset;
        let Some(at) = self.parts.iter().position(continued) else { return Taken::Orphan };
        let part = &mut self.parts[at];
        part.bytes.extend_from_slice(bytes);
        if part.bytes.len() + part.saved < usize::from(id.size) {
            return Taken::Continued;
        }
        Taken::Whole(self.parts.swap_remove(at).bytes)
    }

    /// Drops incomplete datagrams whose deadline has passed.
    pub fn expire(&mut self, now: Instant) -> Vec<Id> {
        let all = std::mem::take(&mut self.parts);
        let (kept, gone): (Vec<_>, Vec<_>) = all.into_iter().partition(|part| part.deadline > now);
        self.parts = kept;
        gone.into_iter().map(|part| part.id).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Savings with link-local headers.
    const SAVED: usize = 48 - 9;
    const LATE: Instant = Instant::from_ns(2_000_000_000);

    #[test]
    fn a_datagram_without_one_of_its_fragments_is_never_whole_and_expires() {
        let mut reassembly = Reassembly::default();
        // 48 octets of headers and 240 of data: 80 after nine, then 88 and 72.
        let id = Id { from: 7, size: 288, tag: 1 };
        reassembly.begin(id, SAVED, &[0; 89], LATE);
        assert_eq!(reassembly.take(id, 216, &[0; 72]), Taken::Orphan);
        assert_eq!(reassembly.expire(Instant::from_ns(1_999_999_999)), []);
        assert_eq!(reassembly.expire(LATE), [id]);
        assert_eq!(reassembly.take(id, 128, &[0; 88]), Taken::Orphan);
    }

    #[test]
    fn datagrams_that_interleave_are_told_apart_by_their_senders_and_tags() {
        let mut reassembly = Reassembly::default();
        let one = Id { from: 7, size: 216, tag: 1 };
        let all = [one, Id { tag: 2, ..one }, Id { from: 8, ..one }];
        for (of, id) in (1..4).zip(all) {
            reassembly.begin(id, SAVED, &[of; 89], LATE);
        }
        for (of, id) in (1..4).zip(all).rev() {
            assert_eq!(reassembly.take(id, 128, &[of; 88]), Taken::Whole(vec![of; 177]));
        }
    }
}
