//! Finding of retries: latencies at a base plus multiples of a quantum.

use crate::findings::clock::ms;
use crate::findings::{Finding, Name, Value};
use crate::fold::Clocks;
use crate::fold::comb::fold;
use crate::fold::series::{median, quantile, robust_sd};

/// Shortest quantum, ns. A retry takes at least a frame and a timeout. The fastest supported radio waits 250
/// us (nRF24 auto-retransmit delay). Shorter lattices come from loops and bits.
const SHORTEST_NS: f64 = 1e5;

/// Largest ratio of spread to quantum. Finer quanta fit any latencies.
const MOST_LEVELS: f64 = 100.0;

/// Probability that levels beyond the two that define a lattice fall on it by chance.
const ALPHA: f64 = 0.02;

struct Lattice {
    quantum: f64,
    base: f64,
    levels: usize,
    above: usize,
    chance: f64,
}

/// Returns the finding `retry-quantum` if latencies lie at a base and at whole multiples of one
/// quantum above it.
///
/// First, the function searches for the quanta q at which the phase coherence R(q) = |mean exp(2 pi i latency
/// / q)| has a maximum. Then the function checks the levels, which are a base latency plus whole multiples of
/// q. The levels must contain latencies, and the space between the levels must be empty. Two levels determine
/// q. The further levels must lie on multiples of q with statistical significance. In a run with a clock or a
/// frozen phase, the cycles of the clock cause such levels without retries, so that such a run has no
/// finding.
#[must_use]
pub fn retry_quantum(clocks: &Clocks) -> Option<Finding> {
    let (found, transfers) = found(clocks)?;
    let share = found.above as f64 / transfers as f64;
    let message = if is_backoff_slot(found.quantum) {
        format!(
            "Latencies lie on {} levels, {} apart. This is the backoff slot of IEEE 802.15.4, a \
                 random wait before each frame. Retries are not required to explain it.",
            found.levels,
            ms(found.quantum, 4)
        )
    } else {
        format!(
            "Latencies lie on {} levels, {} apart, with {:.1} % of the transfers above the lowest. \
             Retries cause such levels. So does the random backoff of CSMA, in slots of 0.32 ms \
             (IEEE 802.15.4), 0.02 ms or 0.009 ms (IEEE 802.11).",
            found.levels,
            ms(found.quantum, 4),
            100.0 * share
        )
    };
    let advice =
        "Compare the distance with the retransmit delay and the backoff slot of the radio. \
             Each retry costs its timeout and the repeated frame. Shorten the retransmit \
             delay, and find the cause of the lost frames or acknowledgements."
            .to_owned();
    Some(finding(&found, share, message, advice))
}

/// Returns `retry-quantum` for a simulated run with a known number of retransmitted frames. There is no
/// finding if more transfers lie above the lowest level than frames were retransmitted, because each of these
/// transfers would need a retransmission.
pub(super) fn known_retries(clocks: &Clocks, retries: u64) -> Option<Finding> {
    let (found, transfers) = found(clocks)?;
    if is_backoff_slot(found.quantum) || found.above as u64 > retries {
        return None;
    }
    let share = found.above as f64 / transfers as f64;
    let message = format!(
        "{retries} frames were retransmitted. Latencies lie on {} levels, {} apart, with {:.1} % of the \
             transfers above the lowest.",
        found.levels,
        ms(found.quantum, 4),
        100.0 * share
    );
    let advice = "Each retry costs its timeout and the repeated frame. Shorten the retransmit \
             delay, or reduce the frame loss."
        .to_owned();
    Some(finding(&found, share, message, advice))
}

/// The backoff slot of IEEE 802.15.4 at 2.4 GHz, ns: 20 symbols (aUnitBackoffPeriod) of 16 us.
const SLOT_NS: f64 = 320e3;

/// Relative tolerance for crystals and for a fit of some hundred transfers.
const SLOT_TOLERANCE: f64 = 5e-3;

/// Whether the levels are a few backoff slots apart.
fn is_backoff_slot(quantum_ns: f64) -> bool {
    let slots = (quantum_ns / SLOT_NS).round();
    (1.0..=4.0).contains(&slots)
        && (quantum_ns - slots * SLOT_NS).abs() < SLOT_TOLERANCE * slots * SLOT_NS
}

fn finding(found: &Lattice, share: f64, message: String, advice: String) -> Finding {
    Finding {
        name: Name::RetryQuantum,
        evidence: vec![
            ("quantum_ns", Value::Float(found.quantum)),
            ("share", Value::Float(share)),
            ("levels", Value::Int(found.levels as i64)),
            ("base_ns", Value::Float(found.base)),
        ],
        message,
        advice,
    }
}

/// The lattice of the latencies, with its base as a latency, and the number of transfers.
fn found(clocks: &Clocks) -> Option<(Lattice, usize)> {
    if clocks.own_period_ns().is_some() || clocks.slips.is_some() || clocks.ramp.is_some() {
        return None;
    }
    let series = &clocks.series;
    let mut delay = series.latency.clone();
    if delay.len() < 50 {
        return None;
    }
    let base = quantile(&delay, 0.0)?;
    delay.iter_mut().for_each(|d| *d -= base);
    let spread = quantile(&delay, 0.995)?;
    let finest = SHORTEST_NS.max(20.0 * series.grid_ns).max(spread / MOST_LEVELS);
    if spread < 2.0 * finest {
        return None;
    }
    let found = candidates(&delay, spread, finest)
        .into_iter()
        .filter_map(|q| lattice(&delay, q))
        .filter(|l| l.chance < ALPHA)
        .max_by(|a, b| a.quantum.total_cmp(&b.quantum))?;
    if repeats(&delay, &found) {
        return None;
    }
    Some((Lattice { base: base + found.base, ..found }, delay.len()))
}

/// Quanta at local maxima of R, none below `finest`. Frequencies increase by an eighth of the resolution of
/// the spread, so each phasor turns by a constant angle per step.
fn candidates(delay: &[f64], spread: f64, finest: f64) -> Vec<f64> {
    let step = 1.0 / (8.0 * spread);
    let steps = (1.0 / finest / step) as usize;
    let turn: Vec<(f64, f64)> =
        delay.iter().map(|d| libm::sincos(std::f64::consts::TAU * d * step)).collect();
    let mut phasor = vec![(0.0f64, 1.0f64); delay.len()];
    let mut r = vec![1.0];
    for _ in 0..=steps {
        let (mut re, mut im) = (0.0, 0.0);
        for (p, t) in phasor.iter_mut().zip(&turn) {
            *p = (p.0 * t.1 + p.1 * t.0, p.1 * t.1 - p.0 * t.0);
            re += p.1;
            im += p.0;
        }
        r.push(libm::hypot(re, im) / delay.len() as f64);
    }
    (8..r.len() - 1)
        .filter(|&k| r[k] >= r[k - 1] && r[k] > r[k + 1] && r[k] > 0.7)
        .map(|k| 1.0 / (k as f64 * step))
        .collect()
}

/// The lattice near a quantum. Base and quantum by regression on the level numbers.
fn lattice(delay: &[f64], mut quantum: f64) -> Option<Lattice> {
    let mut base = 0.0;
    let level_of = |d: f64, base: f64, quantum: f64| ((d - base) / quantum).round();
    for round in 0..4 {
        // The lowest transfer may be a spurious early one, so the first round uses the mean phase of all.
        if round == 0 {
            base = fold(delay, quantum).1 * quantum;
        }
        let on: Vec<(f64, f64)> = delay
            .iter()
            .map(|&d| (level_of(d, base, quantum), d))
            .filter(|(k, d)| (d - base - k * quantum).abs() < 0.2 * quantum)
            .collect();
        let n = on.len() as f64;
        let (mk, md) =
            (on.iter().map(|o| o.0).sum::<f64>() / n, on.iter().map(|o| o.1).sum::<f64>() / n);
        let kk: f64 = on.iter().map(|o| (o.0 - mk).powi(2)).sum();
        let kd: f64 = on.iter().map(|o| (o.0 - mk) * (o.1 - md)).sum();
        if kk <= 0.0 || kk.is_nan() {
            return None;
        }
        quantum = kd / kk;
        base = md - mk * quantum;
    }
    describe(delay, quantum, base)
}

fn describe(delay: &[f64], quantum: f64, base: f64) -> Option<Lattice> {
    let n = delay.len();
    let lowest = ((0.0 - base) / quantum).round();
    let mut levels: Vec<Vec<f64>> = Vec::new();
    let mut stray = 0usize;
    for &d in delay {
        let k = ((d - base) / quantum).round();
        let off = d - base - k * quantum;
        let level = (k - lowest).max(0.0) as usize;
        if level >= 4 * MOST_LEVELS as usize {
            continue;
        }
        if levels.len() <= level {
            levels.resize(level + 1, Vec::new());
        }
        levels[level].push(off);
        stray += usize::from(off.abs() > 0.25 * quantum);
    }
    // A level needs at least three transfers, and at least two of every thousand.
    let least = (n / 500).max(3);
    let first = levels.iter().position(|l| l.len() >= least)?;
    let populated: Vec<&Vec<f64>> = levels.iter().filter(|l| l.len() >= least).collect();
    let crowd = populated.iter().map(|l| l.len()).max()?;
    let last = levels.iter().rposition(|l| l.len() >= least)?;
    // A smooth tail would have half of its transfers between the levels. Retries leave few levels empty,
    // because a transfer with four retries implies some with three.
    let sparse = populated.len() * 4 < (last - first + 1) * 3;
    if populated.len() < 3 || sparse || stray * 10 > n - crowd {
        return None;
    }
    let mut offs: Vec<f64> = populated
        .iter()
        .map(|l| {
            let sd = robust_sd(l);
            let centre = median(l).unwrap_or(quantum);
            centre.abs() + 3.0 * sd / (l.len() as f64).sqrt()
        })
        .collect();
    // Two levels define the lattice, and the others test it. The two levels with the best fit count as the
    // defining ones.
    offs.sort_by(f64::total_cmp);
    let chance = offs[2..].iter().map(|o| (4.0 * o / quantum).min(1.0)).product();
    let above = levels.iter().skip(first + 1).map(Vec::len).sum();
    let centre = base + (lowest + first as f64) * quantum;
    Some(Lattice { quantum, base: centre, levels: populated.len(), above, chance })
}

/// Whether the levels recur in a fixed order, as in an index pattern or with a few frozen phases. Retries
/// occur in random order.
fn repeats(delay: &[f64], lattice: &Lattice) -> bool {
    let level: Vec<i64> =
        delay.iter().map(|d| ((d - lattice.base) / lattice.quantum).round() as i64).collect();
    let n = level.len();
    let same = |lag: usize| level[lag..].iter().zip(&level).filter(|(a, b)| a == b).count();
    let mut counts = std::collections::BTreeMap::new();
    for l in &level {
        *counts.entry(l).or_insert(0usize) += 1;
    }
    let expected: f64 = counts.values().map(|&c| (c as f64 / n as f64).powi(2)).sum();
    let sd = (expected * (1.0 - expected) / n as f64).sqrt().max(1e-9);
    (1..=16.min(n / 4)).any(|lag| {
        let agree = same(lag) as f64 / (n - lag) as f64;
        agree > 0.8 && agree > expected + 5.0 * sd
    })
}

#[cfg(test)]
mod tests;
