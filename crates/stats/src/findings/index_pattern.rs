//! Finding of a periodic pattern over the transfer index: a ring buffer, a double buffer, or a housekeeping
//! task.
//!
//! Transfers are divided into k classes by their index modulo k. A rank test detects whether the latency
//! depends on the class, as it does if a board uses a ring buffer. The latency also depends on the class if
//! the trigger period is commensurate with the period of a clock of the link. With a nearly commensurate
//! trigger period, the latency depends on the class for a while. Four properties distinguish a ring buffer
//! from a clock:
//!
//! - With a ring buffer, the latency of each class is constant over the run. If the period of a clock is
//!   nearly commensurate with the trigger period, the phase of the clock drifts through the classes.
//! - With a ring buffer, a few classes differ in latency and many do not. With a clock, the latencies of the
//!   classes are evenly spaced: trigger instant plus latency has the same clock phase for all classes.
//! - The frequencies of two crystals agree to one part in a million at best. If an even spacing of the
//!   latencies needs a closer agreement than this to persist over the run, the cause of the spacing is a ring
//!   buffer.
//! - A clock of the link may have a known period, which the caller of the test can state.

use std::f64::consts::TAU;

use super::delivered::{Delivered, FALSE_ALARM};
use super::{Finding, Name, Value};
use crate::dist::quantiles;
use crate::duration::nice;
use crate::grid::gcd;
use crate::pair::Transfers;
use crate::rank::{kruskal, midranks};

/// Longest pattern. Buffers and tasks repeat earlier, and slower rhythms are clocks.
const LONGEST: usize = 16;

/// Smallest number of transfers per class.
const PER_CLASS: usize = 10;

/// Number of blocks of the run between which the pattern is compared.
const BLOCKS: usize = 4;

/// Smallest reproducibility of the pattern over the blocks of the run: see `lasting`.
const LASTING: f64 = 0.8;

/// Cliff's delta from which an effect is called large (J. Romano and others, "Appropriate
/// statistics for ordinal level data", Florida Association of Institutional Research, 2006).
const LARGE: f64 = 0.474;

/// Share of the variance from which an effect is called large (J. Cohen, "Statistical power analysis
/// for the behavioral sciences", 2nd ed. 1988, f = 0.4).
const LARGE_SHARE: f64 = 0.14;

/// Mean resultant length R of the class phases above which one clock explains all classes.
const ONE_PHASE: f64 = 0.9;

/// Probability that unrelated classes reach a given R (Rayleigh: exp(-k R^2) for each of k - 1 steps). With
/// many classes, an R with this probability is below `ONE_PHASE` and sufficient.
const GATHERED: f64 = 0.01;

/// Smallest relative difference of free-running crystals. A phase stays within a quarter turn over a run of
/// length `d` only if its period is above four times this share of `d`.
const CRYSTALS: f64 = 1e-6;

/// Number of classes from which evenly spaced latencies count as the phases of a clock, whatever its period.
/// With so many fractions a/k, some fraction fits any ratio of two periods over a run by chance.
const MANY: usize = 5;

struct Pattern {
    every: usize,
    offset: usize,
    effect_ns: f64,
    explained: f64,
    p: f64,
}

/// Returns the finding if the latency of a transfer depends on the index of the transfer modulo a number k.
/// The test has a false alarm rate of [`FALSE_ALARM`] over all k together. The effect must be large, constant
/// over the run, and not caused by a clock. A clock is recognised by the pattern itself, or by a period that
/// is listed in `own_periods_ns`.
///
/// Reports the smallest k that explains as much as any larger one.
#[must_use]
pub fn index_pattern(transfers: &Transfers, own_periods_ns: &[f64]) -> Option<Finding> {
    let delivered = Delivered::of(transfers);
    let ranks = midranks(&delivered.latency_ns);
    let period_ns = transfers.trigger_period_ns()? as f64;
    let found: Vec<Pattern> = (2..=LONGEST)
        .filter(|&every| delivered.index.len() >= every * PER_CLASS)
        .filter(|&every| !is_phase_of(own_periods_ns, period_ns, every, ranks.len()))
        .filter_map(|every| pattern(&delivered, &ranks, period_ns, every))
        .collect();
    let best = found.iter().map(|pattern| pattern.explained).fold(0.0, f64::max);
    let Pattern { every, offset, effect_ns, explained, p } =
        found.into_iter().find(|pattern| pattern.explained >= 0.9 * best)?;
    let direction = if effect_ns < 0.0 { "earlier" } else { "later" };
    Some(Finding {
        name: Name::IndexPattern,
        evidence: vec![
            ("every", Value::Int(every as i64)),
            ("offset", Value::Int(offset as i64)),
            ("effect_ns", Value::Float(effect_ns)),
            ("explained", Value::Float(explained)),
            ("p", Value::Float(p)),
        ],
        message: format!(
            "Latency follows the index: one transfer in {every} (the first is transfer {offset}) is {} \
             {direction} than the others, throughout the run. The position in the cycle explains {:.0} % of \
             the variance of the ranks.",
            nice(effect_ns.abs()),
            explained * 100.0
        ),
        advice: format!(
            "Look for something that repeats every {every} messages: a ring or double buffer whose size is a \
             multiple of the message, half- and full-transfer interrupts, or a task that runs every {every} \
             triggers. Changing the message length by a byte changes such a pattern."
        ),
    })
}

/// Whether these triggers sample a clock of known period at exactly `every` phases.
fn is_phase_of(own_periods_ns: &[f64], trigger_ns: f64, every: usize, n: usize) -> bool {
    own_periods_ns.iter().any(|&own_ns| {
        let turns = trigger_ns / own_ns;
        let off = |turns: f64| (turns - turns.round()).abs();
        // A drift of one turn over the run would mix all classes.
        let allowed = every as f64 / n as f64;
        own_ns > 0.0 && off(turns * every as f64) <= allowed && off(turns) > allowed
    })
}

fn pattern(delivered: &Delivered, ranks: &[f64], trigger_ns: f64, every: usize) -> Option<Pattern> {
    let class = |position: usize| delivered.index[position] % every;
    let test = kruskal(ranks, class, every)?;
    let p = test.p * (LONGEST - 1) as f64;
    if p >= FALSE_ALARM || test.explained < LARGE_SHARE || lasting(ranks, class, every) < LASTING {
        return None;
    }
    let mut classes: Vec<Vec<i64>> = vec![Vec::new(); every];
    let mut rank_sums = vec![0.0; every];
    for (position, &latency) in delivered.latency_ns.iter().enumerate() {
        classes[class(position)].push(latency);
        rank_sums[class(position)] += ranks[position];
    }
    let n = ranks.len() as f64;
    let delta = |class: usize| {
        let count = classes[class].len() as f64;
        let larger = rank_sums[class] - count * (count + 1.0) / 2.0;
        2.0 * larger / (count * (n - count)) - 1.0
    };
    let occupied = (0..every).filter(|&class| !classes[class].is_empty());
    let offset = occupied.max_by(|&a, &b| delta(a).abs().total_cmp(&delta(b).abs()))?;
    if delta(offset).abs() < LARGE {
        return None;
    }
    let medians: Option<Vec<f64>> =
        classes.iter().map(|class| quantiles(class, &[0.5]).first().copied()).collect();
    let duration_ns = (delivered.trigger_ns.last()? - delivered.trigger_ns.first()?) as f64;
    if is_phase(&medians?, trigger_ns, duration_ns) {
        return None;
    }
    let rest: Vec<i64> = (0..every)
        .filter(|&class| class != offset)
        .flat_map(|class| classes[class].iter().copied())
        .collect();
    let median = |values: &[i64]| quantiles(values, &[0.5]).first().copied();
    let effect_ns = median(&classes[offset])? - median(&rest)?;
    Some(Pattern { every, offset, effect_ns, explained: test.explained, p })
}

/// Reproducibility of the pattern: the variation between the classes of the whole run, divided by the sum of
/// the variations between the classes of each block. 1 if all blocks have the same pattern. The variation
/// that is expected by chance is subtracted from both.
fn lasting(ranks: &[f64], class: impl Fn(usize) -> usize, every: usize) -> f64 {
    let n = ranks.len();
    let mut whole = vec![(0.0, 0.0); every];
    let (mut by_block, mut inside, mut freedom, mut chance) = (0.0, 0.0, 0.0, 0.0);
    for block in 0..BLOCKS {
        let range = n * block / BLOCKS..n * (block + 1) / BLOCKS;
        let mean = ranks[range.clone()].iter().sum::<f64>() / range.len().max(1) as f64;
        let mut sums = vec![(0.0, 0.0); every];
        let mut squares = 0.0;
        for position in range.clone() {
            let rank = ranks[position] - mean;
            sums[class(position)].0 += rank;
            sums[class(position)].1 += 1.0;
            squares += rank * rank;
        }
        let mut between = 0.0;
        for (&(sum, count), total) in sums.iter().zip(&mut whole) {
            if count > 0.0 {
                between += sum * sum / count;
                freedom -= 1.0;
            }
            *total = (total.0 + sum, total.1 + count);
        }
        by_block += between;
        inside += squares - between;
        freedom += range.len() as f64;
        chance += (every - 1) as f64;
    }
    let noise = inside / freedom.max(1.0);
    let common: f64 =
        whole.iter().filter(|(_, count)| *count > 0.0).map(|(sum, count)| sum * sum / count).sum();
    let differences = by_block - chance * noise;
    if differences <= 0.0 { 0.0 } else { (common - (every - 1) as f64 * noise) / differences }
}

/// Whether one clock explains the classes: a period at which all completions (trigger instant plus class
/// median) have the same phase.
fn is_phase(medians: &[f64], trigger_ns: f64, duration_ns: f64) -> bool {
    let every = medians.len();
    let low = medians.iter().copied().fold(f64::INFINITY, f64::min);
    let spread = medians.iter().copied().fold(f64::NEG_INFINITY, f64::max) - low;
    let by_chance = libm::log((every - 1) as f64 / GATHERED) / every as f64;
    let concentrated = by_chance.sqrt().min(ONE_PHASE);
    (1..every).any(|step| {
        // Under a clock, the phase of class j is later by j * step / k of a turn. With `phases` different
        // phases the spread is a period minus one phase.
        let phases = every / gcd(every as u64, step as u64) as usize;
        let own_ns = spread * phases as f64 / (phases - 1) as f64;
        if every < MANY && own_ns < 4.0 * CRYSTALS * duration_ns {
            return false;
        }
        if every == 2 {
            // Two values are always evenly spaced, so their spacing is no evidence. If there are few turns
            // between two triggers, the trigger period itself shows whether this clock is the cause.
            let turns = trigger_ns / own_ns;
            return turns < 4.0 && (turns.fract() - 0.5).abs() < 0.15;
        }
        let (mut re, mut im) = (0.0, 0.0);
        for (class, median) in medians.iter().enumerate() {
            let turn = (class * step % every) as f64 / every as f64 + (median - low) / own_ns;
            re += libm::cos(TAU * turn);
            im += libm::sin(TAU * turn);
        }
        f64::hypot(re, im) / every as f64 > concentrated
    })
}

#[cfg(test)]
mod tests;
