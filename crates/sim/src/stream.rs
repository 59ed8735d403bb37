//! Named random streams from one random seed.
//!
//! A stream is the output of the cipher ChaCha with 8 rounds. The key is the random seed (little
//! endian, zero padded to 32 bytes), and the 64-bit stream number is the FNV-1a hash of the
//! stream's name. Streams with different names are therefore independent of each other, and an
//! additional stream does not change the random numbers of the other streams. The cipher, the hash
//! and every draw use only integer arithmetic, so the numbers are the same on every machine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::time::Duration;

/// Named source of random numbers.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha8Rng);

/// FNV-1a, 64 bit (offset basis and prime as published by Fowler, Noll and Vo).
const fn fnv1a(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        i += 1;
    }
    hash
}

/// A probability as a threshold for 53 random bits, exact for every `f64`.
#[derive(Clone, Copy, Debug)]
pub struct Chance(u64);

impl Chance {
    /// Converts the probability `p`, limited to the range from 0 to 1.
    #[must_use]
    pub fn new(p: f64) -> Self {
        Self((p.clamp(0.0, 1.0) * (1_u64 << 53) as f64) as u64)
    }
}

impl Stream {
    /// Creates the stream called `name` of the random seed `seed`.
    #[must_use]
    pub fn new(seed: u64, name: &str) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(fnv1a(name));
        Self(rng)
    }

    /// Draws a 64-bit number.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Fills bytes with random numbers. Each group of eight bytes is the next number, little
    /// endian.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for part in bytes.chunks_mut(8) {
            part.copy_from_slice(&self.bits().to_le_bytes()[..part.len()]);
        }
    }

    /// Draws a number from the uniform distribution over `0..bound`; 0 for a bound of 0.
    ///
    /// Uses multiplication into 128 bits with rejection (Lemire, 2019).
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 {
            return 0;
        }
        loop {
            let wide = u128::from(self.bits()) * u128::from(bound);
            let low = wide as u64;
            // The rejected range is smaller than the bound, so few draws need the division.
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (wide >> 64) as u64;
            }
        }
    }

    /// Returns true with probability `p`. Draws exactly once.
    pub fn chance(&mut self, p: f64) -> bool {
        self.decides(Chance::new(p))
    }

    /// Returns true with the probability `chance`. Draws exactly once.
    pub fn decides(&mut self, chance: Chance) -> bool {
        (self.bits() >> 11) < chance.0
    }

    /// Draws a duration from the uniform distribution from zero to `spread`, both included.
    ///
    /// A spread of zero draws nothing.
    pub fn within(&mut self, spread: Duration) -> Duration {
        if spread.is_zero() {
            return Duration::ZERO;
        }
        Duration::from_ns(self.below(spread.as_ns().saturating_add(1)))
    }

    /// Draws an exponentially distributed duration with this mean.
    ///
    /// Compares random numbers instead of computing a logarithm, so that the result is the same to
    /// the nanosecond on every machine. In a sequence of uniform random numbers from 0 to 1 that
    /// begins at x, the length of the first descending run is odd with probability exp(-x) (J. von
    /// Neumann, "Various techniques used in connection with random digits", 1951). If the mean is
    /// zero, the result is zero and no random number is drawn.
    pub fn exponential(&mut self, mean: Duration) -> Duration {
        if mean.is_zero() {
            return Duration::ZERO;
        }
        let mut whole = Duration::ZERO;
        loop {
            let first = self.bits();
            let (mut last, mut odd) = (first, true);
            loop {
                let next = self.bits();
                if next >= last {
                    break;
                }
                (last, odd) = (next, !odd);
            }
            if odd {
                let part = (u128::from(first) * u128::from(mean.as_ns())) >> 64;
                return whole + Duration::from_ns(part as u64);
            }
            whole += mean;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_published_one() {
        // Test vectors of the reference code of FNV.
        assert_eq!(fnv1a(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a("foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn draws_are_pinned_so_that_every_machine_agrees() {
        let mut stream = Stream::new(1, "air/loss/a>b");
        let first: Vec<u64> = (0..3).map(|_| stream.bits()).collect();
        // The values were computed with a separate implementation of the cipher: 8 rounds, key 01
        // 00 .. 00, block 0, and a stream number of 64 bits in words 14 and 15.
        let expected =
            [2_826_077_771_696_291_275, 16_453_657_818_045_984_490, 18_067_204_488_796_226_093];
        assert_eq!(first, expected);
    }

    #[test]
    fn exponential_durations_have_their_mean_and_their_quantiles() {
        let (mut stream, mean) = (Stream::new(1, "x"), Duration::from_us(100));
        let mut drawn: Vec<u64> = (0..100_000).map(|_| stream.exponential(mean).as_ns()).collect();
        drawn.sort_unstable();
        // The median is ln 2 and the 99 % point ln 100 for a mean of 1; the standard errors are
        // 0.3, 1 and 0.3 %.
        let share = |at: usize| drawn[at] as f64 / 100_000.0;
        assert!((share(50_000) / 2_f64.ln() - 1.0).abs() < 0.02, "{}", share(50_000));
        assert!((share(99_000) / 100_f64.ln() - 1.0).abs() < 0.03, "{}", share(99_000));
        let sum: u64 = drawn.iter().sum();
        assert!((sum as f64 / 1e10 - 1.0).abs() < 0.015, "{sum}");
        assert!(stream.exponential(Duration::ZERO).is_zero());
    }

    #[test]
    fn another_name_gives_another_stream_and_the_same_name_the_same() {
        let draw = |seed, name| Stream::new(seed, name).bits();
        assert_eq!(draw(7, "x"), draw(7, "x"));
        assert_ne!(draw(7, "x"), draw(7, "y"));
        assert_ne!(draw(7, "x"), draw(8, "x"));
    }

    #[test]
    fn chance_is_never_at_zero_always_at_one_and_fair_between() {
        let mut stream = Stream::new(3, "coin");
        assert!((0..1000).all(|_| !stream.chance(0.0)));
        assert!((0..1000).all(|_| stream.chance(1.0)));
        let heads = (0..100_000).filter(|_| stream.chance(0.1)).count();
        // Five standard deviations of a binomial with n = 100 000, p = 0.1.
        assert!((9_525..=10_475).contains(&heads), "{heads}");
    }

    #[test]
    fn below_stays_below_and_reaches_both_ends() {
        let mut stream = Stream::new(4, "dice");
        let mut seen = [false; 6];
        (0..1000).for_each(|_| seen[stream.below(6) as usize] = true);
        assert_eq!(seen, [true; 6]);
        assert_eq!(stream.below(0), 0);
    }
}
