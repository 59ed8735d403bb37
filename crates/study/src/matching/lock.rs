//! Clock recovery from completion times.
//!
//! A link with its own clock completes transfers at instants of this clock, both in the capture and on the
//! virtual bench. If the completions of the capture and of the bench are periodic, the ratio of their two
//! periods gives the frequency error of a crystal. The difference between their two phase angles gives the
//! phase of a clock. This method is more accurate than any search, because it uses all transfers of the
//! capture.
//!
//! The parameters involved are detected: a rate changes the period of the bench by its own amount,
//! and a phase turns the angle.

use airlag_stats::fold::{Series, comb, hidden_period};
use airlag_stats::pair::{NONE, Transfers};

use crate::error::Error;
use crate::matching::fit::Bench;
use crate::matching::free::{Free, Shape};
use crate::matching::replay::Replay;
use crate::matching::search::{short_way, wrapped};

/// A starting point of the search.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Start {
    /// One value per free parameter.
    pub(super) at: Vec<f64>,
    /// Indices of the values that were computed from completions.
    pub(super) locked: Vec<usize>,
}

/// Smallest resultant length R of a periodic sequence. Below it, half of the instants are at random phases.
const LEAST_R: f64 = 0.3;
/// Number of triggers that reveal the period of the bench.
const SWEEP: usize = 240;
/// Largest relative difference between two clocks of one kind: both ends, in both directions.
const REACH: f64 = 150e-6;
/// Change of a rate to detect its effects, ppb.
pub(super) const NUDGE_PPB: f64 = 20_000.0;
/// Smallest and largest ratio of the relative change of a period to the change of the rate that
/// caused it. If two clocks determine the period alternately, each has a ratio of a half.
const LEAST_SHARE: f64 = 0.15;
const MOST_SHARE: f64 = 1.5;
/// Change of a phase to detect its effects.
const NUDGE: f64 = 0.1;
/// Largest number of turns of the angle per turn of a phase.
const MOST_TURNS: f64 = 4.0;

/// Completions on a lattice.
#[derive(Clone, Copy, Debug)]
struct Lattice {
    period_ns: f64,
    /// Angle of the lattice lines in the middle of the capture, turns.
    angle: f64,
}

/// Initial values of the free parameters, for a fit, at which the completions on the bench have the period and
/// the phase of the captured ones. Empty if capture and bench have no common period.
pub(super) fn starts(
    free: &[Free],
    replay: &Replay,
    bench: &impl Bench,
    seed: u64,
    plain: &[f64],
) -> Result<Vec<Start>, Error> {
    let Some(hint_ns) = own_period_ns(replay, bench, seed, plain)? else { return Ok(Vec::new()) };
    let Some(theirs) = lattice(replay, replay.latency(), hint_ns) else { return Ok(Vec::new()) };
    let ours = |at: &[f64]| -> Result<Option<Lattice>, Error> {
        Ok(lattice(replay, &bench.at(replay, at, seed)?, hint_ns))
    };
    let Some(begun) = ours(plain)? else { return Ok(Vec::new()) };
    let mut each = vec![0.0; free.len()];
    for (rate, one) in free.iter().enumerate() {
        if matches!(one.shape, Shape::Rate { .. }) {
            let mut at = plain.to_vec();
            at[rate] += NUDGE_PPB;
            let Some(nudged) = ours(&at)? else { continue };
            // A fast clock has short periods.
            let share = 1e9 * (1.0 - nudged.period_ns / begun.period_ns) / NUDGE_PPB;
            each[rate] = if (LEAST_SHARE..MOST_SHARE).contains(&share) { share } else { 0.0 };
        }
    }
    let squares: f64 = each.iter().map(|share| share * share).sum();
    if squares == 0.0 {
        return Ok(Vec::new());
    }
    // Among all rates that give the captured period, those with the smallest errors.
    let by_ppb = 1e9 * (1.0 - theirs.period_ns / begun.period_ns);
    let moved = plain.iter().zip(&each).map(|(at, share)| at + by_ppb * share / squares);
    let at: Vec<f64> = moved.collect();
    if free.iter().zip(&at).any(|(one, &value)| one.is_beyond(value)) {
        return Ok(Vec::new());
    }
    let rates: Vec<usize> = (0..free.len()).filter(|&rate| each[rate] != 0.0).collect();
    turned(free, &at, &rates, theirs, &ours)
}

/// `at` with correct `rates`, with each phase in turn set to match the captured angle.
fn turned(
    free: &[Free],
    at: &[f64],
    rates: &[usize],
    theirs: Lattice,
    ours: &impl Fn(&[f64]) -> Result<Option<Lattice>, Error>,
) -> Result<Vec<Start>, Error> {
    let Some(begun) = ours(at)? else { return Ok(Vec::new()) };
    let mut starts = Vec::new();
    for (phase, one) in free.iter().enumerate() {
        if one.shape != Shape::Phase {
            continue;
        }
        let mut moved = at.to_vec();
        moved[phase] = wrapped(at[phase] + NUDGE);
        let Some(nudged) = ours(&moved)? else { continue };
        let turns = short_way(nudged.angle - begun.angle) / NUDGE;
        let whole = turns.round();
        if whole == 0.0 || whole.abs() > MOST_TURNS || (turns - whole).abs() > 0.25 {
            continue;
        }
        let off = short_way(theirs.angle - begun.angle);
        for turn in 0..whole.abs() as i32 {
            let mut there = at.to_vec();
            there[phase] = wrapped(at[phase] + (off + f64::from(turn)) / whole);
            starts.push(Start { at: there, locked: [rates, &[phase]].concat() });
        }
    }
    Ok(starts)
}

/// Period of the captured completions. If they have no period, the period of the bench with
/// triggers at random phases.
fn own_period_ns(
    replay: &Replay,
    bench: &impl Bench,
    seed: u64,
    plain: &[f64],
) -> Result<Option<f64>, Error> {
    if let Some(period_ns) = hidden_period_ns(replay, replay.latency()) {
        return Ok(Some(period_ns));
    }
    let swept = replay.swept(SWEEP.min(2 * replay.len()), seed);
    Ok(hidden_period_ns(&swept, &bench.at(&swept, plain, seed)?))
}

/// Period of the completions that is not a period of the triggers.
fn hidden_period_ns(replay: &Replay, latency: &[i64]) -> Option<f64> {
    let seen = Transfers {
        trigger_ns: replay.times().map(|at| at as i64).collect(),
        completion_ns: completions(replay, latency).collect(),
        ..Transfers::default()
    };
    hidden_period(&Series::of(&seen), None).map(|period| period.period_ns)
}

/// Completion time of each transfer, ns. [`NONE`] if it did not complete.
fn completions(replay: &Replay, latency: &[i64]) -> impl Iterator<Item = i64> {
    let times = replay.times().zip(latency);
    times.map(|(at, &ns)| if ns == NONE { NONE } else { at as i64 + ns })
}

/// The lattice of the completions with a period near `hint_ns`, within the frequency error of
/// crystals.
fn lattice(replay: &Replay, latency: &[i64], hint_ns: f64) -> Option<Lattice> {
    let middle = replay.middle_ns() as f64;
    let all = completions(replay, latency).filter(|&at| at != NONE);
    let instants: Vec<f64> = all.map(|at| at as f64 - middle).collect();
    // Half the line width of a comb of this length.
    let step = 0.5 * hint_ns / replay.span_ns().max(1) as f64;
    let steps = ((REACH / step).ceil() as i32).clamp(1, 400);
    let step = REACH / f64::from(steps);
    let at = |nth: i32| hint_ns * (1.0 + f64::from(nth) * step);
    let sharp = |period: f64| comb::concentration(&instants, period);
    let best = (-steps..=steps).map(|nth| (at(nth), sharp(at(nth))));
    let (coarse, _) = best.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let (period_ns, _) = comb::sharpen(&instants, coarse);
    let (period_ns, _, _) = comb::regress(&instants, period_ns);
    let (r, angle) = comb::fold(&instants, period_ns);
    (r >= LEAST_R && (period_ns / hint_ns - 1.0).abs() < 1.5 * REACH)
        .then_some(Lattice { period_ns, angle })
}
