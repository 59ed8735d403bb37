//! Conversion of floating-point seconds to integer nanoseconds, in blocks.

use crate::error::Problem;

/// If this constant is added to a number below 2^51, the low bits of the sum contain the nearest
/// integer, because doubles from 2^52 on have no fraction. This rounding is a single addition,
/// which processors vectorise, while `round` is a function call.
const TO_INTEGER: f64 = 6_755_399_441_055_744.0; // 1.5 * 2^52
const FAST_LIMIT_S: f64 = 2_251_799.0; // 2^51 ns, 26 days
const NEGATIVE_ZERO: u64 = 1 << 63;

/// Converts to the nearest nanosecond.
pub fn instant(seconds: f64) -> Result<i64, Problem> {
    let expected = "seconds, finite, zero without a sign";
    if !seconds.is_finite() || seconds.to_bits() == NEGATIVE_ZERO {
        return Err(Problem::BadNumber { found: format!("{seconds:?}"), expected });
    }
    let ns = (seconds * 1e9).round_ties_even();
    // 2^63 itself is a double; everything below it fits.
    if ns.abs() >= 9_223_372_036_854_775_808.0 {
        return Err(Problem::TimeRange { found: format!("{seconds} s") });
    }
    Ok(ns as i64)
}

/// Appends the instants in `bytes`, eight bytes each. They must be in ascending order, all after
/// `after_ns` and at most `end_ns`.
///
/// # Errors
/// The index of the first invalid time, with the problem. Nothing is appended in this case.
pub fn instants(
    bytes: &[u8],
    after_ns: i64,
    end_ns: i64,
    edges: &mut Vec<i64>,
) -> Result<(), (usize, Problem)> {
    let from = edges.len();
    let mut plain = true;
    edges.extend(bytes.as_chunks::<8>().0.iter().map(|&eight| {
        let seconds = f64::from_le_bytes(eight);
        plain &= (seconds.abs() < FAST_LIMIT_S) & (seconds.to_bits() != NEGATIVE_ZERO);
        let sum = seconds * 1e9 + TO_INTEGER;
        sum.to_bits().wrapping_sub(TO_INTEGER.to_bits()).cast_signed()
    }));
    let added = &edges[from..];
    let mut ascending = added.first().is_none_or(|&first| first > after_ns)
        & added.last().is_none_or(|&last| last <= end_ns);
    for pair in added.windows(2) {
        ascending &= pair[0] < pair[1];
    }
    if plain && ascending {
        return Ok(());
    }
    edges.truncate(from);
    let checked = one_by_one(bytes, after_ns, end_ns, edges);
    if checked.is_err() {
        edges.truncate(from);
    }
    checked
}

/// Like [`instants`], but slowly, to find an invalid time or to exceed 26 days.
fn one_by_one(
    bytes: &[u8],
    mut previous_ns: i64,
    end_ns: i64,
    edges: &mut Vec<i64>,
) -> Result<(), (usize, Problem)> {
    for (index, &eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
        let at_ns = instant(f64::from_le_bytes(eight)).map_err(|problem| (index, problem))?;
        if at_ns <= previous_ns {
            return Err((index, Problem::NotMonotonic { previous_ns, at_ns }));
        }
        if at_ns > end_ns {
            let what = "a transition";
            let (found, expected) = (format!("at {at_ns} ns"), format!("at most {end_ns} ns"));
            return Err((index, Problem::BadField { what, found, expected }));
        }
        previous_ns = at_ns;
        edges.push(at_ns);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_round_to_the_nearest_nanosecond() {
        let ns = [-5_000_000_001, -1, 0, 1, 2, 3, 123_456_789_012, 2_000_000_000_000_001];
        let bytes: Vec<u8> = ns.iter().flat_map(|&ns| (ns as f64 / 1e9).to_le_bytes()).collect();
        let mut edges = Vec::new();
        instants(&bytes, i64::MIN, i64::MAX, &mut edges).unwrap();
        assert_eq!(edges, ns);
        edges.clear();
        one_by_one(&bytes, i64::MIN, i64::MAX, &mut edges).unwrap();
        assert_eq!(edges, ns);
    }

    #[test]
    fn times_past_26_days_are_exact_to_what_a_double_holds() {
        let bytes = 3_000_000.5f64.to_le_bytes();
        let mut edges = Vec::new();
        instants(&bytes, 0, i64::MAX, &mut edges).unwrap();
        assert_eq!(edges, [3_000_000_500_000_000]);
    }

    #[test]
    fn what_is_no_time_is_refused_with_its_index() {
        for bad in [f64::NAN, f64::INFINITY, -f64::INFINITY, -0.0, 1e10, 0.5, 0.25, 9.5] {
            let times = [0.5, bad, 8.0];
            let bytes: Vec<u8> = times.iter().flat_map(|t| t.to_le_bytes()).collect();
            let mut edges = vec![7];
            let (index, _) = instants(&bytes, 0, 9_000_000_000, &mut edges).unwrap_err();
            assert_eq!((index, &edges[..]), (1, &[7][..]), "{bad}");
        }
    }
}
