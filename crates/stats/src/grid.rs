//! Common step of all times of a run: the sampling grid of the analyser, or the rounding of a table.

/// Greatest common divisor. The divisor of 0 and a number is that number.
pub(crate) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Largest step that divides every distance from the first of `times_ns`. 0 if all are equal.
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
