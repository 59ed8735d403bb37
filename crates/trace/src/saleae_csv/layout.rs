//! Common bytes of all rows of a capture, for a fast parser.

use super::Columns;
use crate::sink::Row;

const WORD: usize = 8;
/// Longest row of the fast parser, words: 64 bytes are an ISO timestamp and 14 channels.
const MAX_WORDS: usize = 8;
const DECIMALS: usize = 9;
/// Largest number of channels of the fast parser.
const MAX_PICKS: usize = 14;

/// Expected layout of the next rows. Initially matches nothing.
#[derive(Default)]
pub(super) struct Layout {
    /// Length of a row with its line end, bytes. 0 if unknown.
    row_len: usize,
    /// Words of the row, with masks of the bits that must be equal.
    words: [(u64, u64); MAX_WORDS],
    /// The last word, which overlaps the previous one so that it ends with the row.
    last: (u64, u64),
    /// Position of the nine decimals.
    decimals_at: usize,
    /// Time of the row with all decimals zero, ns on the clock of the trace.
    whole_ns: i64,
    /// Position of the level of each selected channel.
    levels_at: [usize; MAX_PICKS],
    picks: usize,
}

impl Layout {
    /// Parses rows as long as they match and time does not go back from `last_ns`. Returns the remaining
    /// text, the number of rows, and the time of the last one.
    #[inline]
    pub(super) fn rows<'a>(
        &self,
        bytes: &'a [u8],
        last_ns: i64,
        invert: u64,
        each: &mut impl FnMut(Row),
    ) -> (&'a [u8], u64, i64) {
        // One loop per number of words before the last, so that the compiler unrolls the comparison.
        match self.row_len.saturating_sub(1) / WORD {
            1 => self.run::<1>(bytes, last_ns, invert, each),
            2 => self.run::<2>(bytes, last_ns, invert, each),
            3 => self.run::<3>(bytes, last_ns, invert, each),
            4 => self.run::<4>(bytes, last_ns, invert, each),
            5 => self.run::<5>(bytes, last_ns, invert, each),
            6 => self.run::<6>(bytes, last_ns, invert, each),
            7 => self.run::<7>(bytes, last_ns, invert, each),
            _ => (bytes, 0, last_ns),
        }
    }

    #[inline]
    fn run<'a, const WORDS: usize>(
        &self,
        bytes: &'a [u8],
        mut last_ns: i64,
        invert: u64,
        each: &mut impl FnMut(Row),
    ) -> (&'a [u8], u64, i64) {
        let known = u64::MAX >> (64 - self.picks);
        let (mut rest, mut count) = (bytes, 0);
        while let Some((row, behind)) = rest.split_at_checked(self.row_len) {
            if !self.fits::<WORDS>(row) {
                break;
            }
            let Some(nanos) = row.get(self.decimals_at..).and_then(nine_digits) else { break };
            let at_ns = self.whole_ns + nanos;
            if at_ns < last_ns {
                break;
            }
            let level = |pick: usize| u64::from(row[self.levels_at[pick]] & 1) << pick;
            let levels = match self.picks {
                // Two channels, as when a trigger and a completion are paired.
                2 => level(0) | level(1),
                picks => (0..picks).map(level).fold(0, |levels, level| levels | level),
            };
            each(Row { at_ns, levels: levels ^ invert, known });
            (rest, count, last_ns) = (behind, count + 1, at_ns);
        }
        (rest, count, last_ns)
    }

    /// Whether a row differs from the stored one only where permitted.
    #[inline(always)]
    fn fits<const WORDS: usize>(&self, row: &[u8]) -> bool {
        let whole = row.as_chunks::<WORD>().0.first_chunk::<WORDS>();
        let (Some(whole), Some(last)) = (whole, row.last_chunk::<WORD>()) else { return false };
        let mut differs = (u64::from_le_bytes(*last) ^ self.last.0) & self.last.1;
        for (word, (expected, mask)) in whole.iter().zip(&self.words) {
            differs |= (u64::from_le_bytes(*word) ^ expected) & mask;
        }
        differs == 0
    }

    /// Stores the layout of `row`, whose time is `at_ns`. Discards the layout if the row is not plain: nine
    /// decimals, not negative, and every level 0 or 1.
    pub(super) fn learn(&mut self, row: &[u8], at_ns: i64, columns: &Columns) {
        self.row_len = 0;
        let positions = &columns.resolved.positions;
        let Some(plain) = Plain::of(row, columns.count) else { return };
        if !(1..=MAX_PICKS).contains(&positions.len()) {
            return;
        }
        self.decimals_at = plain.decimals_at;
        self.whole_ns = at_ns - plain.nanos;
        self.picks = positions.len();
        for (at, position) in self.levels_at.iter_mut().zip(positions) {
            *at = plain.levels_at + 2 * position;
        }
        let mut mask = [u8::MAX; MAX_WORDS * WORD];
        mask[plain.decimals_at..plain.decimals_at + DECIMALS].fill(0);
        // All columns must be 0 or 1, including those not selected.
        for column in 0..columns.count {
            mask[plain.levels_at + 2 * column] = !1;
        }
        let pair_at = |start: usize| (word_at(row, start), word_at(&mask, start));
        for (pair, start) in self.words.iter_mut().zip((0..row.len() - WORD).step_by(WORD)) {
            *pair = pair_at(start);
        }
        self.last = pair_at(row.len() - WORD);
        self.row_len = row.len();
    }
}

fn word_at(bytes: &[u8], start: usize) -> u64 {
    let mut word = [0; WORD];
    word.copy_from_slice(&bytes[start..start + WORD]);
    u64::from_le_bytes(word)
}

/// Positions in a plain row.
struct Plain {
    decimals_at: usize,
    nanos: i64,
    levels_at: usize,
}

impl Plain {
    fn of(row: &[u8], columns: usize) -> Option<Self> {
        if !(WORD + 1..=MAX_WORDS * WORD).contains(&row.len()) {
            return None;
        }
        let stamp_len = row.iter().position(|&b| b == b',')?;
        let stamp = &row[..stamp_len];
        let decimals_at = stamp.iter().position(|&b| b == b'.')? + 1;
        let (decimals, zone) = stamp[decimals_at..].split_first_chunk::<DECIMALS>()?;
        // A minus or an exponent would change the value of the decimals, and a tenth decimal their rounding.
        let plain_zone = zone.first().is_none_or(|b| b"+-Zz".contains(b));
        if stamp[0] == b'-' || !plain_zone {
            return None;
        }
        let levels_at = stamp_len + 1;
        let levels = row[levels_at..].strip_suffix(b"\n")?;
        let levels = levels.strip_suffix(b"\r").unwrap_or(levels);
        let plain = |(i, &b): (usize, &u8)| if i % 2 == 0 { b & !1 == b'0' } else { b == b',' };
        if levels.len() + 1 != 2 * columns || !levels.iter().enumerate().all(plain) {
            return None;
        }
        Some(Self { decimals_at, nanos: nine_digits(decimals)?, levels_at })
    }
}

/// Parses nine ASCII digits to nanoseconds, eight of them at once: pairs, then fours, then eight, with one
/// multiplication each (SWAR, SIMD within a register).
#[inline(always)]
fn nine_digits(text: &[u8]) -> Option<i64> {
    let &[a, b, c, d, e, f, g, h, last] = text.first_chunk::<DECIMALS>()?;
    let word = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
    let low = word.wrapping_sub(0x3030_3030_3030_3030);
    let high = word.wrapping_add(0x4646_4646_4646_4646);
    let last = last.wrapping_sub(b'0');
    if (low | high) & 0x8080_8080_8080_8080 != 0 || last > 9 {
        return None;
    }
    let pairs = low.wrapping_mul(10).wrapping_add(low >> 8);
    let outer = (pairs & 0x0000_00ff_0000_00ff).wrapping_mul(0x000f_4240_0000_0064);
    let inner = ((pairs >> 16) & 0x0000_00ff_0000_00ff).wrapping_mul(0x0000_2710_0000_0001);
    let eight = outer.wrapping_add(inner) >> 32;
    Some(eight.cast_signed() * 10 + i64::from(last))
}

#[cfg(test)]
mod tests {
    use super::nine_digits;

    #[test]
    fn nine_digits_agrees_with_the_library_parser() {
        let texts =
            [b"000000000", b"123456789", b"999999999", b"000000001", b"100000000", b"987654321"];
        for text in texts {
            assert_eq!(nine_digits(text), std::str::from_utf8(text).unwrap().parse().ok());
        }
        for text in [b"12345678x", b"x23456789", b"1234 6789", b"12345678/", b"1234\xb56789"] {
            assert_eq!(nine_digits(text), None, "{text:?}");
        }
    }
}
