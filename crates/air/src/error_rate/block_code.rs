//! Block codes that correct a limited number of wrong bits in a word.

/// Probability that more than `corrected` of `length` bits are wrong, each with probability
/// `wrong`: the word error probability of a code that corrects `corrected` bits.
#[must_use]
pub fn more_wrong_than(corrected: u32, length: u32, wrong: f64) -> f64 {
    let (wrong, right) = (wrong.clamp(0.0, 1.0), 1.0 - wrong.clamp(0.0, 1.0));
    let choose =
        |choices: f64, count: u32| choices * f64::from(length - count) / f64::from(count + 1);
    let (mut choices, least) = (1.0, corrected + 1);
    for count in 0..least.min(length) {
        choices = choose(choices, count);
    }
    if least > length {
        return 0.0;
    }
    // The sum of C(n, k) p^k q^(n-k) for k from `least`, over p^least. Each step multiplies the sum
    // by q, so that no power is computed twice.
    let (mut lost, mut power) = (choices, 1.0);
    for count in least..length {
        choices = choose(choices, count);
        power *= wrong;
        lost = lost * right + choices * power;
    }
    (lost * libm::pow(wrong, f64::from(least))).min(1.0)
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
        assert_eq!(more_wrong_than(7, 64, 1.0), 1.0);
    }

    #[test]
    fn a_word_is_lost_as_often_as_its_terms_add_up_to() {
        for (corrected, length) in [(0_u32, 1_u32), (1, 3), (1, 15), (7, 64)] {
            for wrong in [1e-6, 1e-3, 0.05, 0.3, 0.5, 0.9] {
                let mut choices = 1.0;
                let mut sum = 0.0;
                for count in 0..=length {
                    let term = |p: f64, n: u32| libm::pow(p, f64::from(n));
                    if count > corrected {
                        sum += choices * term(wrong, count) * term(1.0 - wrong, length - count);
                    }
                    choices *= f64::from(length - count) / f64::from(count + 1);
                }
                let found = more_wrong_than(corrected, length, wrong);
                assert!((found / sum - 1.0).abs() < 1e-12, "{corrected} of {length} at {wrong}");
            }
        }
    }
}
