//! Received contents of each stream frame, and the combinations to try if a frame was received with
//! several contents.

use alloc::vec::Vec;

/// Largest number of contents stored for one frame.
const VARIANTS: usize = 3;
/// Largest number of combinations tried per packet: those of six frames with two contents each.
const WAYS: usize = 64;

/// The contents of one frame: none yet, one, or several, of which at most one is genuine.
#[derive(Debug, Default)]
pub(super) struct Slot(Vec<Vec<u8>>);

impl Slot {
    /// Adds a content, which replaces the last one if there are too many. Returns false if it is present.
    pub(super) fn push(&mut self, body: &[u8]) -> bool {
        if self.0.iter().any(|one| one == body) {
            return false;
        }
        self.0.truncate(VARIANTS - 1);
        self.0.push(body.to_vec());
        true
    }

    pub(super) fn first(&self) -> Option<&[u8]> {
        self.get(0)
    }

    pub(super) fn get(&self, nth: usize) -> Option<&[u8]> {
        self.0.get(nth).map(Vec::as_slice)
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Removes the contents whose first `bytes` bytes differ from those of content `nth`, which
    /// were genuine.
    pub(super) fn settle(&mut self, nth: usize, bytes: usize) {
        let Some(right) = self.0.get(nth).and_then(|body| body.get(..bytes)).map(<[u8]>::to_vec)
        else {
            return;
        };
        self.0.retain(|body| body.starts_with(&right) && body.len() > bytes);
    }
}

/// A choice of one content for each frame.
#[derive(Debug)]
pub(super) struct Choices {
    /// Frames with several contents, with the number of contents and the chosen one.
    open: Vec<(usize, usize, usize)>,
    tried: usize,
}

impl Choices {
    /// Chooses the first content of each frame.
    pub(super) fn of<'a>(slots: impl Iterator<Item = &'a Slot>) -> Self {
        let open = slots.enumerate().filter(|(_, slot)| slot.0.len() > 1);
        Self { open: open.map(|(at, slot)| (at, slot.0.len(), 0)).collect(), tried: 0 }
    }

    /// Advances to the next combination. Returns false if there is none, or if enough were tried.
    pub(super) fn next(&mut self) -> bool {
        self.tried += 1;
        if self.tried >= WAYS {
            return false;
        }
        for (_, count, chosen) in &mut self.open {
            *chosen += 1;
            if chosen < count {
                return true;
            }
            *chosen = 0;
        }
        false
    }

    /// The content chosen for a frame.
    pub(super) fn at(&self, place: usize) -> usize {
        let found = self.open.iter().find(|&&(at, ..)| at == place);
        found.map_or(0, |&(_, _, chosen)| chosen)
    }

    /// Whether the first content is chosen for every frame.
    pub(super) fn is_plain(&self) -> bool {
        self.open.iter().all(|&(_, _, chosen)| chosen == 0)
    }

    /// The chosen contents one after the other, without the first `offset` bytes.
    pub(super) fn stream<'a>(
        &self,
        slots: impl Iterator<Item = &'a Slot>,
        offset: usize,
    ) -> Vec<u8> {
        let mut stream = Vec::new();
        for (at, slot) in slots.enumerate() {
            let chunk = slot.get(self.at(at)).unwrap_or(&[]);
            let skipped = if at == 0 { offset.min(chunk.len()) } else { 0 };
            stream.extend_from_slice(&chunk[skipped..]);
        }
        stream
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn slot(bodies: &[&[u8]]) -> Slot {
        let mut slot = Slot::default();
        for body in bodies {
            slot.push(body);
        }
        slot
    }

    #[test]
    fn each_way_to_choose_is_tried_once() {
        let slots = [slot(&[b"ab", b"AB"]), slot(&[b"c"]), slot(&[b"d", b"D", b"e"])];
        let mut choices = Choices::of(slots.iter());
        let mut ways = BTreeSet::from([choices.stream(slots.iter(), 1)]);
        while choices.next() {
            assert!(ways.insert(choices.stream(slots.iter(), 1)));
        }
        let ways: Vec<_> =
            ways.iter().map(|way| core::str::from_utf8(way).expect("text")).collect();
        assert_eq!(ways, ["BcD", "Bcd", "Bce", "bcD", "bcd", "bce"]);
        assert!(choices.is_plain(), "back at the first");
    }

    #[test]
    fn a_flood_of_bodies_for_one_place_takes_bounded_room_and_leaves_the_first() {
        let mut slot = slot(&[b"right"]);
        for byte in 0..200 {
            assert!(slot.push(&[byte; 30]));
        }
        assert_eq!((slot.0.len(), slot.first()), (VARIANTS, Some(&b"right"[..])));
        let slots: Vec<_> = (0..40).map(|_| super::tests::slot(&[b"a", b"b", b"c"])).collect();
        let mut choices = Choices::of(slots.iter());
        let mut ways = 1;
        while choices.next() {
            ways += 1;
        }
        assert_eq!(ways, WAYS);
    }

    #[test]
    fn bodies_that_differ_where_a_packet_was_right_are_forgotten() {
        let mut slot = slot(&[b"wrong", b"right", b"ri"]);
        slot.settle(1, 2);
        assert_eq!(slot.0, [b"right"]);
    }
}
