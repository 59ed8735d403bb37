//! Current of one supply beside the edges, kept as the charge that has flowed by each instant.
//!
//! A current meter takes a hundred thousand samples a second and more. What is asked of them is the charge
//! between two edges, so charge is what is kept: at every edge exactly, and once a millisecond in
//! between.

use crate::error::Problem;
use crate::memory::{Held, MemoryLimit};
use crate::trace::Trace;

/// Longest distance of two knots without an edge in between, ns.
const STEP_NS: i64 = 1_000_000;
/// Memory of a knot.
const KNOT_BYTES: usize = 2 * size_of::<i64>();
/// Attocoulombs, which are nanoamperes times nanoseconds, of a femtocoulomb.
const AC_PER_FC: f64 = 1e3;

/// Charge over a stretch of time without a gap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stretch {
    /// Instants at which the charge is kept, ns on the clock of the edges, strictly ascending.
    pub at_ns: Vec<i64>,
    /// Charge since the first of them, fC.
    pub charge_fc: Vec<i64>,
}

impl Stretch {
    /// Charge since its begin, fC; none outside of it. The current is constant between two knots.
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
    /// What is supplied.
    pub supply: String,
    /// Largest sample, nA.
    pub peak_na: u64,
    /// What was measured, in time order; more than one where samples are missing.
    pub stretches: Vec<Stretch>,
}

impl Current {
    /// Charge from one instant to a later one, fC; none where the current in between is not known.
    #[must_use]
    pub fn charge_fc(&self, from_ns: i64, to_ns: i64) -> Option<f64> {
        let begins = |stretch: &Stretch| stretch.at_ns.first().is_some_and(|&at| at <= from_ns);
        let nth = self.stretches.partition_point(begins).checked_sub(1)?;
        let stretch = &self.stretches[nth];
        Some(stretch.by(to_ns)? - stretch.by(from_ns)?)
    }

    /// Charge of all stretches, fC, and their length, ns.
    #[must_use]
    pub fn total(&self) -> (f64, u64) {
        let ends = self.stretches.iter().filter_map(|stretch| {
            let (first, last) = (stretch.at_ns.first()?, stretch.at_ns.last()?);
            Some((*stretch.charge_fc.last()? as f64, last.abs_diff(*first)))
        });
        ends.fold((0.0, 0), |(sum, ns), (charge, lasting)| (sum + charge, ns + lasting))
    }
}

/// Takes samples of a current, and keeps the charge.
#[derive(Debug)]
pub struct Meter {
    current: Current,
    held: Held,
    /// End of the last sample, ns.
    until_ns: i64,
    /// Charge since the begin of the stretch, aC.
    charge_ac: f64,
}

impl Meter {
    /// A meter in a supply, which holds at most so much.
    #[must_use]
    pub fn within(memory: MemoryLimit, supply: &str) -> Self {
        let current = Current { supply: supply.to_owned(), ..Current::default() };
        Self { current, held: Held::within(memory), until_ns: 0, charge_ac: 0.0 }
    }

    /// Takes the mean current between two instants. A sample that does not begin where the one before ended
    /// begins a new stretch.
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

    /// Keeps the charge at the end of the last sample, where an edge is.
    pub fn knot(&mut self) {
        let Some(open) = self.current.stretches.last_mut() else { return };
        if open.at_ns.last() == Some(&self.until_ns) {
            return;
        }
        self.held.push(&mut open.at_ns, self.until_ns, KNOT_BYTES);
        // Both lists have one length: a limit that is reached leaves out both.
        if open.at_ns.len() > open.charge_fc.len() {
            open.charge_fc.push((self.charge_ac / AC_PER_FC).round() as i64);
        }
    }

    /// Why it keeps no more, if so.
    #[must_use]
    pub fn refusal(&self) -> Option<Problem> {
        self.held.refusal()
    }

    /// What was measured.
    #[must_use]
    pub fn finish(mut self) -> Current {
        self.knot();
        self.current
    }
}

/// Takes samples at a rate, beside edges that were recorded before.
#[derive(Debug)]
pub struct SampledMeter {
    meter: Meter,
    /// Instants of the edges, ns, the next one last.
    edges_ns: Vec<i64>,
    begin_ns: i64,
    step_ns: f64,
    /// Samples so far.
    taken: u64,
}

impl SampledMeter {
    /// A meter whose first sample begins at an instant and lasts a step, ns.
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

    /// Takes the next sample, nA; one that is no number is missing.
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

    /// Why it keeps no more, if so.
    #[must_use]
    pub fn refusal(&self) -> Option<Problem> {
        self.meter.refusal()
    }

    /// What was measured.
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
        // 10 us a sample: 1 mA, and 5 mA from the 37th to the 60th of every hundred.
        for nth in 0..1_000_i64 {
            let is_high = (37..60).contains(&(nth % 100));
            if matches!(nth % 100, 37 | 60) {
                meter.knot();
            }
            meter.sample(nth * 10_000, (nth + 1) * 10_000, if is_high { 5e6 } else { 1e6 });
        }
        meter.sample(20_000_000, 20_010_000, 7e6);
        let current = meter.finish();
        // 230 us of 5 mA are 1150 nC, and 1 mA for 770 us another 770 nC.
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
