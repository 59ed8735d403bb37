//! The bytes that all rows of a capture have in common, to read the next row at a glance.

use super::Columns;
use crate::sink::Row;

/// Longest row the glance takes, bytes: an ISO stamp and 100 channels.
const ROW_LIMIT: usize = 240;
const WORD: usize = 8;
const DECIMALS: usize = 9;

/// What the rows to come should look like. Starts out matching nothing.
#[derive(Default)]
pub(super) struct Layout {
    /// Bytes of a row with its line end; 0 while nothing is known.
    row_len: usize,
    /// The row word by word, and which of its bits may not differ; the last word overlaps the one
    /// before so that it ends with the row.
    words: Vec<(u64, u64)>,
    /// Where the nine decimals start.
    decimals_at: usize,
    /// Time of the row with all decimals zero, ns on the trace's clock.
    whole_ns: i64,
    /// Where each selected channel's level stands.
    levels_at: Vec<usize>,
}

impl Layout {
    /// Reads a row that fits, and says what lies behind it.
    #[inline(always)]
    pub(super) fn read<'a>(&self, rest: &'a [u8], invert: u64) -> Option<(Row, &'a [u8])> {
        if self.row_len == 0 {
            return None;
        }
        let (row, behind) = rest.split_at_checked(self.row_len)?;
        let (&(last, last_mask), words) = self.words.split_last()?;
        let mut differs = (u64::from_le_bytes(*row.last_chunk()?) ^ last) & last_mask;
        for (chunk, &(word, mask)) in row.chunks_exact(WORD).zip(words) {
            differs |= (u64::from_le_bytes(*chunk.first_chunk()?) ^ word) & mask;
        }
        if differs != 0 {
            return None;
        }
        let at_ns = self.whole_ns + nine_digits(row.get(self.decimals_at..)?.first_chunk()?)?;
        let mut levels = 0;
        for (bit, &at) in self.levels_at.iter().enumerate() {
            levels |= u64::from(row.get(at)? & 1) << bit;
        }
        let known = u64::MAX >> (64 - self.levels_at.len());
        Some((Row { at_ns, levels: levels ^ invert, known }, behind))
    }

    /// Remembers the layout of `row`, whose time is `at_ns`; forgets everything when the row is
    /// not of the plain kind: nine decimals, not negative, every level 0 or 1.
    pub(super) fn learn(&mut self, row: &[u8], at_ns: i64, columns: &Columns) {
        self.row_len = 0;
        let Some(plain) = Plain::of(row, columns.count) else { return };
        if columns.resolved.positions.is_empty() {
            return;
        }
        self.decimals_at = plain.decimals_at;
        self.whole_ns = at_ns - plain.nanos;
        self.levels_at.clear();
        let level_at = |&position: &usize| plain.levels_at + 2 * position;
        self.levels_at.extend(columns.resolved.positions.iter().map(level_at));

        let mut mask = [u8::MAX; ROW_LIMIT];
        mask[plain.decimals_at..plain.decimals_at + DECIMALS].fill(0);
        // All columns are held to be 0 or 1, also those not selected.
        for column in 0..columns.count {
            mask[plain.levels_at + 2 * column] = !1;
        }
        self.words.clear();
        let starts = (0..row.len() / WORD).map(|i| i * WORD).chain([row.len() - WORD]);
        self.words.extend(starts.map(|start| (word_at(row, start), word_at(&mask, start))));
        self.row_len = row.len();
    }
}

fn word_at(bytes: &[u8], start: usize) -> u64 {
    let mut word = [0; WORD];
    word.copy_from_slice(&bytes[start..start + WORD]);
    u64::from_le_bytes(word)
}

/// Where things stand in a row of the plain kind.
struct Plain {
    decimals_at: usize,
    nanos: i64,
    levels_at: usize,
}

impl Plain {
    fn of(row: &[u8], columns: usize) -> Option<Self> {
        if !(WORD..=ROW_LIMIT).contains(&row.len()) || !row.ends_with(b"\n") {
            return None;
        }
        let stamp_len = row.iter().position(|&b| b == b',')?;
        let stamp = &row[..stamp_len];
        let decimals_at = stamp.iter().position(|&b| b == b'.')? + 1;
        let (decimals, zone) = stamp[decimals_at..].split_first_chunk::<DECIMALS>()?;
        // A sign or an exponent would change what the decimals are worth; a tenth decimal too.
        if stamp[0] == b'-'
            || zone.iter().any(|b| b.is_ascii_digit() || b"eE".contains(b))
                && zone[0] != b'+'
                && zone[0] != b'-'
        {
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

/// Nanoseconds from nine ASCII digits, eight of them at once: pairs, then fours, then eight, each
/// step one multiplication (known as SWAR, SIMD within a register).
#[inline(always)]
pub(super) fn nine_digits(digits: &[u8; DECIMALS]) -> Option<i64> {
    let (eight, &[last]) =
        digits.split_first_chunk::<8>().and_then(|(e, l)| Some((e, l.first_chunk::<1>()?)))?;
    let word = u64::from_le_bytes(*eight);
    let low = word.wrapping_sub(0x3030_3030_3030_3030);
    let high = word.wrapping_add(0x4646_4646_4646_4646);
    if (low | high) & 0x8080_8080_8080_8080 != 0 || !last.is_ascii_digit() {
        return None;
    }
    let pairs = low.wrapping_mul(10).wrapping_add(low >> 8);
    let outer = (pairs & 0x0000_00ff_0000_00ff).wrapping_mul(0x000f_4240_0000_0064);
    let inner = ((pairs >> 16) & 0x0000_00ff_0000_00ff).wrapping_mul(0x0000_2710_0000_0001);
    let eight = outer.wrapping_add(inner) >> 32;
    Some(eight.cast_signed() * 10 + i64::from(last - b'0'))
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
