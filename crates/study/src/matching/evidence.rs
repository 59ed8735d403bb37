//! Misfit of a bench: differences between a capture and a virtual run, by component.
//!
//! Similar distributions prove little: if the phase of a clock is unknown, a link can be fitted to many
//! latencies, and a drifting phase can produce any spread. The median latency, which fitted parameters can
//! change, is therefore only one component of the misfit. Further components compare properties that the
//! fitted parameters cannot change: the spread and its shape, the correlation of consecutive latencies, the
//! clock that completions follow, and the common step of latencies (lattice). Each component is a Lévy
//! distance (P. Lévy) or a difference of shares, from 0 (equal) to 1. The sum of the components is the
//! misfit.

use airlag_stats::dist::quantiles;
use airlag_stats::interval::exact;
use airlag_stats::levy::levy_within;
use airlag_stats::pair::NONE;

use super::lattice::{clock, lattice};
use super::{DeliveryCounts, serial};

/// Spread below which a capture counts as constant, as a share of the median. The bench counts whole clock
/// cycles, and does not model the order of finer variation.
const FINE: f64 = 0.02;

/// Smallest spread that is compared, in samples of the analyser. A latency is the difference of two times, each
/// rounded to a sample, in the capture and on the bench.
const SAMPLES: f64 = 4.0;

/// Largest difference of the medians of a capture and a profile that explains it: as a share of the median,
/// and of the spread of the capture.
const NEAR: f64 = 0.05;
const IN_SPREAD: f64 = 0.15;

/// Largest difference between the median latencies of a capture and of a profile that explains it, as a share
/// of the median, if the captured latencies do not vary. Chance has no effect on a capture without variation.
/// The captured median differs by at most 0.1 % from the median of the profile of the captured link. Profiles
/// of other links whose latency is similar by chance have medians that differ from the captured median by
/// 0.7 % or more (`docs/matching.md`).
pub(super) const EXACT: f64 = 0.005;
/// Spread of a capture above which the full difference [`NEAR`] is permitted, as a share of the median.
const NARROW: f64 = 3.0 * FINE;

/// Weight of the order of latencies. Chance affects differences of neighbours more than latencies (example
/// `null`).
const ORDER: f64 = 0.5;

/// Quantiles at which the bench may be shifted onto the capture to compare the spread.
const MOVES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// Largest loss ratio of a link without permanent frame loss. Such losses come from resets,
/// reconnections or bad contacts.
const RELIABLE: f64 = 1e-3;
/// If at least the observed number of losses has a lower probability on such a link, the losses
/// contradict the profile.
const BY_CHANCE: f64 = 0.01;

/// Weight of a spectral line that only one side has. It is below 1 because the line shows only one
/// property of the signal, and a bench does not model interference.
const LINE: f64 = 0.3;

/// Number of consecutive parts whose medians give the standard error of the median, and the smallest number of
/// latencies per part.
const PARTS: (usize, usize) = (10, 10);
/// Number of standard errors that may be due to chance.
const ERRORS: f64 = 2.0;

/// A capture, or a virtual run at its trigger times.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// One latency per trigger, ns. [`NONE`] if nothing arrived.
    latency: Vec<i64>,
    /// Latencies that arrived, ascending.
    sorted: Vec<i64>,
    /// Differences of consecutive latencies that both arrived, ascending.
    steps: Vec<i64>,
    /// Completion times, ns.
    completions: Vec<f64>,
    /// Median time between triggers, ns.
    interval_ns: f64,
    /// Sample interval, ns.
    grid_ns: i64,
}

impl Seen {
    /// Latencies in ns, one for each of `triggers`. [`NONE`] if nothing arrived.
    pub(super) fn new(triggers: impl Iterator<Item = u64>, latency: Vec<i64>) -> Self {
        let mut sorted: Vec<i64> = latency.iter().copied().filter(|&ns| ns != NONE).collect();
        sorted.sort_unstable();
        let both = latency.windows(2).filter(|pair| pair[0] != NONE && pair[1] != NONE);
        let mut steps: Vec<i64> = both.map(|pair| (pair[1] - pair[0]).abs()).collect();
        steps.sort_unstable();
        let triggers: Vec<u64> = triggers.collect();
        let gaps: Vec<i64> =
            triggers.windows(2).map(|pair| pair[1].abs_diff(pair[0]) as i64).collect();
        let interval_ns = quantiles(&gaps, &[0.5]).first().copied().unwrap_or(0.0);
        let arrived = triggers.iter().zip(&latency).filter(|&(_, &ns)| ns != NONE);
        let completions = arrived.map(|(&at, &ns)| at as f64 + ns as f64).collect();
        Self { latency, sorted, steps, completions, interval_ns, grid_ns: 0 }
    }

    /// Returns the latencies as seen by an analyser with a sample interval of `grid_ns`.
    pub(super) fn at_samples_of(self, grid_ns: i64) -> Self {
        Self { grid_ns, ..self }
    }

    fn lost(&self) -> f64 {
        1.0 - self.sorted.len() as f64 / self.latency.len().max(1) as f64
    }

    /// Range of the middle nine tenths, ns, but no less than the share `least` of the median.
    fn spread_ns(&self, median_ns: f64, least: f64) -> f64 {
        let ends = quantiles(&self.sorted, &[0.05, 0.95]);
        (ends[1] - ends[0]).max(least * median_ns).max(1.0)
    }

    /// Unit for differences of the spread, ns. The resolution of latencies without variation is that of their
    /// median, [`EXACT`], or a few samples of the analyser.
    fn unit_ns(&self, median_ns: f64) -> f64 {
        let samples = SAMPLES * self.grid_ns as f64 / median_ns;
        self.spread_ns(median_ns, samples.clamp(EXACT, FINE))
    }

    /// Whether the profile of the captured link determines the serial correlation of these latencies.
    fn has_order(&self, median_ns: f64) -> bool {
        let least = serial::least_variation_ns(self.interval_ns);
        self.spread_ns(median_ns, 0.0) > least.max(FINE * median_ns)
    }

    /// Uncertainty of the median latency, ns: [`ERRORS`] times the standard error of the median. Consecutive
    /// latencies need not be independent, so the run is divided into consecutive parts. The standard error is
    /// computed from the differences between the medians of neighbouring parts, because a trend hardly
    /// affects these differences (J. von Neumann, "Distribution of the ratio of the mean square successive
    /// difference to the variance", 1941).
    fn median_error_ns(&self) -> f64 {
        let arrived: Vec<i64> = self.latency.iter().copied().filter(|&ns| ns != NONE).collect();
        let (count, least) = PARTS;
        if arrived.len() < count * least {
            return 0.0;
        }
        let medians = arrived.chunks_exact(arrived.len() / count).map(|part| {
            let mut part = part.to_vec();
            part.sort_unstable();
            quantiles(&part, &[0.5])[0]
        });
        let medians: Vec<f64> = medians.take(count).collect();
        let squares: f64 = medians.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
        let variance = squares / (2 * (medians.len() - 1)) as f64;
        ERRORS * (variance / medians.len() as f64).sqrt()
    }
}

/// A component of the misfit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Difference of the medians.
    Place,
    /// Difference of the spread, regardless of the median.
    Variation,
    /// Difference of the correlation of consecutive latencies.
    Order,
    /// Difference of the loss ratio.
    Lost,
    /// Difference of the share of completions that follow the clock found in the capture.
    Clock,
    /// Difference between the lattices of the latencies.
    Lattice,
}

impl Part {
    /// Name in the JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Place => "place",
            Self::Variation => "variation",
            Self::Order => "order",
            Self::Lost => "lost",
            Self::Clock => "clock",
            Self::Lattice => "lattice",
        }
    }
}

/// Misfit of a bench by component, each from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Difference in latency: the smaller of two measures. The first measure is the difference of the medians
    /// of bench and capture, as a share of the captured median. This difference is first reduced by the
    /// uncertainty of the captured median or by one sample of the analyser, whichever is larger. The second
    /// measure is the Lévy distance of the two latency distributions. This distance is the smallest share `e`
    /// for which bench and capture differ by at most a tolerance, if a share `e` of the latencies is ignored.
    /// The tolerance is `e` times the captured median or `e` times the captured spread, whichever is larger.
    pub place: f64,
    /// Difference of the medians alone, as a share of the captured median. Included in `place`.
    pub apart: f64,
    /// Spread of the capture as a share of its median, at least [`FINE`]. Not a component of the misfit.
    pub spread: f64,
    /// Spread of the capture as a share of its median, at least [`EXACT`].
    pub varies: f64,
    /// Smallest share `e` such that all but `e` of the latencies agree within `e` times the spread
    /// of the capture, after capture and bench are shifted onto each other.
    pub variation: f64,
    /// Like `variation`, for the differences between consecutive latencies, plus the difference between the
    /// serial correlations of the latencies.
    pub order: f64,
    /// Difference of the loss ratios.
    pub lost: f64,
    /// Difference between the shares of completions that follow the clock of the capture, capture
    /// minus bench, beyond chance.
    pub clock: f64,
    /// Difference between the shares of latencies on a lattice line, between capture and bench,
    /// beyond chance.
    pub lattice: f64,
}

impl Evidence {
    /// Compares the latencies of a bench (`made`) with the latencies of a capture (`captured`). If the
    /// completions of the capture follow a clock, `own_period_ns` is the period of that clock. Returns `None`
    /// if the bench or the capture has too few latencies.
    pub(super) fn of(captured: &Seen, made: &Seen, own_period_ns: Option<f64>) -> Option<Self> {
        if captured.sorted.is_empty() || made.sorted.is_empty() {
            return None;
        }
        let (theirs, ours) = (quantiles(&captured.sorted, &MOVES), quantiles(&made.sorted, &MOVES));
        let median = theirs[2].max(1.0);
        let (spread, unit) = (captured.spread_ns(median, FINE), captured.unit_ns(median));
        let moved = |by: f64| {
            let ours: Vec<i64> = made.sorted.iter().map(|ns| ns - by as i64).collect();
            levy_within(&captured.sorted, &ours, unit)
        };
        let moves = theirs.iter().zip(&ours).map(|(theirs, ours)| ours - theirs);
        let known = captured.median_error_ns().max(captured.grid_ns as f64);
        let apart = ((ours[2] - theirs[2]).abs() - known).max(0.0) / median;
        // If latencies have only a few distinct values, a small difference can move the median to
        // the next value.
        let stepped = levy_within(&captured.sorted, &made.sorted, median.max(spread));
        let order = match captured.steps.is_empty() || made.steps.is_empty() {
            true => 0.0,
            false => levy_within(&captured.steps, &made.steps, unit),
        };
        let memory = match captured.has_order(median) {
            true => serial::difference(&captured.latency, &made.latency),
            false => 0.0,
        };
        let is_constant = captured.spread_ns(median, 0.0) <= FINE * median;
        Some(Self {
            spread: spread / median,
            varies: captured.spread_ns(median, EXACT) / median,
            place: apart.min(stepped),
            apart,
            variation: moves.map(moved).fold(1.0, f64::min),
            order: (order + memory).min(1.0),
            lost: (captured.lost() - made.lost()).abs(),
            clock: own_period_ns.map_or(0.0, |period_ns| {
                clock(&captured.completions, &made.completions, period_ns)
            }),
            lattice: match is_constant {
                true => 0.0,
                false => lattice(&captured.sorted, &made.sorted, spread),
            },
        })
    }

    /// Like [`Evidence::of`], for a link without permanent frame loss. Captured losses that the bench lacks
    /// contradict the profile if they exceed chance, even if they are few.
    pub(super) fn of_reliable(self, captured: &DeliveryCounts, bench: &DeliveryCounts) -> Self {
        let more = captured.lost.saturating_sub(bench.lost);
        let least = exact(more, captured.triggers, 2.0 * BY_CHANCE).0;
        Self { lost: if least > RELIABLE { 1.0 } else { self.lost }, ..self }
    }

    /// Whether the medians of capture and bench are so close that the bench may be the captured link. The
    /// limit of the difference of the medians is the larger of two values: the share [`NEAR`] of the captured
    /// median, and the share [`IN_SPREAD`] of the captured spread. If the captured spread is below
    /// [`NARROW`], the limit is lower. For latencies without variation, the limit is [`EXACT`].
    #[must_use]
    pub fn is_near(&self) -> bool {
        let varies = ((self.spread - FINE) / (NARROW - FINE)).clamp(0.0, 1.0);
        let most = EXACT + (NEAR - EXACT) * varies;
        self.apart <= most.max(IN_SPREAD * self.spread * varies)
    }

    /// Components of the misfit with their weights applied.
    #[must_use]
    pub const fn parts(&self) -> [(Part, f64); 6] {
        [
            (Part::Place, self.place),
            (Part::Variation, self.variation),
            (Part::Order, ORDER * self.order),
            (Part::Lost, self.lost),
            (Part::Clock, LINE * self.clock),
            (Part::Lattice, LINE * self.lattice),
        ]
    }

    /// Misfit without the component `place`, which a phase can change.
    #[must_use]
    pub fn unlike(&self) -> f64 {
        self.sum() - self.place
    }

    /// Returns the largest component, or the first one if several are equal.
    #[must_use]
    pub fn strongest(&self) -> Part {
        let parts = self.parts();
        let larger = |a: (Part, f64), b: (Part, f64)| if b.1 > a.1 { b } else { a };
        parts.into_iter().fold(parts[0], larger).0
    }

    /// Total misfit.
    #[must_use]
    pub fn sum(&self) -> f64 {
        self.parts().iter().map(|(_, share)| share).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIGGERS: usize = 400;

    /// Triggers every 20 ms with these latencies.
    fn seen(latency: impl Fn(usize) -> i64) -> Seen {
        let triggers = (0..TRIGGERS as u64).map(|nth| nth * 20_000_000);
        Seen::new(triggers, (0..TRIGGERS).map(latency).collect())
    }

    /// Element `nth` of a low-discrepancy sequence (H. Weyl) between 0 and 1. Elements are not
    /// sorted.
    fn even(nth: usize) -> f64 {
        (nth as f64 * 0.618_033_988_75).fract()
    }

    fn evidence(captured: &Seen, made: &Seen) -> Evidence {
        Evidence::of(captured, made, None).expect("both have latencies")
    }

    #[test]
    fn nothing_speaks_against_a_run_that_is_the_capture() {
        let captured = seen(|nth| 5_000_000 + (4e6 * even(nth)) as i64);
        let found = evidence(&captured, &captured);
        assert_eq!((found.sum(), found.is_near()), (0.0, true));
    }

    #[test]
    fn a_run_elsewhere_differs_in_its_place_alone() {
        let captured = seen(|nth| 5_000_000 + (4e6 * even(nth)) as i64);
        let found = evidence(&captured, &seen(|nth| 8_000_000 + (4e6 * even(nth)) as i64));
        assert!((found.apart - 3.0 / 7.0).abs() < 0.01 && !found.is_near(), "{found:?}");
        // All but 0.27 of them agree within 0.27 of 7 ms.
        assert!((0.2..0.4).contains(&found.place), "{found:?}");
        assert!(found.sum() - found.place < 0.01, "{found:?}");
    }

    #[test]
    fn what_does_not_vary_has_to_be_where_the_capture_is_and_what_varies_only_near_it() {
        let near = |captured: &Seen, made: &Seen| evidence(captured, made).is_near();
        let still = |ns: i64| seen(move |_| ns);
        // An nRF24 at 2 Mbit/s and a wire at 460,800 baud, with 12 B each.
        assert!(!near(&still(263_000), &still(265_000)));
        assert!(near(&still(263_000), &still(263_300)));
        let wide = |from: i64| seen(move |nth| from + (4e6 * even(nth)) as i64);
        assert!(near(&wide(5_000_000), &wide(5_300_000)));
    }

    #[test]
    fn a_median_one_sample_of_the_analyser_away_is_no_distance_away() {
        let still = |ns: i64| seen(move |_| ns).at_samples_of(10);
        let found = evidence(&still(370), &still(380));
        assert_eq!((found.place, found.is_near()), (0.0, true));
        assert!(!evidence(&still(370), &still(390)).is_near());
    }

    #[test]
    fn a_median_between_two_steps_is_as_far_away_as_the_transfers_that_moved_it() {
        // Slots of 10 ms. Of 100 transfers, one or two more are in the later slot.
        let steps =
            |early: usize| seen(move |nth| if nth % 100 < early { 10_000_000 } else { 20_000_000 });
        let found = evidence(&steps(51), &steps(49));
        // Two standard errors of such a median are a third of a step.
        assert!(found.apart > 0.5 && found.place < 0.03, "{found:?}");
    }

    #[test]
    fn the_strongest_part_is_what_counts_most_and_of_equals_the_first() {
        assert_eq!(Evidence::default().strongest(), Part::Place);
        let clocked = Evidence { clock: 0.9, lost: 0.2, ..Evidence::default() };
        assert_eq!(clocked.strongest(), Part::Clock);
        // A lattice line has a partial weight.
        let lossy = Evidence { clock: 0.9, lost: 0.3, order: 0.6, ..Evidence::default() };
        assert_eq!(lossy.strongest(), Part::Order);
    }

    #[test]
    fn a_ramp_over_the_same_latencies_differs_in_their_order_alone() {
        let captured = seen(|nth| 5_000_000 + (4e6 * even(nth)) as i64);
        let found = evidence(&captured, &seen(|nth| 5_000_000 + 10_000 * nth as i64));
        assert!(found.order > 0.25, "{found:?}");
        assert!(found.place + found.variation < 0.02, "{found:?}");
    }

    #[test]
    fn a_retry_of_a_fixed_length_is_a_lattice_that_a_smooth_link_does_not_show() {
        let smooth = seen(|nth| 20_000_000 + (9e6 * even(nth)) as i64);
        let steps = seen(|nth| 20_000_000 + (9.0 * even(nth)) as i64 * 1_000_000);
        assert!(evidence(&smooth, &steps).lattice > 0.5);
        assert!(evidence(&steps, &smooth).lattice > 0.5);
        assert_eq!(evidence(&steps, &steps).lattice, 0.0);
    }

    #[test]
    fn the_order_of_variation_within_the_drift_of_crystals_is_not_compared() {
        // Over ten triggers every 20 ms, two crystals drift apart by up to 20 us.
        let order = |range: f64| {
            let base = (10.0 * range) as i64;
            let captured = seen(|nth| base + (range * even(nth)) as i64);
            let ramp = seen(|nth| base + (range * nth as f64 / TRIGGERS as f64) as i64);
            let steps = levy_within(&captured.steps, &ramp.steps, captured.unit_ns(base as f64));
            evidence(&captured, &ramp).order - steps
        };
        assert!(order(40e3) > 0.2, "{}", order(40e3));
        assert!(order(20e3).abs() < 1e-9, "{}", order(20e3));
    }

    #[test]
    fn constant_latencies_are_compared_as_finely_as_their_medians() {
        // 2 us of 265 us in three steps, as of a wire at 460,800 baud, against a single latency.
        let steps = seen(|nth| 264_000 + (nth as i64 % 3) * 1_000).at_samples_of(20);
        let found = evidence(&steps, &seen(|_| 265_000).at_samples_of(20));
        assert!(found.variation > 0.2, "{found:?}");
        // A variation of a few samples is that of the analyser.
        let sampled = seen(|nth| 264_960 + (nth as i64 % 3) * 40).at_samples_of(40);
        let found = evidence(&sampled, &seen(|_| 265_000).at_samples_of(40));
        assert!(found.variation < 0.04, "{found:?}");
    }

    #[test]
    fn a_clock_only_the_capture_completes_on_speaks_against_the_bench() {
        // One side with a tick of 7 ms, the other without a tick.
        let to_tick = |nth: usize| 7_000_000 - (nth as i64 * 20_000_000) % 7_000_000;
        let (captured, made) = (seen(to_tick), seen(|nth| 1_000_000 + (6e6 * even(nth)) as i64));
        let found = Evidence::of(&captured, &made, Some(7e6)).expect("both have latencies");
        assert!(found.clock > 0.5, "{found:?}");
        let same = Evidence::of(&captured, &captured, Some(7e6)).expect("both have latencies");
        assert_eq!(same.clock, 0.0);
    }

    #[test]
    fn a_link_that_loses_no_frame_does_not_explain_losses_that_are_no_accident() {
        let counts = |lost| DeliveryCounts { triggers: 1_000, delivered: 1_000 - lost, lost };
        let lost = |captured, bench| {
            let few = Evidence { lost: 0.02, ..Evidence::default() };
            few.of_reliable(&counts(captured), &counts(bench)).lost
        };
        // One loss in a thousand is expected. Five have a probability of 1 in 270.
        assert_eq!((lost(1, 0), lost(2, 0), lost(5, 0), lost(20, 0)), (0.02, 0.02, 1.0, 1.0));
        assert_eq!(lost(20, 19), 0.02);
    }

    #[test]
    fn what_is_lost_on_one_side_counts_and_nothing_to_compare_is_no_evidence() {
        let whole = seen(|_| 1_000_000);
        let lossy = seen(|nth| if nth % 4 == 0 { NONE } else { 1_000_000 });
        assert!((evidence(&whole, &lossy).lost - 0.25).abs() < 1e-9);
        assert_eq!(Evidence::of(&whole, &seen(|_| NONE), None), None);
    }
}
