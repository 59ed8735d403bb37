//! Current of one supply, stored as cumulative charge.
//!
//! A current meter takes 100,000 samples per second or more. Evaluation needs only the charge between two
//! edges. Therefore the cumulative charge is stored, exactly at every edge, and once per millisecond
//! between edges. Each stored point is called a knot.

use crate::error::Problem;
use crate::memory::{Held, MemoryLimit};
use crate::trace::Trace;

/// Maximum distance of knots, ns.
const STEP_NS: i64 = 1_000_000;
/// Memory per knot, bytes.
const KNOT_BYTES: usize = 2 * size_of::<i64>();
/// Attocoulombs (nA × ns) per femtocoulomb.
const AC_PER_FC: f64 = 1e3;

/// Charge over a time without gaps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stretch {
    /// Times of the knots, ns on the clock of the edges, strictly ascending.
    pub at_ns: Vec<i64>,
    /// Charge since the first knot, fC.
    pub charge_fc: Vec<i64>,
}

impl Stretch {
    /// Charge since the beginning of the stretch, fC, interpolated linearly between knots. `None` outside the
    /// stretch.
    fn by(&self, ns: i64) -> Option<f64> {
        let after = self.at_ns.partition_point(|&at_ns| at_ns <= ns);
        let before = after.checked_sub(1)?;
        let (at_ns, charge) = (self.at_ns[before], self.charge_fc[before] as f64);
        if at_ns == ns {
            return Some(charge);
        }
        let (next_ns, next) = (*self.at_ns.get(after)?, self.charge_fc[after] as f64);
        Some(charge + (next - charge) * (ns - at_ns) as f64 / (next_ns - at_ns) as f64)
    }
}

/// Current of one supply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Current {
    /// Name of the supply: an end of the link.
    pub supply: String,
    /// Largest sample, nA.
    pub peak_na: u64,
    /// Stretches in time order, separated by gaps.
    pub stretches: Vec<Stretch>,
}

impl Current {
    /// Charge between two times, fC. `None` if the current is unknown for part of the interval.
    #[must_use]
    pub fn charge_fc(&self, from_ns: i64, to_ns: i64) -> Option<f64> {
        let begins = |stretch: &Stretch| stretch.at_ns.first().is_some_and(|&at| at <= from_ns);
        let nth = self.stretches.partition_point(begins).checked_sub(1)?;
        let stretch = &self.stretches[nth];
        Some(stretch.by(to_ns)? - stretch.by(from_ns)?)
    }

    /// Total charge, fC, and total duration, ns, of all stretches.
    #[must_use]
    pub fn total(&self) -> (f64, u64) {
        let ends = self.stretches.iter().filter_map(|stretch| {
            let (first, last) = (stretch.at_ns.first()?, stretch.at_ns.last()?);
            Some((*stretch.charge_fc.last()? as f64, last.abs_diff(*first)))
        });
        ends.fold((0.0, 0), |(sum, ns), (charge, lasting)| (sum + charge, ns + lasting))
    }
}

/// Integrates current samples to charge.
#[derive(Debug)]
pub struct Meter {
    current: Current,
    held: Held,
    /// End of the last sample, ns.
    until_ns: i64,
    /// Charge since the beginning of the current stretch, aC.
    charge_ac: f64,
}

impl Meter {
    /// Creates a meter of a supply with a memory limit.
    #[must_use]
    pub fn within(memory: MemoryLimit, supply: &str) -> Self {
        let current = Current { supply: supply.to_owned(), ..Current::default() };
        Self { current, held: Held::within(memory), until_ns: 0, charge_ac: 0.0 }
    }

    /// Adds a sample: the mean current between two times, nA. A sample that does not start at the end of the
    /// previous one begins a new stretch.
    pub fn sample(&mut self, from_ns: i64, until_ns: i64, na: f64) {
        if self.current.stretches.is_empty() || from_ns != self.until_ns {
            self.knot();
            self.current.stretches.push(Stretch::default());
            (self.until_ns, self.charge_ac) = (from_ns, 0.0);
            self.knot();
        }
        self.until_ns = until_ns;
        self.charge_ac += na * (until_ns - from_ns) as f64;
        self.current.peak_na = self.current.peak_na.max(na as u64);
        let last_ns = self.current.stretches.last().and_then(|open| open.at_ns.last());
        if last_ns.is_none_or(|&last_ns| until_ns - last_ns >= STEP_NS) {
            self.knot();
        }
    }

    /// Stores the charge at the end of the last sample as a knot.
    pub fn knot(&mut self) {
        let Some(open) = self.current.stretches.last_mut() else { return };
        if open.at_ns.last() == Some(&self.until_ns) {
            return;
        }
        self.held.push(&mut open.at_ns, self.until_ns, KNOT_BYTES);
        // Both lists keep the same length when the memory limit is reached.
        if open.at_ns.len() > open.charge_fc.len() {
            open.charge_fc.push((self.charge_ac / AC_PER_FC).round() as i64);
        }
    }

    /// Returns the memory problem, if the limit is exceeded.
    #[must_use]
    pub fn refusal(&self) -> Option<Problem> {
        self.held.refusal()
    }

    /// Returns the measured current.
    #[must_use]
    pub fn finish(mut self) -> Current {
        self.knot();
        self.current
    }
}

/// Integrates samples at a constant rate, with knots at the edges of a trace.
#[derive(Debug)]
pub struct SampledMeter {
    meter: Meter,
    /// Times of the remaining edges, ns, in descending order.
    edges_ns: Vec<i64>,
    begin_ns: i64,
    step_ns: f64,
    /// Number of samples so far.
    taken: u64,
}

impl SampledMeter {
    /// Creates a meter whose samples start at `begin_ns` and last `step_ns` each.
    #[must_use]
    pub fn new(
        trace: &Trace,
        memory: MemoryLimit,
        supply: &str,
        begin_ns: i64,
        step_ns: f64,
    ) -> Self {
        let segments = trace.channels.iter().flat_map(|channel| &channel.segments);
        let mut edges_ns: Vec<i64> = segments.flat_map(|of| of.edges_ns.iter().copied()).collect();
        edges_ns.sort_unstable_by(|one, other| other.cmp(one));
        Self { meter: Meter::within(memory, supply), edges_ns, begin_ns, step_ns, taken: 0 }
    }

    /// Adds the next sample, nA. A NaN sample is a gap.
    pub fn sample(&mut self, na: f64) {
        let by = |count: u64| self.begin_ns + (count as f64 * self.step_ns).round() as i64;
        let (mut from_ns, until_ns) = (by(self.taken), by(self.taken + 1));
        self.taken += 1;
        while let Some(edge_ns) = self.edges_ns.pop_if(|edge_ns| *edge_ns <= until_ns) {
            if na.is_finite() && from_ns < edge_ns {
                self.meter.sample(from_ns, edge_ns, na);
                self.meter.knot();
                from_ns = edge_ns;
            }
        }
        if na.is_finite() && from_ns < until_ns {
            self.meter.sample(from_ns, until_ns, na);
        }
    }

    /// Returns the memory problem, if the limit is exceeded.
    #[must_use]
    pub fn refusal(&self) -> Option<Problem> {
        self.meter.refusal()
    }

    /// Returns the measured current.
    #[must_use]
    pub fn finish(self) -> Current {
        self.meter.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Channel, Segment};

    #[test]
    fn charge_between_edges_is_exact_and_none_across_a_gap() {
        let mut meter = Meter::within(MemoryLimit::of(1 << 20), "sender");
        // Each sample takes 10 us: 1 mA, and 5 mA in samples 37 to 59 of every hundred.
        for nth in 0..1_000_i64 {
            let is_high = (37..60).contains(&(nth % 100));
            if matches!(nth % 100, 37 | 60) {
                meter.knot();
            }
            meter.sample(nth * 10_000, (nth + 1) * 10_000, if is_high { 5e6 } else { 1e6 });
        }
        meter.sample(20_000_000, 20_010_000, 7e6);
        let current = meter.finish();
        // 5 mA for 230 us is 1150 nC, and 1 mA for 770 us is another 770 nC.
        assert_eq!(current.charge_fc(370_000, 600_000), Some(1_150e6));
        assert_eq!(current.charge_fc(370_000, 1_370_000), Some(1_920e6));
        assert_eq!(current.charge_fc(0, 10_000_000), Some(19_200e6));
        assert_eq!(current.charge_fc(9_000_000, 20_000_000), None);
        assert_eq!(current.charge_fc(-1, 10), None);
        assert_eq!(current.charge_fc(20_000_000, 20_005_000), Some(35e6));
        assert_eq!((current.peak_na, current.total()), (7_000_000, (19_270e6, 10_010_000)));
    }

    #[test]
    fn samples_are_cut_at_edges_and_missing_ones_are_a_gap() {
        let edges_ns = vec![1_250, 4_000];
        let segment = Segment { begin_ns: 0, end_ns: 10_000, initial: false, edges_ns };
        let channel = Channel { name: "gpi[0]".into(), segments: vec![segment] };
        let trace = Trace { channels: vec![channel], ..Trace::default() };
        let mut meter = SampledMeter::new(&trace, MemoryLimit::of(1 << 20), "receiver", 0, 1_000.0);
        for na in [1e6, 2e6, 3e6, 4e6, 5e6, f64::NAN, 6e6] {
            meter.sample(na);
        }
        let current = meter.finish();
        assert_eq!(current.charge_fc(1_250, 4_000), Some(1_500e3 + 3_000e3 + 4_000e3));
        assert_eq!(current.charge_fc(0, 1_250), Some(1_500e3));
        assert_eq!(current.charge_fc(4_000, 6_000), None);
        assert_eq!((current.peak_na, current.total()), (6_000_000, (21_000e3, 6_000)));
    }

    #[test]
    fn it_holds_no_more_than_its_limit() {
        let mut meter = Meter::within(MemoryLimit::of(16_000), "sender");
        for nth in 0..2_000 {
            meter.sample(nth * STEP_NS, (nth + 1) * STEP_NS, 1.0);
        }
        assert!(meter.refusal().is_some());
        let current = meter.finish();
        let stretch = &current.stretches[0];
        assert_eq!((stretch.at_ns.len(), stretch.charge_fc.len()), (1_000, 1_000));
    }
}
