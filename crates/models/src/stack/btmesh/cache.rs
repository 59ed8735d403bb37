//! Network message cache (Mesh Profile 1.0.1, 3.4.5.6).

use std::collections::VecDeque;

/// The PDUs seen last, by source address and sequence number.
#[derive(Clone, Debug)]
pub struct Cache {
    seen: VecDeque<(u16, u32)>,
    most: usize,
}

impl Cache {
    /// Creates an empty cache of `most` entries, at least one.
    #[must_use]
    pub fn new(most: usize) -> Self {
        let most = most.max(1);
        Self { seen: VecDeque::with_capacity(most), most }
    }

    /// Whether a PDU is in the cache.
    #[must_use]
    pub fn contains(&self, source: u16, sequence: u32) -> bool {
        self.seen.contains(&(source, sequence))
    }

    /// Records a PDU in place of the oldest one; returns false if it is in the cache already.
    pub fn admits(&mut self, source: u16, sequence: u32) -> bool {
        if self.contains(source, sequence) {
            return false;
        }
        if self.seen.len() == self.most {
            self.seen.pop_front();
        }
        self.seen.push_back((source, sequence));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pdu_is_admitted_once_until_others_replace_it() {
        let mut cache = Cache::new(2);
        assert!(cache.admits(1, 7));
        assert!(!cache.admits(1, 7));
        assert!(cache.admits(2, 7));
        assert!(cache.admits(1, 8));
        assert!(cache.admits(1, 7));
        assert!(!cache.admits(1, 8));
    }
}
