//! Several order statistics at once, without sorting or modifying the values.
//!
//! Values are selected by their ranks. A first pass counts the values per bucket, with buckets of
//! equal width between the smallest and the largest value. A second pass collects the values of the
//! few buckets that contain a requested rank. The values collected from each bucket are divided
//! into narrower buckets in the same way. Every such step divides the range of values by the number
//! of buckets, 4096, so six steps cover the whole range of `i64`.

/// Binary logarithm of the number of buckets per step. Their counts fit into the first-level cache.
const BUCKETS_LOG2: u32 = 12;

/// Number of values below which sorting is faster than counting.
const SORT_BELOW: usize = 2_048;

/// Values with the given ranks, counted from 0. `ranks` must ascend and be below `values.len()`.
pub(super) fn order_statistics(values: &[i64], ranks: &[usize]) -> Vec<i64> {
    debug_assert!(ranks.is_sorted() && ranks.last().is_none_or(|&last| last < values.len()));
    let mut found = Vec::with_capacity(ranks.len());
    select(values, ranks, 0, &mut found);
    found
}

/// Appends the values with `ranks`, which are counted from `before`.
fn select(values: &[i64], ranks: &[usize], before: usize, found: &mut Vec<i64>) {
    if ranks.is_empty() {
        return;
    }
    if values.len() < SORT_BELOW {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        found.extend(ranks.iter().map(|&rank| sorted[rank - before]));
        return;
    }
    let (low, high) = extremes(values);
    if low == high {
        found.extend(ranks.iter().map(|_| low));
        return;
    }
    let width = high.abs_diff(low);
    let shift = (u64::BITS - width.leading_zeros()).saturating_sub(BUCKETS_LOG2);
    let bucket_of = |value: i64| (value.abs_diff(low) >> shift) as usize;
    let mut counts = vec![0usize; 1 << BUCKETS_LOG2];
    for &value in values {
        counts[bucket_of(value)] += 1;
    }
    // A bucket of width 1 contains equal values, so its ranks need no collection.
    let wanted = wanted_buckets(&counts, ranks, before);
    let mut collected: Vec<Vec<i64>> = Vec::new();
    if shift > 0 {
        const UNWANTED: u16 = u16::MAX;
        let mut slot = vec![UNWANTED; 1 << BUCKETS_LOG2];
        for (position, want) in wanted.iter().enumerate() {
            slot[want.bucket] = position as u16;
            collected.push(Vec::with_capacity(counts[want.bucket]));
        }
        for &value in values {
            let position = slot[bucket_of(value)];
            if position != UNWANTED {
                collected[position as usize].push(value);
            }
        }
    }
    for (position, want) in wanted.iter().enumerate() {
        let ranks = &ranks[want.ranks.clone()];
        if shift == 0 {
            found.extend(ranks.iter().map(|_| low + want.bucket as i64));
        } else {
            select(&std::mem::take(&mut collected[position]), ranks, want.before, found);
        }
    }
}

struct Wanted {
    bucket: usize,
    /// Number of values in all earlier buckets.
    before: usize,
    /// Ranks that lie in the bucket.
    ranks: std::ops::Range<usize>,
}

fn wanted_buckets(counts: &[usize], ranks: &[usize], before: usize) -> Vec<Wanted> {
    let mut wanted = Vec::new();
    let (mut below, mut next) = (before, 0);
    for (bucket, &count) in counts.iter().enumerate() {
        let from = next;
        while next < ranks.len() && ranks[next] < below + count {
            next += 1;
        }
        if from < next {
            wanted.push(Wanted { bucket, before: below, ranks: from..next });
        }
        below += count;
        if next == ranks.len() {
            break;
        }
    }
    wanted
}

/// Smallest and largest value of a non-empty slice.
pub(super) fn extremes(values: &[i64]) -> (i64, i64) {
    values.iter().fold((i64::MAX, i64::MIN), |(low, high), &v| (low.min(v), high.max(v)))
}
