//! A capture for replay on the bench: the same trigger times, sampled by the same analyser.

use airlag_sim::{Duration, Stream};
use airlag_stats::grid::step_ns;
use airlag_stats::pair::{NONE, Outcome, PairOptions, Transfers, pair};
use airlag_trace::{Segment, Trace};

use crate::error::Error;
use crate::matching::DeliveryCounts;
use airlag_rig::profile::Profile;
use airlag_rig::run::{self, Run, run};
use airlag_rig::stimulus::{Aligned, PULSE, Stimulus};

/// Smallest and largest time from the start of the bench to the first trigger, ns. The smallest time is
/// longer than any radio needs to start receiving. The largest time limits the idle time that is
/// simulated before the first trigger.
const LEAD_NS: (i64, i64) = (1_000_000, 100_000_000_000);

/// Longest capture that is replayed, ns: twelve days.
const LONGEST_NS: i64 = 1 << 50;

/// Coarsest sample interval of an analyser, ns: 1 MHz. If the times have a coarser common step, the
/// step comes from the stimulus.
const COARSEST_NS: u64 = 1_000;

/// Smallest number of trigger intervals from which a schedule can be detected.
const LEAST_GAPS: usize = 20;
/// Largest deviation of three quarters of a generator's intervals from its period, ns. It covers
/// jitter, and the drift between the clocks of analyser and generator.
const GENERATOR_NS: u64 = 10_000;
/// Intervals that deviate by more than this fraction of the period are random.
const RANDOM: u64 = 50;
/// Largest number of link cycles per median trigger interval in the search for a schedule. The trigger
/// intervals are compared with multiples of the cycle. With four cycles, three quarters of random intervals
/// deviate by up to 9 % of the median interval from the nearest multiple. This deviation is far more than
/// [`RANDOM`] allows, so that random intervals are not taken for a schedule.
const CYCLES: u64 = 4;

/// Time between two triggers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// Median, ns.
    pub(super) median_ns: u64,
    /// Largest deviation of three quarters of the intervals from a multiple of the link's cycle, ns.
    pub(super) spread_ns: u64,
}

impl Gap {
    /// Computes the time between triggers from their intervals, ns. Returns `None` for too few or random
    /// intervals.
    pub(super) fn of(mut gaps: Vec<u64>) -> Option<Self> {
        if gaps.len() < LEAST_GAPS {
            return None;
        }
        gaps.sort_unstable();
        let median_ns = gaps[gaps.len() / 2].max(1);
        // Between two triggers there may be several transmissions, of which the trigger skipped all
        // but one.
        let spread_ns = |cycles: u64| {
            let cycle = (median_ns / cycles).max(1);
            let mut off: Vec<u64> =
                gaps.iter().map(|gap| (gap % cycle).min(cycle - gap % cycle)).collect();
            off.sort_unstable();
            off[off.len() * 3 / 4]
        };
        let kept = |spread_ns: &u64| spread_ns * RANDOM < median_ns;
        let spread_ns = (1..=CYCLES).map(spread_ns).find(kept)?;
        Some(Self { median_ns, spread_ns })
    }
}

/// The first triggers of a capture.
#[derive(Clone, Debug)]
pub(super) struct Replay {
    /// Trigger times on the bench, ns since it is ready.
    times: Vec<u64>,
    /// End of the capture on the same clock.
    end_ns: i64,
    /// Captured latencies, ns, one per trigger. [`NONE`] if nothing arrived.
    latency: Vec<i64>,
    outcome: Vec<Outcome>,
    /// Sample interval of the analyser, ns. 1 if it is not visible in the times.
    grid_ns: i64,
    pairing: PairOptions,
    /// For triggers that follow the link: time from a transmission of the bench to the trigger, and number of
    /// transmissions before the first trigger. Replaces the captured times.
    behind: Option<(Duration, usize)>,
}

impl Replay {
    /// The first `count` triggers of `captured`, paired with `pairing`.
    pub(super) fn new(
        captured: &Transfers,
        count: usize,
        pairing: PairOptions,
    ) -> Result<Self, Error> {
        let nothing = Error::NothingArrived { side: "the capture" };
        let (&first, &last) = match captured.trigger_ns.get(..count.min(captured.trigger_ns.len()))
        {
            Some([first, .., last]) => (first, last),
            Some([only]) => (only, only),
            _ => return Err(nothing),
        };
        let seconds = (last as i128 - first as i128) / 1_000_000_000;
        if last.checked_sub(first).is_none_or(|span| span > LONGEST_NS) {
            return Err(Error::CaptureTooLong { seconds });
        }
        let lead = first.saturating_sub(captured.start_ns).clamp(LEAD_NS.0, LEAD_NS.1);
        let next = captured.trigger_ns.get(count).copied().unwrap_or(captured.end_ns);
        let pairs = captured.trigger_ns.iter().zip(&captured.completion_ns).take(count);
        let latency = pairs.map(|(&t, &c)| if c == NONE { NONE } else { c - t }).collect();
        let stamps = captured.trigger_ns.iter().chain(&captured.completion_ns);
        let grid = step_ns(stamps.copied().filter(|&at| at != NONE));
        let grid_ns = if (2..=COARSEST_NS).contains(&grid) { grid as i64 } else { 1 };
        // Triggers have timestamps at sample times on the bench as well.
        let lead = lead - lead % grid_ns;
        let since = |at: i64| at - first + lead;
        Ok(Self {
            times: captured.trigger_ns.iter().take(count).map(|&at| since(at) as u64).collect(),
            end_ns: since(next.clamp(last, last.saturating_add(LONGEST_NS))),
            latency,
            outcome: captured.outcome.iter().take(count).copied().collect(),
            grid_ns,
            pairing,
            behind: None,
        })
    }

    /// The same number of triggers, each `offset` after a transmission of the link, starting after `skipped`
    /// transmissions.
    pub(super) fn behind(&self, offset: Duration, skipped: usize) -> Self {
        Self { behind: Some((offset, skipped)), ..self.clone() }
    }

    /// Time between two triggers. Returns `None` for too few or random intervals.
    pub(super) fn gap(&self) -> Option<Gap> {
        Gap::of(self.times.windows(2).map(|pair| pair[1] - pair[0]).collect())
    }

    /// Whether the intervals deviate too much for a generator.
    pub(super) fn is_no_generator(&self, gap: Gap) -> bool {
        gap.spread_ns > GENERATOR_NS.max(2 * self.grid_ns as u64)
    }

    /// The first `count` triggers.
    pub(super) fn first(&self, count: usize) -> Self {
        let count = count.min(self.len()).max(1);
        let next = self.times.get(count).map_or(self.end_ns, |&at| at as i64);
        Self {
            times: self.times[..count].to_vec(),
            end_ns: next,
            latency: self.latency[..count].to_vec(),
            outcome: self.outcome[..count].to_vec(),
            ..*self
        }
    }

    /// Number of triggers.
    pub(super) fn len(&self) -> usize {
        self.times.len()
    }

    /// Sample interval of the analyser, ns. 1 if it is not visible in the times.
    pub(super) fn grid_ns(&self) -> i64 {
        self.grid_ns
    }

    /// Trigger times on the bench, ns.
    pub(super) fn times(&self) -> impl Iterator<Item = u64> {
        self.times.iter().copied()
    }

    /// Middle between the first and the last trigger, ns.
    pub(super) fn middle_ns(&self) -> u64 {
        self.times.first().map_or(0, |first| first + self.span_ns() / 2)
    }

    /// The same number of triggers, each delayed by a random time of up to half the interval, so
    /// that they sample all phases. Captured latencies are omitted.
    pub(super) fn swept(&self, count: usize, seed: u64) -> Self {
        let mut swept = self.first(count);
        let between = swept.span_ns() / (swept.len() as u64 - 1).max(1);
        let mut stream = Stream::new(seed, "match/swept triggers");
        for at in &mut swept.times {
            *at += stream.below((between / 2).max(1));
        }
        swept.times.sort_unstable();
        swept.end_ns = swept.end_ns.saturating_add(between as i64);
        swept
    }

    /// Time from the first to the last trigger, ns.
    pub(super) fn span_ns(&self) -> u64 {
        self.times.last().zip(self.times.first()).map_or(0, |(last, first)| last - first)
    }

    /// Captured latencies, ns, one per trigger. [`NONE`] if nothing arrived.
    pub(super) fn latency(&self) -> &[i64] {
        &self.latency
    }

    /// Captured latencies that arrived, ns, in trigger order.
    pub(super) fn arrived(&self) -> Vec<i64> {
        self.latency.iter().copied().filter(|&ns| ns != NONE).collect()
    }

    /// Outcome of the triggers.
    pub(super) fn delivery_counts(&self) -> DeliveryCounts {
        DeliveryCounts::of(&self.outcome)
    }

    /// Runs the bench with these triggers, and samples its strobes like the analyser of the
    /// capture.
    pub(super) fn run(
        &self,
        profile: &Profile,
        size: usize,
        options: run::Options,
    ) -> Result<Run, Error> {
        let stimulus = match self.behind {
            None => Stimulus::At(self.times.clone()),
            Some((offset, skipped)) => {
                // The generator ignored triggers that were closer than this, because no captured
                // interval is shorter.
                let gaps = self.times.windows(2).map(|pair| pair[1] - pair[0]);
                let least = gaps.min().unwrap_or(0) / 100 * 99;
                let period = Duration::from_ns(least).max(PULSE);
                Stimulus::Aligned(Aligned { offset, period, count: self.len(), skipped })
            }
        };
        let mut run = run(profile, size, &stimulus, options)?;
        self.watch(&mut run.trace, options.seed);
        Ok(run)
    }

    /// Transfers of a run, paired as in the capture.
    pub(super) fn transfers(&self, run: &Run) -> Transfers {
        pair(&run.trace, self.pairing)
    }

    /// Latencies of the bench, ns, one per trigger, [`NONE`] if nothing arrived. Also returns the number of
    /// simulated events.
    pub(super) fn latencies(
        &self,
        profile: &Profile,
        size: usize,
        seed: u64,
    ) -> Result<(Vec<i64>, u64), Error> {
        let run = self.run(profile, size, run::Options { seed, ..run::Options::default() })?;
        Ok((one_a_trigger(&self.transfers(&run)), run.events))
    }

    /// Samples a trace like the analyser of the capture: it ends with the capture, and each strobe
    /// edge moves to the next sample.
    ///
    /// A captured trigger occurred between its sample and the previous sample, but the bench triggers exactly
    /// at the sample. A random part of a sample interval is therefore subtracted from the time of the strobe
    /// before the strobe is sampled, so that the mean error of the sampled latency is zero.
    fn watch(&self, trace: &mut Trace, seed: u64) {
        let mut stream = Stream::new(seed, "analyser/trigger after sample");
        let [trigger, strobe] = trace.channels.as_mut_slice() else { return };
        let triggers = trigger.segments.iter().flat_map(|segment| segment.edges_ns.clone());
        let triggers: Vec<i64> = triggers.collect();
        for segment in &mut strobe.segments {
            sample(segment, &triggers, self.grid_ns, &mut stream);
        }
        if self.behind.is_some() {
            return;
        }
        for segment in trigger.segments.iter_mut().chain(&mut strobe.segments) {
            if segment.end_ns > self.end_ns {
                segment.end_ns = self.end_ns;
                segment.edges_ns.retain(|&at| at <= self.end_ns);
            }
        }
    }
}

/// Moves the edges of a strobe to the next samples. A strobe shorter than a sample is kept with a
/// length of one sample, because the hardware counter that it stops has registered it.
fn sample(segment: &mut Segment, triggers: &[i64], grid_ns: i64, stream: &mut Stream) {
    if grid_ns < 2 {
        return;
    }
    let (mut passed, mut early, mut last) = (0, 0, i64::MIN);
    for edge in &mut segment.edges_ns {
        let began = passed;
        while triggers.get(passed).is_some_and(|&at| at < *edge) {
            passed += 1;
        }
        if passed != began {
            early = stream.below(grid_ns as u64) as i64;
        }
        let shown = (*edge - early).div_euclid(grid_ns) * grid_ns;
        let shown = if shown < *edge - early { shown + grid_ns } else { shown };
        *edge = shown.max(last.saturating_add(grid_ns));
        last = *edge;
    }
}

/// Latencies of transfers, ns, one per trigger. [`NONE`] if nothing arrived.
pub(super) fn one_a_trigger(made: &Transfers) -> Vec<i64> {
    let pairs = made.trigger_ns.iter().zip(&made.completion_ns);
    pairs.map(|(&at, &done)| if done == NONE { NONE } else { done - at }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Strobes of 200 ns, 434 ns after each of 1,000 triggers.
    fn seen(grid_ns: i64) -> Vec<i64> {
        let triggers: Vec<i64> = (1..=1_000).map(|nth| nth * 50_000).collect();
        let edges_ns = triggers.iter().flat_map(|at| [at + 434, at + 634]).collect();
        let mut segment = Segment { begin_ns: 0, end_ns: 60_000_000, initial: false, edges_ns };
        sample(&mut segment, &triggers, grid_ns, &mut Stream::new(1, "analyser"));
        let rises = segment.edges_ns.iter().step_by(2);
        triggers.iter().zip(rises).map(|(at, rise)| rise - at).collect()
    }

    #[test]
    fn a_strobe_between_two_samples_is_shown_at_either_and_on_average_where_it_is() {
        let shown = seen(10);
        assert!(shown.iter().all(|&ns| ns == 430 || ns == 440));
        let mean = shown.iter().sum::<i64>() as f64 / shown.len() as f64;
        // Two outcomes 10 ns apart, 1,000 times: a standard error of 0.15 ns.
        assert!((mean - 434.0).abs() < 0.6, "{mean}");
        assert_eq!(seen(1), vec![434; 1_000]);
    }

    #[test]
    fn a_strobe_shorter_than_a_sample_is_one_sample_long() {
        let edges_ns = vec![1_434, 1_436];
        let mut segment = Segment { begin_ns: 0, end_ns: 9_000, initial: false, edges_ns };
        sample(&mut segment, &[1_000], 100, &mut Stream::new(1, "analyser"));
        assert_eq!(segment.edges_ns[1] - segment.edges_ns[0], 100);
    }

    #[test]
    fn the_bench_ends_where_the_capture_ends_and_a_part_of_it_where_the_next_trigger_comes() {
        let captured = Transfers {
            trigger_ns: vec![5_000_000, 10_000_000, 15_000_000],
            completion_ns: vec![5_400_000, 10_400_000, NONE],
            outcome: vec![Outcome::Delivered, Outcome::Delivered, Outcome::Censored],
            end_ns: 15_200_000,
            ..Transfers::default()
        };
        let whole = Replay::new(&captured, 10, PairOptions::default()).expect("a capture");
        assert_eq!(
            (whole.times.as_slice(), whole.end_ns),
            ([5_000_000, 10_000_000, 15_000_000].as_slice(), 15_200_000)
        );
        let part = whole.first(2);
        assert_eq!((part.len(), part.end_ns, part.span_ns()), (2, 15_000_000, 5_000_000));
        let profile = airlag_kinds::registry::find("nrf24-2m").expect("built in");
        let run = whole.run(&profile, 12, run::Options::default()).expect("it runs");
        assert_eq!(whole.transfers(&run).outcome, captured.outcome);
    }

    #[test]
    fn gaps_of_two_cycles_and_of_three_follow_a_link_and_random_ones_do_not() {
        let jitter = |nth: u64| nth * 617_033 % 1_000_000;
        // A dead time of two cycles of 240 ms, after which triggers follow varying transmissions.
        let either = |nth: u64| if nth.is_multiple_of(3) { 720_000_000 } else { 480_000_000 };
        let found = Gap::of((0..60).map(|nth| either(nth) + jitter(nth)).collect());
        let found = found.expect("gaps of a link");
        assert!((480_000_000..=481_000_000).contains(&found.median_ns), "{found:?}");
        assert!(found.spread_ns <= 2_000_000, "{found:?}");
        let mut stream = Stream::new(1, "random gaps");
        assert!(Gap::of((0..200).map(|_| stream.below(960_000_000)).collect()).is_none());
    }

    #[test]
    fn swept_triggers_meet_any_phase_and_stay_in_order() {
        let trigger_ns: Vec<i64> = (1..=200).map(|nth| nth * 20_000_000).collect();
        let captured = Transfers {
            completion_ns: trigger_ns.iter().map(|at| at + 1_000_000).collect(),
            outcome: vec![Outcome::Delivered; 200],
            end_ns: 5_000_000_000,
            trigger_ns,
            ..Transfers::default()
        };
        let replay = Replay::new(&captured, 200, PairOptions::default()).expect("a capture");
        let swept = replay.swept(200, 1);
        let times: Vec<u64> = swept.times().collect();
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
        // 10 ms of each 20 ms cover all ten parts of a tick of 10 ms, with 20 triggers each on average.
        let mut met = [0; 10];
        times.iter().for_each(|at| met[(at % 10_000_000 / 1_000_000) as usize] += 1);
        assert!(met.iter().all(|&times| times >= 5), "{met:?}");
        assert_eq!(swept.times, replay.swept(200, 1).times);
    }

    #[test]
    fn a_capture_of_years_is_refused_in_one_line() {
        let captured = Transfers {
            trigger_ns: vec![0, i64::MAX],
            completion_ns: vec![NONE; 2],
            outcome: vec![Outcome::Lost; 2],
            end_ns: i64::MAX,
            ..Transfers::default()
        };
        let error = Replay::new(&captured, 2, PairOptions::default()).expect_err("too long");
        assert!(error.to_string().contains("at most 12 days"), "{error}");
    }
}
