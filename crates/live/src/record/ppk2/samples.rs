//! Words of the stream: where they begin, and how many are missing.
//!
//! A word has 32 bits, the low byte first: 14 of the converter, 3 of the range, one unused, 6 of a counter
//! and 8 of the wires. Only the counter shows where words begin and whether some are missing: it
//! has to count on over [`RUN`] words before any of them is believed.

use super::calibration::RANGES;

const WORD: usize = 4;
/// Words whose counters have to follow each other. By chance they do in one of 64^7 places.
const RUN: usize = 8;
/// Values of the counter.
const COUNTS: u64 = 64;

/// One sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Samples that are missing before it. More than 63 count as less by a multiple of 64, unless as many
    /// bytes came in their place.
    pub lost: u64,
    /// Measuring range, below [`RANGES`].
    pub range: usize,
    /// Reading of the converter.
    pub reading: u16,
    /// Levels of the wires.
    pub levels: u8,
}

/// A stream of words.
#[derive(Debug, Default)]
pub struct Samples {
    bytes: Vec<u8>,
    taken: usize,
    /// The counter that comes next; none before the first word.
    expected: Option<u64>,
    /// Bytes that were skipped since a word was missing; none while words follow each other.
    skipped: Option<usize>,
}

impl Samples {
    /// Adds what came.
    pub fn extend(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.taken);
        self.taken = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// The word at an offset, with its counter; none where no word begins there.
    fn word(&self, offset: usize) -> Option<(u64, Sample)> {
        let bytes = self.bytes.get(self.taken + offset..)?.first_chunk::<WORD>()?;
        let word = u32::from_le_bytes(*bytes);
        let range = (word >> 14 & 0x7) as usize;
        let sample =
            Sample { lost: 0, range, reading: (word & 0x3FFF) as u16, levels: (word >> 24) as u8 };
        (range < RANGES).then_some((u64::from(word >> 18 & 0x3F), sample))
    }

    /// Whether words begin at an offset.
    fn is_run(&self, offset: usize) -> bool {
        let count = |nth: usize| Some(self.word(offset + nth * WORD)?.0);
        let Some(first) = count(0) else { return false };
        (1..RUN).all(|nth| count(nth) == Some((first + nth as u64) % COUNTS))
    }

    /// Skips bytes until words begin; `false` where more have to come.
    fn align(&mut self) -> bool {
        while self.bytes.len() - self.taken >= (RUN + 1) * WORD {
            if let Some(offset) = (0..WORD).find(|&offset| self.is_run(offset)) {
                self.skip(offset);
                return true;
            }
            self.skip(WORD);
        }
        false
    }

    fn skip(&mut self, bytes: usize) {
        self.taken += bytes;
        self.skipped = self.skipped.map(|skipped| skipped + bytes);
    }
}

impl Iterator for Samples {
    type Item = Sample;

    fn next(&mut self) -> Option<Sample> {
        let found = self.word(0);
        let is_next = found.is_some_and(|(count, _)| Some(count) == self.expected);
        if !is_next || self.skipped.is_some() {
            if self.bytes.len() - self.taken < WORD {
                return None;
            }
            self.skipped.get_or_insert(0);
            if !self.align() {
                return None;
            }
        }
        let (count, sample) = self.word(0)?;
        self.taken += WORD;
        let lost = self.skipped.take().zip(self.expected).map_or(0, |(skipped, expected)| {
            // The least number that the counter allows, and that has room for what was skipped.
            let missing = (count + COUNTS - expected) % COUNTS;
            let skipped = (skipped / WORD) as u64;
            missing + skipped.saturating_sub(missing).div_ceil(COUNTS) * COUNTS
        });
        self.expected = Some((count + 1) % COUNTS);
        Some(Sample { lost, ..sample })
    }
}
