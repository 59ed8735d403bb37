//! From a reading of the converter to a current.

/// Measuring ranges, from the most sensitive one.
pub const RANGES: usize = 5;
/// Volts of a unit of the reading: 1.8 V of reference over 2^14 units, amplified by 10.
const VOLTS_PER_UNIT: f64 = 1.8 / 163_840.0;
/// Units of the converter's 14 bits.
const UNITS_PER_READING: f64 = 4.0;
/// Nanoamperes of an ampere.
const NA_PER_A: f64 = 1e9;

/// What the metadata contain of a measuring range.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    /// Shunt, ohm.
    shunt: f64,
    /// Offset of the reading, units.
    offset: f64,
    /// Quadratic and linear gain.
    gains: [f64; 2],
    /// Offset of the current by the voltage of the supply, A/V, and besides, A.
    offsets: [f64; 2],
    /// Gain that the user has set.
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
    /// Reads it from the lines `NAME: VALUE` of the metadata. The voltage is that of the metadata unless
    /// another one is supplied, mV. None where a shunt or the voltage is missing.
    pub fn read(metadata: &str, supply_mv: Option<u16>) -> Option<Self> {
        let number = |name: &str| {
            let lines = metadata.lines().filter_map(|line| line.split_once(':'));
            let mut values = lines.filter(|(key, _)| key.trim().eq_ignore_ascii_case(name));
            let value: f64 = values.next()?.1.trim().parse().ok()?;
            // An instrument that was never calibrated has `-nan`.
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

    /// The current of a reading in a range, nA.
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

/// Removes the spikes of a change of the measuring range, as the vendor's program does: the samples after
/// it count as the mean of those before, which decays exponentially.
#[derive(Clone, Debug, Default)]
pub struct SpikeFilter {
    /// The means in the ranges below the last, and in the last.
    means: Option<[f64; 2]>,
    range: Option<usize>,
    /// Samples that are still averaged, and how many since the range has changed.
    left: u8,
    since: u8,
}

impl SpikeFilter {
    /// Shares of the newest sample in either mean.
    const SHARES: [f64; 2] = [0.18, 0.06];
    /// Samples that are averaged after a change.
    const SAMPLES: u8 = 3;
    /// Samples after a change to the last range that have no part in its mean.
    const IGNORED: u8 = 2;
    /// The last range, whose mean is the slower one.
    const LAST: usize = RANGES - 1;

    /// The sample, or the mean in its place.
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
