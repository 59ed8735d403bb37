//! Integers of variable length inside the values of a page, checked before the decoder reads them.
//!
//! The decoder panics on an integer of more than ten bytes, and multiplies sizes of blocks without a check.
//! Every such integer is therefore checked first.
//!
//! Layouts: Apache Parquet format 2.10, `Encodings.md`, "Run Length Encoding / Bit-Packing Hybrid" and
//! "Delta Encoding".

use super::thrift::varint;

/// Largest number of values in a block of differences. Writers use 128 to 2048.
const LARGEST_BLOCK: u64 = 1 << 20;

/// Whether the decoder can read up to `values` numbers of `width_bits` from runs. Runs that end early are
/// readable: the decoder reports too few values.
pub(super) fn runs(mut bytes: &[u8], width_bits: u64, values: u64) -> bool {
    let (mut found, value_bytes) = (0_u64, width_bits.div_ceil(8));
    while found < values && !bytes.is_empty() {
        let Some(run) = varint(&mut bytes) else { return false };
        // Padding, which is possible only at the end of a page.
        if run == 0 {
            break;
        }
        let count = run >> 1;
        // One value for the whole run, or groups of eight packed values.
        let (count, taken) = match run & 1 {
            0 => (count, value_bytes),
            _ => (count.saturating_mul(8), count.saturating_mul(width_bits)),
        };
        found = found.saturating_add(count);
        bytes = skip(bytes, taken);
    }
    true
}

/// Number of values that differences represent according to their header. A lower number than declared is only
/// valid with nulls. Returns `None` if the decoder cannot read them.
pub(super) fn differences(mut bytes: &[u8]) -> Option<u64> {
    if bytes.is_empty() {
        return Some(0);
    }
    let (block, parts) = (varint(&mut bytes)?, varint(&mut bytes)?);
    let usual = (1..=LARGEST_BLOCK).contains(&block) && (1..=block).contains(&parts);
    let (values, _first) = (varint(&mut bytes).filter(|_| usual)?, varint(&mut bytes)?);
    let part = block / parts;
    let mut left = values.saturating_sub(1);
    while left > 0 && !bytes.is_empty() {
        let _least = varint(&mut bytes)?;
        // There are too few widths, which the decoder reports.
        let Some((widths, rest)) = bytes.split_at_checked(usize::try_from(parts).ok()?) else {
            break;
        };
        bytes = rest;
        for &width_bits in widths {
            // Parts after the last value have a width but no values.
            if left > 0 {
                bytes = skip(bytes, u64::from(width_bits) * part / 8);
            }
            left = left.saturating_sub(part);
        }
    }
    Some(values)
}

/// The bytes after the next `count` bytes; empty at the end.
fn skip(bytes: &[u8], count: u64) -> &[u8] {
    usize::try_from(count).ok().and_then(|count| bytes.get(count..)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{differences, runs};

    /// An integer of eleven bytes, on which the decoder panics.
    const ENDLESS: [u8; 11] = [0x81; 11];

    #[test]
    fn a_header_of_differences_is_held_against_what_the_decoder_takes() {
        // Blocks of 128 values in 4 parts; there are 300 values, and the first is 1.
        assert_eq!(differences(&[0x80, 1, 4, 0xAC, 2, 2]), Some(300));
        assert_eq!(differences(&[]), Some(0));
        assert_eq!(differences(&[0x80, 1, 4, 0, 0]), Some(0));
        assert_eq!(differences(&[0x80, 1, 4]), None);
        // Invalid headers: no part, more parts than values, a block without values, and a block of
        // 2^35 values.
        assert_eq!(differences(&[0x80, 1, 0, 1, 0]), None);
        assert_eq!(differences(&[4, 0x80, 1, 1, 0]), None);
        assert_eq!(differences(&[0, 1, 1, 0]), None);
        assert_eq!(differences(&[0x80, 0x80, 0x80, 0x80, 0x80, 1, 1, 1, 0]), None);
    }

    #[test]
    fn each_block_of_differences_begins_with_a_readable_integer() {
        // 130 values: a block of 128 differences, 8 bits each in the first of 4 parts, and a block of 1.
        let first = [[0x80, 1, 4, 0x82, 1, 2].as_slice(), &[0, 8, 0, 0, 0], &[1; 32]].concat();
        let whole = [first.as_slice(), &[0, 1, 0, 0, 0], &[1; 4]].concat();
        assert_eq!(differences(&whole), Some(130));
        assert_eq!(differences(&[first.as_slice(), &ENDLESS].concat()), None);
        // A single value has no block, so nothing after it is read.
        assert_eq!(differences(&[[0x80, 1, 4, 1, 2].as_slice(), &ENDLESS].concat()), Some(1));
    }

    #[test]
    fn each_run_begins_with_a_readable_integer() {
        // A run of five values 3 with 2 bits each, followed by eight packed values.
        let both = [10, 3, 3, 0x1B, 0x1B];
        assert!(runs(&both, 2, 13));
        assert!(runs(&[], 2, 13) && runs(&both, 2, 100));
        assert!(!runs(&[both.as_slice(), &ENDLESS].concat(), 2, 14));
        // The decoder stops when it has all values, or at padding.
        assert!(runs(&[both.as_slice(), &ENDLESS].concat(), 2, 13));
        assert!(runs(&[both.as_slice(), &[0], &ENDLESS].concat(), 2, 14));
        // A run with the largest number of values that an integer can count.
        assert!(runs(&[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 7], 64, u64::MAX));
    }
}
