//! A DMA ring with half, full and idle-line interrupts.
//!
//! The source is RM0090. Section "DMA controller", circular mode: the DMA stream writes bytes to a
//! circular buffer and raises an interrupt each time it has filled one half of the buffer. Section
//! "USART interrupts": the interrupt IDLE is raised after one idle frame, which is ten bits of
//! silence after the last stop bit. IDLE is not raised again before the next byte is received.
//!
//! The model of the DMA ring counts bytes and ignores message boundaries. If the last byte of a
//! message is also the last byte of one half of the ring, the interrupt for this half delivers the
//! message at once. Otherwise, the end of the message is delivered after an idle frame.

/// Cause of an interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A byte is in the data register.
    Byte,
    /// The first half of the ring is full.
    Half,
    /// The second half of the ring is full.
    Full,
    /// The line is idle.
    Idle,
}

/// Write position of a stream in its ring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring {
    size: usize,
    position: usize,
    /// Instant at which the line counts as idle if no further byte begins.
    idle_at: Option<u64>,
}

impl Ring {
    /// Creates an empty ring of `size` bytes with the write position at `position`. The position is
    /// not 0 if bytes came earlier, such as noise while the other side was being connected.
    #[must_use]
    pub const fn new(size: usize, position: usize) -> Self {
        let size = if size < 2 { 2 } else { size };
        Self { size, position: position % size, idle_at: None }
    }

    /// Position of the next byte.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }

    /// Records a start bit at `cycle`. If the line was detected as idle before it, returns that
    /// time.
    pub fn begins(&mut self, cycle: u64) -> Option<u64> {
        self.idle_at.take().filter(|&idle| idle <= cycle)
    }

    /// Records a byte received at `cycle`; the line becomes idle `frame` cycles later. If the byte
    /// fills the ring up to a boundary, returns that boundary.
    pub fn landed(&mut self, cycle: u64, frame: u64) -> Option<Cause> {
        self.idle_at = Some(cycle + frame);
        self.position += 1;
        if self.position == self.size / 2 {
            return Some(Cause::Half);
        }
        if self.position == self.size {
            self.position = 0;
            return Some(Cause::Full);
        }
        None
    }

    /// Time at which the line will be detected as idle if no further bytes come.
    #[must_use]
    pub const fn idle_at(&self) -> Option<u64> {
        self.idle_at
    }

    /// Records that the idle interrupt was served.
    pub const fn idle_taken(&mut self) {
        self.idle_at = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Indices of messages of `length` bytes whose last byte is on a boundary of the ring.
    fn early(length: usize, start: usize, count: usize) -> Vec<usize> {
        let mut ring = Ring::new(32, start);
        let mut found = Vec::new();
        for message in 0..count {
            let causes: Vec<Option<Cause>> = (0..length).map(|_| ring.landed(0, 10)).collect();
            if causes.last().is_some_and(Option::is_some) {
                found.push(message);
            }
        }
        found
    }

    #[test]
    fn every_fourth_message_of_twelve_bytes_ends_on_a_boundary() {
        assert_eq!(early(12, 0, 16), [3, 7, 11, 15]);
        assert_eq!(early(12, 4, 8), [0, 4]);
    }

    #[test]
    fn no_message_of_twelve_bytes_ends_on_a_boundary_after_one_stray_byte() {
        assert_eq!(early(12, 1, 100), Vec::<usize>::new());
    }

    #[test]
    fn a_message_of_whole_halves_always_ends_on_a_boundary() {
        assert_eq!(early(128, 0, 10).len(), 10);
        assert_eq!(early(1024, 16, 10).len(), 10);
    }

    #[test]
    fn idle_is_found_once_and_only_after_a_whole_frame() {
        let mut ring = Ring::new(32, 0);
        ring.landed(1_000, 100);
        assert_eq!(ring.begins(1_050), None, "another byte came in time");
        ring.landed(1_150, 100);
        assert_eq!(ring.begins(1_400), Some(1_250));
        assert_eq!(ring.begins(1_500), None);
    }

    proptest! {
        #[test]
        fn each_half_is_reported_once_a_turn(start in 0_usize..32, bytes in 0_usize..1_000) {
            let mut ring = Ring::new(32, start);
            let causes: Vec<Cause> = (0..bytes).filter_map(|_| ring.landed(0, 1)).collect();
            prop_assert_eq!(causes.len(), (start + bytes) / 16 - start / 16);
            prop_assert_eq!(ring.position(), (start + bytes) % 32);
            prop_assert!(causes.windows(2).all(|two| two[0] != two[1]));
        }
    }
}
