//! What speaks against a bench: where a capture and a virtual run differ, one share each.
//!
//! Two distributions that are alike prove little: a link with a free phase can be moved anywhere,
//! and a drifting one spread over anything. What cannot be moved is kept apart from what can:
//! whether latencies vary as much and as unevenly, whether one follows another in the same way,
//! whether both complete on the same clock and stand on the same lattice. Each is a distance of P.
//! Lévy or a difference of shares, from 0 (alike) to 1, and their sum is what speaks against it.

use std::ops::RangeInclusive;

use airlag_stats::dist::quantiles;
use airlag_stats::fold::comb;
use airlag_stats::interval::exact;
use airlag_stats::levy::levy_within;
use airlag_stats::pair::NONE;

use super::Fate;

/// Variation below this share of the median is none: nobody asks about it, and a bench of whole
/// clock cycles does not know it.
const FINE: f64 = 0.02;

/// How far the medians of a capture and of what explains it may be apart: as a share of the median,
/// and of what the capture varies.
const NEAR: f64 = 0.05;
const IN_SPREAD: f64 = 0.15;

/// The same where a capture does not vary. Nothing is in it then that a model had to leave to chance:
/// profiles are within 0.1 % of the captures of their own links that do not, and other links that take as
/// long by chance are 0.7 % off and more (`docs/matching.md`).
pub(super) const EXACT: f64 = 0.005;
/// What a capture varies that leaves its link as much room as any, as a share of the median.
const NARROW: f64 = 3.0 * FINE;

/// What the order of latencies counts, of a whole share: chance moves the differences of neighbours
/// by more than it moves latencies (the example `null`).
const ORDER: f64 = 0.5;

/// Where the bench may be moved onto the capture to compare how they vary.
const MOVES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// Share of a line that chance explains, of however many latencies.
const FAINT: f64 = 0.2;

/// Share of its messages that a link loses at most that loses no frame for good: a reset, a
/// connection that is set up again, a bad contact.
const RELIABLE: f64 = 1e-3;
/// Probability that a capture of such a link shows so many losses that they count as a contradiction.
const BY_CHANCE: f64 = 0.01;

/// What a line counts that only one side has, of a whole share. It is seen on one moment of the
/// signal only, and a bench knows no interference.
const LINE: f64 = 0.3;

/// Lines of the lattice that are looked for, in quarters of turns over the middle nine tenths of the
/// latencies. Fewer are a shape.
const TURNS: RangeInclusive<u32> = 8..=240;

/// Consecutive parts whose medians show how well that of a capture is known, and how many latencies each
/// has at least.
const PARTS: (usize, usize) = (10, 10);
/// Standard errors that chance explains.
const ERRORS: f64 = 2.0;

/// A capture, or a virtual run under its triggers.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// One a trigger, ns; [`NONE`] where nothing arrived.
    latency: Vec<i64>,
    /// Those that arrived, ascending.
    sorted: Vec<i64>,
    /// Differences of neighbours that both arrived, ascending.
    steps: Vec<i64>,
    /// When transfers completed, ns.
    completions: Vec<f64>,
    /// Distance of the samples they were seen at, ns.
    grid_ns: i64,
}

impl Seen {
    /// Latencies, ns, one for each of `triggers`; [`NONE`] where nothing arrived.
    pub(super) fn new(triggers: impl Iterator<Item = u64>, latency: Vec<i64>) -> Self {
        let mut sorted: Vec<i64> = latency.iter().copied().filter(|&ns| ns != NONE).collect();
        sorted.sort_unstable();
        let both = latency.windows(2).filter(|pair| pair[0] != NONE && pair[1] != NONE);
        let mut steps: Vec<i64> = both.map(|pair| (pair[1] - pair[0]).abs()).collect();
        steps.sort_unstable();
        let arrived = triggers.zip(&latency).filter(|&(_, &ns)| ns != NONE);
        let completions = arrived.map(|(at, &ns)| at as f64 + ns as f64).collect();
        Self { latency, sorted, steps, completions, grid_ns: 0 }
    }

    /// The same through an analyser whose samples are so far apart.
    pub(super) fn at_samples_of(self, grid_ns: i64) -> Self {
        Self { grid_ns, ..self }
    }

    fn lost(&self) -> f64 {
        1.0 - self.sorted.len() as f64 / self.latency.len().max(1) as f64
    }

    /// How far apart its middle nine tenths are, ns, but not less than this share of the median.
    fn spread_ns(&self, median_ns: f64, least: f64) -> f64 {
        let ends = quantiles(&self.sorted, &[0.05, 0.95]);
        (ends[1] - ends[0]).max(least * median_ns).max(1.0)
    }

    /// How far its median may be off by chance, ns: the standard error by consecutive parts, which
    /// need not be independent within, by the differences of neighbours, which a trend hardly moves
    /// (J. von Neumann, "Distribution of the ratio of the mean square successive difference to the
    /// variance", 1941).
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

    /// How concentrated its latencies are on each line of [`TURNS`], and of one more on either side.
    fn lines(&self, spread_ns: f64) -> Vec<f64> {
        let latencies: Vec<f64> = self.sorted.iter().map(|&ns| ns as f64).collect();
        let turns = TURNS.start() - 1..=TURNS.end() + 1;
        turns
            .map(|turns| comb::concentration(&latencies, 4.0 * spread_ns / f64::from(turns)))
            .collect()
    }
}

/// One thing that can speak against a bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Its median lies elsewhere.
    Place,
    /// Its latencies are spread otherwise, wherever they lie.
    Variation,
    /// One latency does not follow another as in the capture.
    Order,
    /// It loses another share.
    Lost,
    /// It does not complete on the clock that the capture shows.
    Clock,
    /// Its latencies and those of the capture stand on different lattices.
    Lattice,
}

impl Part {
    /// The name other tools rely on.
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

/// What speaks against a bench, from 0 to 1 each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// How far the two lie apart: their medians, by more than a sample of the analyser, as a share of the
    /// captured; or, where that is less, the least share such that all but that share of the latencies
    /// agree within that share of the median, or of what the capture varies if that is more.
    pub place: f64,
    /// How far the medians alone are apart, as a share of the captured. Counts in `place`.
    pub apart: f64,
    /// What the capture varies, as a share of its median, and [`FINE`] at least. Speaks for nobody.
    pub spread: f64,
    /// The same, and [`EXACT`] at least.
    pub varies: f64,
    /// Once moved onto each other, the least share such that all but that share of the latencies
    /// agree within that share of what the capture varies.
    pub variation: f64,
    /// The same of the differences between one latency and the next.
    pub order: f64,
    /// How far the shares of what was lost are apart.
    pub lost: f64,
    /// How much less the bench completes on the capture's own clock, beyond chance.
    pub clock: f64,
    /// How much less one of the two stands on a lattice of the other's latencies, beyond chance.
    pub lattice: f64,
}

impl Evidence {
    /// Of a bench that did `made` where the capture has `captured`, which completes on a clock of
    /// its own of this period; nothing where either has too little to compare.
    pub(super) fn of(captured: &Seen, made: &Seen, own_period_ns: Option<f64>) -> Option<Self> {
        if captured.sorted.is_empty() || made.sorted.is_empty() {
            return None;
        }
        let (theirs, ours) = (quantiles(&captured.sorted, &MOVES), quantiles(&made.sorted, &MOVES));
        let median = theirs[2].max(1.0);
        let spread = captured.spread_ns(median, FINE);
        let moved = |by: f64| {
            let ours: Vec<i64> = made.sorted.iter().map(|ns| ns - by as i64).collect();
            levy_within(&captured.sorted, &ours, spread)
        };
        let moves = theirs.iter().zip(&ours).map(|(theirs, ours)| ours - theirs);
        let known = captured.median_error_ns().max(captured.grid_ns as f64);
        let apart = ((ours[2] - theirs[2]).abs() - known).max(0.0) / median;
        // Where latencies stand on few steps, a hair more on one of them moves the median to the next.
        let stepped = levy_within(&captured.sorted, &made.sorted, median.max(spread));
        let either = captured.steps.is_empty() || made.steps.is_empty();
        Some(Self {
            spread: spread / median,
            varies: captured.spread_ns(median, EXACT) / median,
            place: apart.min(stepped),
            apart,
            variation: moves.map(moved).fold(1.0, f64::min),
            order: if either { 0.0 } else { levy_within(&captured.steps, &made.steps, spread) },
            lost: (captured.lost() - made.lost()).abs(),
            clock: own_period_ns.map_or(0.0, |period| clock(captured, made, period)),
            lattice: lattice(captured, made),
        })
    }

    /// The same of a link that loses no frame for good: losses of the capture that the bench has not,
    /// beyond chance, are a contradiction, however few they are.
    pub(super) fn of_reliable(self, captured: &Fate, bench: &Fate) -> Self {
        let more = captured.lost.saturating_sub(bench.lost);
        let least = exact(more, captured.triggers, 2.0 * BY_CHANCE).0;
        Self { lost: if least > RELIABLE { 1.0 } else { self.lost }, ..self }
    }

    /// Whether the medians are near enough for one link: within [`NEAR`] of the captured median, and of
    /// a wide distribution within [`IN_SPREAD`] of what it varies. The less a capture varies below
    /// [`NARROW`], the nearer, down to [`EXACT`] where it does not.
    #[must_use]
    pub fn is_near(&self) -> bool {
        let varies = ((self.spread - FINE) / (NARROW - FINE)).clamp(0.0, 1.0);
        let most = EXACT + (NEAR - EXACT) * varies;
        self.apart <= most.max(IN_SPREAD * self.spread * varies)
    }

    /// What speaks against the bench, with what it counts.
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

    /// What of it no phase changes: all but the place.
    #[must_use]
    pub fn unlike(&self) -> f64 {
        self.sum() - self.place
    }

    /// What speaks most against the bench; of equals the first.
    #[must_use]
    pub fn strongest(&self) -> Part {
        let parts = self.parts();
        let larger = |a: (Part, f64), b: (Part, f64)| if b.1 > a.1 { b } else { a };
        parts.into_iter().fold(parts[0], larger).0
    }

    /// All of it.
    #[must_use]
    pub fn sum(&self) -> f64 {
        self.parts().iter().map(|(_, share)| share).sum()
    }
}

/// How much less `made` completes on a clock of this period.
fn clock(captured: &Seen, made: &Seen, period_ns: f64) -> f64 {
    let on = |seen: &Seen| comb::sharpen(&seen.completions, period_ns).1;
    (on(captured) - on(made) - FAINT).max(0.0)
}

/// How much less one of the two stands on a line that the other has, on whichever line that is most.
fn lattice(captured: &Seen, made: &Seen) -> f64 {
    let median = quantiles(&captured.sorted, &[0.5])[0];
    let spread = captured.spread_ns(median, FINE);
    if spread <= FINE * median {
        return 0.0;
    }
    let (theirs, ours) = (captured.lines(spread), made.lines(spread));
    // A model knows the period of its lattice to a turn.
    let only = |one: &[f64], other: &[f64]| {
        let near = other.windows(3).map(|near| near.iter().copied().fold(0.0, f64::max));
        one[1..].iter().zip(near).map(|(line, near)| line - near).fold(0.0, f64::max)
    };
    let fewer = captured.sorted.len().min(made.sorted.len()) as f64;
    let chance = ((theirs.len() as f64).ln() / fewer).sqrt().max(FAINT);
    (only(&theirs, &ours).max(only(&ours, &theirs)) - chance).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIGGERS: usize = 400;

    /// Triggers every 20 ms, and a latency for each.
    fn seen(latency: impl Fn(usize) -> i64) -> Seen {
        let triggers = (0..TRIGGERS as u64).map(|nth| nth * 20_000_000);
        Seen::new(triggers, (0..TRIGGERS).map(latency).collect())
    }

    /// As even as a sequence gets (H. Weyl), from 0 to 1, and in no order.
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
        // An nRF24 at 2 Mbit/s and a wire at 460,800 baud, 12 B each.
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
        // Slots of 10 ms; of 100 transfers one or two more are in the later one.
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
        // A line counts a part of a whole share.
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
    fn a_clock_only_the_capture_completes_on_speaks_against_the_bench() {
        // A tick of 7 ms, and a link that knows of none.
        let to_tick = |nth: usize| 7_000_000 - (nth as i64 * 20_000_000) % 7_000_000;
        let (captured, made) = (seen(to_tick), seen(|nth| 1_000_000 + (6e6 * even(nth)) as i64));
        let found = Evidence::of(&captured, &made, Some(7e6)).expect("both have latencies");
        assert!(found.clock > 0.5, "{found:?}");
        let same = Evidence::of(&captured, &captured, Some(7e6)).expect("both have latencies");
        assert_eq!(same.clock, 0.0);
    }

    #[test]
    fn a_link_that_loses_no_frame_does_not_explain_losses_that_are_no_accident() {
        let fate = |lost| Fate { triggers: 1_000, delivered: 1_000 - lost, lost };
        let lost = |captured, bench| {
            let few = Evidence { lost: 0.02, ..Evidence::default() };
            few.of_reliable(&fate(captured), &fate(bench)).lost
        };
        // One in a thousand is expected once in a thousand; five are seen once in 270 such captures.
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
