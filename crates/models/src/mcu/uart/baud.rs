//! The divider that a program requests, and the resulting bit duration.
//!
//! With 16 times oversampling, the baud rate register contains the frequency of the peripheral
//! clock divided by the baud rate (RM0090, "Fractional baud rate generation"). A bit therefore
//! lasts a whole number of periods of the peripheral clock. The rounding of this divider depends on
//! the program that computes it.

/// Rounding of the divider by the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Rounds to the nearest divider with a single division.
    Nearest,
    /// Rounds as the macros of ST's low-layer library do. Mantissa and fraction are truncated at
    /// two decimals before the fraction is rounded to sixteenths, which loses up to a whole step.
    LowLayer,
}

/// Reason why a baud rate has no divider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BaudError {
    /// The rate is faster than sixteen samples per bit allow.
    #[error("{baud} baud exceeds {most}, a sixteenth of the peripheral clock")]
    TooFast {
        /// Requested rate.
        baud: u64,
        /// Highest rate.
        most: u64,
    },
    /// The rate is slower than the largest divider allows.
    #[error("{baud} baud is below {least}, the peripheral clock divided by 65535")]
    TooSlow {
        /// Requested rate.
        baud: u64,
        /// Lowest rate.
        least: u64,
    },
}

/// A bit clock in processor cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Baud {
    divider: u64,
    prescaler: u64,
}

/// Bits per byte in 8N1.
pub const BITS: u64 = airlag_link::airtime::uart::BITS_PER_BYTE;

/// Samples per bit.
const OVERSAMPLING: u64 = 16;

impl Baud {
    /// Creates the bit clock for `baud`, from a peripheral clock of `peripheral_hz` that is the
    /// processor clock over `prescaler`.
    pub fn new(
        peripheral_hz: u64,
        prescaler: u64,
        baud: u64,
        rounding: Rounding,
    ) -> Result<Self, BaudError> {
        let most = peripheral_hz / OVERSAMPLING;
        let least = peripheral_hz.div_ceil(0xFFFF);
        if baud < least.max(1) {
            return Err(BaudError::TooSlow { baud, least });
        }
        if baud > most {
            return Err(BaudError::TooFast { baud, most });
        }
        let divider = match rounding {
            Rounding::Nearest => airlag_link::airtime::uart::divider(peripheral_hz, baud),
            Rounding::LowLayer => {
                let hundredths = peripheral_hz * 25 / (4 * baud);
                let (mantissa, rest) = (hundredths / 100, hundredths % 100);
                mantissa * OVERSAMPLING + (rest * OVERSAMPLING + 50) / 100
            }
        };
        Ok(Self { divider, prescaler: prescaler.max(1) })
    }

    /// Content of the baud rate register.
    #[must_use]
    pub const fn divider(&self) -> u64 {
        self.divider
    }

    /// Processor cycles of one bit.
    #[must_use]
    pub const fn bit(&self) -> u64 {
        self.divider * self.prescaler
    }

    /// Processor cycles of one byte, start and stop bit included.
    #[must_use]
    pub const fn byte(&self) -> u64 {
        self.bit() * BITS
    }

    /// First tick of the free-running bit clock at `cycle` or later.
    #[must_use]
    pub const fn beat_from(&self, cycle: u64) -> u64 {
        cycle.div_ceil(self.bit()) * self.bit()
    }

    /// First sample at `cycle` or later. A sixteenth of a bit need not be a whole number of cycles;
    /// the samples are spread evenly.
    #[must_use]
    pub const fn sample_from(&self, cycle: u64) -> u64 {
        let Some(before) = cycle.checked_sub(1) else { return 0 };
        let bit = self.bit();
        let sample = before * OVERSAMPLING / bit + 1;
        (sample * bit).div_ceil(OVERSAMPLING)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const APB1: u64 = 42_000_000;

    fn divider(baud: u64, rounding: Rounding) -> u64 {
        Baud::new(APB1, 4, baud, rounding).expect("in range").divider()
    }

    #[test]
    fn the_low_layer_library_cuts_where_others_round() {
        // 42 MHz over 115200 is 364.58. A logic analyser on the wire shows bits of 8666.7 ns, which
        // is 364 clocks.
        assert_eq!(divider(115_200, Rounding::Nearest), 365);
        assert_eq!(divider(115_200, Rounding::LowLayer), 364);
        // Bits of 2166.7 and 547.6 ns on the wire.
        assert_eq!(divider(460_800, Rounding::LowLayer), 91);
        assert_eq!(divider(1_843_200, Rounding::LowLayer), 23);
    }

    #[test]
    fn a_rate_the_divider_cannot_make_is_refused_with_the_bound() {
        let fast = Baud::new(APB1, 4, 3_000_000, Rounding::Nearest);
        assert_eq!(fast, Err(BaudError::TooFast { baud: 3_000_000, most: 2_625_000 }));
        let slow = Baud::new(APB1, 4, 300, Rounding::Nearest);
        assert_eq!(slow, Err(BaudError::TooSlow { baud: 300, least: 641 }));
    }

    proptest! {
        #[test]
        fn both_roundings_are_within_one_step_of_the_truth(baud in 641_u64..2_625_000) {
            let exact = APB1 as f64 / baud as f64;
            for rounding in [Rounding::Nearest, Rounding::LowLayer] {
                let made = divider(baud, rounding) as f64;
                prop_assert!((made - exact).abs() < 1.0, "{:?} {} {}", rounding, made, exact);
            }
        }

        #[test]
        fn beats_and_samples_come_at_most_their_own_length_late(
            baud in 9_600_u64..1_900_000, cycle in 0_u64..1_000_000_000_000,
        ) {
            let baud = Baud::new(APB1, 4, baud, Rounding::LowLayer).expect("in range");
            let (beat, sample) = (baud.beat_from(cycle), baud.sample_from(cycle));
            prop_assert!(beat >= cycle && beat < cycle + baud.bit() && beat % baud.bit() == 0);
            prop_assert!(sample >= cycle && sample <= cycle + baud.bit() / OVERSAMPLING + 1);
            prop_assert_eq!(baud.sample_from(sample), sample);
        }
    }
}
