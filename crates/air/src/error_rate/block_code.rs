//! Words of a few bits that a code puts right as long as only so many of them are wrong.

/// Probability that more than `corrected` of `length` bits are wrong, each with probability `wrong`:
/// that a word is lost of a code that puts so many of them right.
#[must_use]
pub fn more_wrong_than(corrected: u32, length: u32, wrong: f64) -> f64 {
    let (wrong, right) = (wrong.clamp(0.0, 1.0), 1.0 - wrong.clamp(0.0, 1.0));
    let mut choices = 1.0;
    let mut lost = 0.0;
    for count in 0..=length {
        if count > corrected {
            let each = libm::pow(wrong, f64::from(count));
            lost += choices * each * libm::pow(right, f64::from(length - count));
        }
        choices *= f64::from(length - count) / f64::from(count + 1);
    }
    lost.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_lost_with_more_wrong_bits_than_their_code_corrects() {
        // By hand: three copies, 3 p^2 (1-p) + p^3; none corrected, 1 - (1-p)^n.
        let p: f64 = 0.01;
        let copies = 3.0 * p * p * (1.0 - p) + p * p * p;
        assert!((more_wrong_than(1, 3, p) / copies - 1.0).abs() < 1e-12);
        assert!((more_wrong_than(0, 40, p) / (1.0 - (1.0 - p).powi(40)) - 1.0).abs() < 1e-12);
        // 105 pairs of bits of a word of 15.
        assert!((more_wrong_than(1, 15, 1e-6) / 105e-12 - 1.0).abs() < 1e-4);
        assert_eq!(more_wrong_than(1, 15, 0.0), 0.0);
        assert_eq!(more_wrong_than(15, 15, 0.3), 0.0);
        assert!((more_wrong_than(7, 15, 0.5) - 0.5).abs() < 1e-12);
    }
}
