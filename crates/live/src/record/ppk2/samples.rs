//! Alignment of the sample stream, and detection of lost words.
//!
//! A word of the PPK2 has 32 bits, little-endian: 14 bits for the ADC reading, 3 for the range, one unused
//! bit, 6 for a counter and 8 for the digital inputs. Only the counter makes it possible to detect word
//! boundaries and lost words. A word boundary is accepted only if the counter increases by one from word to
//! word over [`RUN`] words.

use super::calibration::RANGES;

const WORD: usize = 4;
/// Number of consecutive counters required for alignment. Random data match at one in 64^7 offsets.
const RUN: usize = 8;
/// Number of counter values.
const COUNTS: u64 = 64;

/// One sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Samples lost before this one, known modulo 64 unless skipped bytes indicate more.
    pub lost: u64,
    /// Measuring range, below [`RANGES`].
    pub range: usize,
    /// ADC reading.
    pub reading: u16,
    /// Levels of the digital inputs.
    pub levels: u8,
}

/// Iterator over the words of a stream.
#[derive(Debug, Default)]
pub struct Samples {
    bytes: Vec<u8>,
    taken: usize,
    /// Next expected counter. `None` before the first word.
    expected: Option<u64>,
    /// Bytes skipped since alignment was lost. `None` while aligned.
    skipped: Option<usize>,
}

impl Samples {
    /// Appends received bytes.
    pub fn extend(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.taken);
        self.taken = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the word at an offset with its counter, or `None` if the bytes there are not a word.
    fn word(&self, offset: usize) -> Option<(u64, Sample)> {
        let bytes = self.bytes.get(self.taken + offset..)?.first_chunk::<WORD>()?;
        let word = u32::from_le_bytes(*bytes);
        let range = (word >> 14 & 0x7) as usize;
        let sample =
            Sample { lost: 0, range, reading: (word & 0x3FFF) as u16, levels: (word >> 24) as u8 };
        (range < RANGES).then_some((u64::from(word >> 18 & 0x3F), sample))
    }

    /// Checks for [`RUN`] consecutive words at an offset.
    fn is_run(&self, offset: usize) -> bool {
        let count = |nth: usize| Some(self.word(offset + nth * WORD)?.0);
        let Some(first) = count(0) else { return false };
        (1..RUN).all(|nth| count(nth) == Some((first + nth as u64) % COUNTS))
    }

    /// Skips bytes until aligned. Returns `false` if more bytes are needed.
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
            // Smallest number consistent with the counter and the skipped bytes.
            let missing = (count + COUNTS - expected) % COUNTS;
            let skipped = (skipped / WORD) as u64;
            missing + skipped.saturating_sub(missing).div_ceil(COUNTS) * COUNTS
        });
        self.expected = Some((count + 1) % COUNTS);
        Some(Sample { lost, ..sample })
    }
}
