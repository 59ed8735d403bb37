//! Conversion of an ADC reading to a current.

/// Number of measuring ranges. Range 0 is the most sensitive.
pub const RANGES: usize = 5;
/// Volts per unit: reference of 1.8 V, 2^14 units, gain of 10.
const VOLTS_PER_UNIT: f64 = 1.8 / 163_840.0;
/// Units per step of the 14-bit reading.
const UNITS_PER_READING: f64 = 4.0;
/// Nanoamperes per ampere.
const NA_PER_A: f64 = 1e9;

/// Calibration of one measuring range.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    /// Shunt, ohm.
    shunt: f64,
    /// Offset of the reading, units.
    offset: f64,
    /// Quadratic and linear gain.
    gains: [f64; 2],
    /// Current offset: proportional to the supply voltage, A/V, and constant, A.
    offsets: [f64; 2],
    /// User-defined gain.
    user_gain: f64,
}

/// Calibration of one instrument.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    ranges: [Range; RANGES],
    /// Voltage of the supply, V.
    supply: f64,
}

impl Calibration {
    /// Parses the lines `NAME: VALUE` of the metadata. `supply_mv` overrides the supply voltage of the
    /// metadata. Returns `None` if a shunt or the voltage is missing.
    pub fn read(metadata: &str, supply_mv: Option<u16>) -> Option<Self> {
        let number = |name: &str| {
            let lines = metadata.lines().filter_map(|line| line.split_once(':'));
            let mut values = lines.filter(|(key, _)| key.trim().eq_ignore_ascii_case(name));
            let value: f64 = values.next()?.1.trim().parse().ok()?;
            // Uncalibrated instruments report `-nan`.
            value.is_finite().then_some(value)
        };
        let supply_mv = supply_mv.map(f64::from).or_else(|| number("VDD"))?;
        let mut ranges = Vec::with_capacity(RANGES);
        for nth in 0..RANGES {
            let of = |name: &str, usual: f64| number(&format!("{name}{nth}")).unwrap_or(usual);
            ranges.push(Range {
                shunt: number(&format!("R{nth}")).filter(|shunt| *shunt > 0.0)?,
                offset: of("O", 0.0),
                gains: [of("GS", 1.0), of("GI", 1.0)],
                offsets: [of("S", 0.0), of("I", 0.0)],
                user_gain: of("UG", 1.0),
            });
        }
        Some(Self { ranges: ranges.try_into().ok()?, supply: supply_mv / 1e3 })
    }

    /// Current of a reading in a range, nA.
    pub fn na(&self, range: usize, reading: u16) -> f64 {
        let of = &self.ranges[range];
        let units = f64::from(reading) * UNITS_PER_READING - of.offset;
        let bare = units * VOLTS_PER_UNIT / of.shunt;
        let [quadratic, linear] = of.gains;
        let [by_supply, besides] = of.offsets;
        let amperes = bare * (quadratic * bare + linear) + by_supply * self.supply + besides;
        of.user_gain * amperes * NA_PER_A
    }
}

/// Removes spikes at range changes, as the vendor's program does: the samples after a change are replaced by
/// an exponential moving average.
#[derive(Clone, Debug, Default)]
pub struct SpikeFilter {
    /// Moving averages for the ranges below the last, and for the last.
    means: Option<[f64; 2]>,
    range: Option<usize>,
    /// Samples left to replace, and samples since the range change.
    left: u8,
    since: u8,
}

impl SpikeFilter {
    /// Smoothing factors of the two averages.
    const SHARES: [f64; 2] = [0.18, 0.06];
    /// Number of samples replaced after a change.
    const SAMPLES: u8 = 3;
    /// Number of samples excluded from the average after a change to the last range.
    const IGNORED: u8 = 2;
    /// Last range, with the slower average.
    const LAST: usize = RANGES - 1;

    /// Returns the sample, or the average that replaces it, nA.
    pub fn through(&mut self, range: usize, na: f64) -> f64 {
        let before = self.means.unwrap_or([na; 2]);
        let mixed = |nth: usize| before[nth] + Self::SHARES[nth] * (na - before[nth]);
        let mut means = [mixed(0), mixed(1)];
        let has_changed = self.range.is_some_and(|former| former != range);
        let mut value = na;
        if has_changed || self.left > 0 {
            (self.since, self.left) =
                if has_changed { (0, Self::SAMPLES) } else { (self.since + 1, self.left) };
            if range == Self::LAST && self.since < Self::IGNORED {
                means = before;
            }
            value = means[usize::from(range == Self::LAST)];
            self.left -= 1;
        }
        (self.means, self.range) = (Some(means), Some(range));
        value
    }
}
