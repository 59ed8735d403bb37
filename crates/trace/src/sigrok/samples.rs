//! Detection of samples that differ from the previous one.

use crate::error::{At, Problem};
use crate::grid::Grid;
use crate::sink::{Row, Sink};

/// Number of bytes compared at once.
const STRIDE: usize = 64;

/// Converts samples to rows.
pub struct Samples<'a, S> {
    sink: &'a mut S,
    grid: Grid,
    unit_bytes: usize,
    /// Bit in the sample of each selected channel.
    bits: Vec<u32>,
    /// Whether the selected channels are the lowest bits in order.
    straight: bool,
    invert: u64,
    /// Selected bits of a sample.
    mask: u64,
    /// Selected bits of the last sample; `None` before the first.
    current: Option<u64>,
    /// Number of samples.
    count: u64,
}

impl<'a, S: Sink> Samples<'a, S> {
    pub fn new(
        grid: Grid,
        unit_bytes: usize,
        bits: Vec<u32>,
        invert: u64,
        sink: &'a mut S,
    ) -> Self {
        let straight = bits.iter().zip(0..).all(|(&bit, index)| bit == index);
        let mask = bits.iter().fold(0, |mask, bit| mask | 1 << bit);
        Self { sink, grid, unit_bytes, bits, straight, invert, mask, current: None, count: 0 }
    }

    /// Processes whole samples.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        let unit = self.unit_bytes;
        let count = self.count + (bytes.len() / unit) as u64;
        self.grid.checked(count)?;
        let mut at = 0;
        if self.current.is_none() && !bytes.is_empty() {
            self.change(0, load(&bytes[..unit]));
            at = unit;
        }
        while let Some(current) = self.current
            && at < bytes.len()
        {
            at += unchanged(&bytes[at..], unit, current, self.mask);
            if let Some(sample) = bytes.get(at..at + unit) {
                self.change(self.count + (at / unit) as u64, load(sample));
                at += unit;
            }
        }
        self.count = count;
        Ok(())
    }

    fn change(&mut self, index: u64, sample: u64) {
        let sample = sample & self.mask;
        self.current = Some(sample);
        let levels = if self.straight {
            sample
        } else {
            (0..).zip(&self.bits).fold(0, |row, (to, from)| row | (sample >> from & 1) << to)
        };
        let known = if self.bits.len() < 64 { (1 << self.bits.len()) - 1 } else { u64::MAX };
        let at_ns = self.grid.instant(index);
        self.sink.row(Row { at_ns, levels: levels ^ (self.invert & known), known });
    }

    /// Problem that prevents further rows, if any.
    pub fn refusal(&self) -> Option<Problem> {
        self.sink.refusal()
    }

    /// Ends the observation one period after the last sample.
    pub fn finish(self) -> Result<(), At> {
        if self.count == 0 {
            return Err(Problem::Truncated { what: "the samples: there is none" }.into());
        }
        self.sink.end(self.grid.instant(self.count));
        Ok(())
    }
}

/// Reads a little-endian sample.
#[inline]
fn load(sample: &[u8]) -> u64 {
    sample.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// Number of leading bytes of samples whose masked bits equal `current`.
fn unchanged(bytes: &[u8], unit: usize, current: u64, mask: u64) -> usize {
    // If a sample size divides 8-byte words, a word of equal samples is compared at once, and eight such
    // words before any result is used. Iterations are independent, so that compilers vectorise the loop.
    let mut at = 0;
    if unit.is_power_of_two() {
        let repeat = match unit {
            1 => 0x0101_0101_0101_0101,
            2 => 0x0001_0001_0001_0001,
            4 => 0x0000_0001_0000_0001,
            _ => 1,
        };
        let (pattern, mask) = (current.wrapping_mul(repeat), mask.wrapping_mul(repeat));
        let differs = |word: &[u8; 8]| (u64::from_le_bytes(*word) ^ pattern) & mask;
        for stride in bytes.as_chunks::<STRIDE>().0 {
            if stride.as_chunks::<8>().0.iter().fold(0, |all, word| all | differs(word)) != 0 {
                break;
            }
            at += STRIDE;
        }
        for word in bytes[at..].as_chunks::<8>().0 {
            let differing = differs(word);
            if differing != 0 {
                let equal = differing.trailing_zeros() as usize / 8;
                return at + equal - equal % unit;
            }
            at += 8;
        }
    }
    let rest = bytes[at..].chunks_exact(unit);
    at + unit * rest.take_while(|sample| load(sample) & mask == current).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_found_wherever_it_stands() {
        for unit in 1..=8 {
            for count in [1usize, 2, 7, 8, 9, 63, 64, 65, 200] {
                for place in [0, count / 2, count - 1] {
                    let mut bytes = vec![0xa5; unit * count];
                    // The highest byte changes and is selected. The lowest bit is not selected.
                    bytes[place * unit + unit - 1] ^= 0x40;
                    for sample in bytes.chunks_exact_mut(unit).step_by(2) {
                        sample[0] ^= 1;
                    }
                    let mask = (u64::MAX >> (64 - 8 * unit)) & !1;
                    let current = load(&vec![0xa5; unit]) & mask;
                    assert_eq!(unchanged(&bytes, unit, current, mask), place * unit);
                }
            }
        }
    }
}
