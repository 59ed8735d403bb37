//! Segmentation and reassembly of access messages (Mesh Profile 1.0.1, 3.5.3; the same in Mesh
//! Protocol 1.1).

use std::rc::Rc;

use airlag_sim::Instant;

use super::pdu::{ACCESS_MIC, SEGMENT, Transport};

/// A message in segments, at its sender.
#[derive(Clone, Debug)]
pub struct Outbound {
    /// Lower 13 bits of the sequence number of the first segment.
    pub seq_zero: u16,
    pieces: Vec<Rc<[u8]>>,
    acknowledged: u32,
}

impl Outbound {
    /// Divides an access message and its TransMIC into segments.
    #[must_use]
    pub fn new(message: &[u8], sequence: u32) -> Self {
        let mut upper = message.to_vec();
        upper.extend([0; ACCESS_MIC]);
        let pieces = upper.chunks(SEGMENT).map(Rc::from).collect();
        Self { seq_zero: (sequence & 0x1FFF) as u16, pieces, acknowledged: 0 }
    }

    /// Records a block acknowledgement; returns false if it acknowledges nothing new.
    pub const fn acknowledge(&mut self, block: u32) -> bool {
        let before = self.acknowledged;
        self.acknowledged |= block;
        self.acknowledged != before
    }

    /// Whether all segments are acknowledged.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.missing().next().is_none()
    }

    /// Whether a segment of this message is not acknowledged.
    #[must_use]
    pub const fn lacks(&self, segment: &Transport) -> bool {
        matches!(segment, Transport::Segment { nth, .. } if self.acknowledged >> *nth & 1 == 0)
    }

    /// Segments that are not acknowledged.
    pub fn missing(&self) -> impl Iterator<Item = Transport> {
        let last = (self.pieces.len() - 1) as u8;
        let all = (0..).zip(&self.pieces);
        let missing = all.filter(|&(nth, _): &(u8, _)| self.acknowledged >> nth & 1 == 0);
        missing.map(move |(nth, piece)| Transport::Segment {
            seq_zero: self.seq_zero,
            nth,
            last,
            piece: Rc::clone(piece),
        })
    }
}

/// A message in segments, at its receiver.
#[derive(Clone, Debug)]
pub struct Inbound {
    /// Source.
    pub source: u16,
    /// Lower 13 bits of the sequence number of the first segment.
    pub seq_zero: u16,
    pieces: Vec<Option<Rc<[u8]>>>,
    /// Arrival time of the last new segment.
    pub last_new: Instant,
    /// End of the acknowledgement timer, while it runs.
    pub acknowledge_at: Option<Instant>,
}

impl Inbound {
    /// Begins a message whose last segment is number `last`.
    #[must_use]
    pub fn new(source: u16, seq_zero: u16, last: u8) -> Self {
        let pieces = vec![None; usize::from(last) + 1];
        Self { source, seq_zero, pieces, last_new: Instant::START, acknowledge_at: None }
    }

    /// Whether segment `nth` has not arrived yet.
    #[must_use]
    pub fn lacks(&self, nth: u8) -> bool {
        self.pieces.get(usize::from(nth)).is_some_and(Option::is_none)
    }

    /// Stores a segment; returns the message when this one completes it.
    pub fn take(&mut self, nth: u8, piece: &Rc<[u8]>) -> Option<Vec<u8>> {
        let place = self.pieces.get_mut(usize::from(nth))?;
        if place.is_some() {
            return None;
        }
        *place = Some(Rc::clone(piece));
        if !self.is_complete() {
            return None;
        }
        let mut upper: Vec<u8> =
            self.pieces.iter().flatten().flat_map(|one| one.to_vec()).collect();
        upper.truncate(upper.len().checked_sub(ACCESS_MIC)?);
        Some(upper)
    }

    /// Whether all segments have arrived.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.pieces.iter().all(Option::is_some)
    }

    /// Block acknowledgement: a bit for each segment that has arrived.
    #[must_use]
    pub fn block(&self) -> u32 {
        (0..)
            .zip(&self.pieces)
            .fold(0, |block, (nth, piece)| block | u32::from(piece.is_some()).wrapping_shl(nth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(len: usize) -> Vec<u8> {
        (0..len).map(|nth| nth as u8).collect()
    }

    #[test]
    fn a_message_of_any_length_is_reassembled_from_any_order() {
        for len in [12, 20, 21, 32, 200, 380] {
            let sent = Outbound::new(&message(len), 0x2_0005);
            let segments: Vec<Transport> = sent.missing().collect();
            assert_eq!(segments.len(), (len + 4).div_ceil(12));
            let mut received = Inbound::new(1, sent.seq_zero, (segments.len() - 1) as u8);
            let mut complete = None;
            for segment in segments.iter().rev() {
                let Transport::Segment { seq_zero, nth, piece, .. } = segment else { panic!() };
                assert_eq!(*seq_zero, 5);
                assert!(complete.is_none());
                complete = received.take(*nth, piece);
                assert_eq!(received.take(*nth, piece), None, "a duplicate completes nothing");
            }
            assert_eq!(complete, Some(message(len)));
        }
    }

    #[test]
    fn only_segments_that_were_not_acknowledged_are_sent_again() {
        let mut sent = Outbound::new(&message(40), 0);
        assert!(sent.acknowledge(0b0101));
        assert!(!sent.acknowledge(0b0001));
        let again: Vec<u8> = sent
            .missing()
            .map(|segment| match segment {
                Transport::Segment { nth, .. } => nth,
                _ => panic!(),
            })
            .collect();
        assert_eq!(again, [1, 3]);
        assert!(!sent.is_complete());
        assert!(sent.acknowledge(0b1111));
        assert!(sent.is_complete());
    }

    #[test]
    fn thirty_two_segments_have_a_bit_each() {
        let sent = Outbound::new(&message(380), 0);
        let mut received = Inbound::new(1, 0, 31);
        for segment in sent.missing() {
            let Transport::Segment { nth, piece, .. } = segment else { panic!() };
            received.take(nth, &piece);
        }
        assert_eq!(received.block(), u32::MAX);
    }
}
