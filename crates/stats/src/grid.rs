//! The step all times of a run are multiples of: the analyser's sampling grid, or a table's rounding.

/// Greatest common divisor; 0 divides nothing and changes nothing.
pub(crate) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The largest step that divides every distance from the first of `times_ns`; 0 when all are equal.
#[must_use]
pub fn step_ns(times_ns: impl IntoIterator<Item = i64>) -> u64 {
    let mut times_ns = times_ns.into_iter();
    let Some(first) = times_ns.next() else { return 0 };
    let mut step = 0;
    for at in times_ns {
        step = gcd(at.abs_diff(first), step);
        if step == 1 {
            break;
        }
    }
    step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_is_that_of_the_distances() {
        assert_eq!(step_ns([7, 27, 107]), 20);
        assert_eq!(step_ns([5, 5]), 0);
        assert_eq!(step_ns([]), 0);
        assert_eq!(step_ns([i64::MIN, i64::MAX]), u64::MAX);
    }
}
