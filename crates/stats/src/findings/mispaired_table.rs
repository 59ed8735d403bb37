//! Finding of a table of latencies in which losses were paired with the next completion.
//!
//! A script that pairs each trigger with the next completion pairs a lost trigger with the completion of the
//! following trigger. Two consecutive rows of the table then refer to the same completion. The latency in the
//! first of these rows exceeds the latency in the second row by exactly one trigger period. This difference
//! has the accuracy of the trigger generator, not of the link. After a long latency with another cause (a
//! genuine tail, a slipped connection interval or a retry), the latency in the next row has no such relation
//! to the long latency.

use super::delivered::{FALSE_ALARM, listed};
use super::{Finding, Name, Value};
use crate::dist::quantiles;
use crate::duration::nice;
use crate::grid::step_ns;
use crate::rank::superiority;

/// Smallest number of row pairs that differ by one period. The first pair estimates the period, and the
/// others confirm it.
const FEWEST: usize = 3;

/// Relative accuracy of the period: the difference of two clocks, and the rounding of a table.
const ACCURACY: f64 = 20e-6;

/// p-value at which rows after a pair count as lower than the rest.
const STARTS_OVER: f64 = 0.05;

/// Cliff's delta from which a difference is called large (J. Romano and others, 2006).
const LARGE: f64 = 0.474;

/// Largest relative spread of these differences with a regular stimulus, unless the table is rounded more
/// coarsely.
const LOOSEST: f64 = 1e-3;

/// Returns the finding if several rows exceed their next row by the same constant, which is longer than any
/// valid latency. Rows are in trigger order. These differences must agree more closely than neighbouring
/// valid rows do, with a probability by chance below [`FALSE_ALARM`].
///
/// The input is a plain list of latencies. For edges, this test is not needed: strict pairing detects the
/// losses itself.
#[must_use]
pub fn mispaired_table(latencies_ns: &[i64]) -> Option<Finding> {
    let typical_ns = *quantiles(latencies_ns, &[0.5]).first()?;
    let drops: Vec<(usize, i64)> = latencies_ns
        .windows(2)
        .enumerate()
        .map(|(index, w)| (index, w[0].saturating_sub(w[1])))
        .filter(|&(_, drop)| drop as f64 > typical_ns)
        .collect();
    let (period_ns, tolerance_ns) = common_drop(&drops)?;
    let step = step_ns(latencies_ns.iter().copied());
    if tolerance_ns > (LOOSEST * period_ns).max(2.0 * step as f64) {
        return None;
    }
    let is_tie = |drop: i64| (drop as f64 - period_ns).abs() <= tolerance_ns;
    let ties: Vec<usize> =
        drops.iter().filter(|&&(_, drop)| is_tie(drop)).map(|&(index, _)| index).collect();
    // A valid latency ends before the next trigger. If a longer row differs from the next row by another
    // amount, the constant is not the trigger period. The last row has no next row, so it is not checked.
    let last = latencies_ns.len() - 1;
    let tied = |index: usize| index == last || ties.binary_search(&index).is_ok();
    let too_long = |latency: i64| latency as f64 >= period_ns;
    let contradicted =
        latencies_ns.iter().enumerate().any(|(index, &latency)| too_long(latency) && !tied(index));
    if ties.len() < FEWEST || contradicted {
        return None;
    }
    // Probability that neighbouring valid rows agree this closely. It is high if their latencies lie within
    // one clock step, and 1 for a link without jitter. Nothing is proven in these cases.
    let proper = |index: usize| !too_long(latencies_ns[index]);
    let neighbours: Vec<f64> = (0..last)
        .filter(|&index| proper(index) && proper(index + 1))
        .map(|index| (latencies_ns[index] as f64 - latencies_ns[index + 1] as f64).abs())
        .collect();
    let agreeing = neighbours.iter().filter(|&&gap| gap <= tolerance_ns).count();
    let chance = (agreeing + 1) as f64 / (neighbours.len() + 1) as f64;
    let p = libm::pow(chance, (ties.len() - 1) as f64);
    if p >= FALSE_ALARM {
        return None;
    }
    if starts_over(latencies_ns, &ties, &proper) {
        return None;
    }
    let count = ties.len();
    Some(Finding {
        name: Name::MispairedTable,
        evidence: vec![
            ("count", Value::Int(count as i64)),
            ("rows", listed(ties.iter().copied())),
            ("period_ns", Value::Float(period_ns)),
            ("typical_ns", Value::Float(typical_ns)),
            ("p", Value::Float(p)),
        ],
        message: format!(
            "In {count} of {} rows, the latency exceeds that of the next row by {}, within {}: both rows were \
             paired with the same completion. These {count} transfers were lost, not late. The trigger \
             period is {}, and the usual latency is {}.",
            latencies_ns.len(),
            nice(period_ns),
            nice(tolerance_ns),
            nice(period_ns),
            nice(typical_ns)
        ),
        advice: "Remove those rows and count them as losses. Better, pair the capture again, each trigger \
                 only with completions before the next trigger."
            .to_owned(),
    })
}

/// Whether the rows that follow a suspected loss have the lowest latencies of all rows. A suspected loss is a
/// row whose latency exceeds the latency of the next row by the trigger period. If the following rows have
/// the lowest latencies, the suspected losses are not losses: the phase of the triggers was swept through the
/// period of a clock, and the latency dropped by a constant amount each time the phase wrapped. After a loss,
/// the next row has an ordinary latency.
fn starts_over(latencies_ns: &[i64], ties: &[usize], proper: &dyn Fn(usize) -> bool) -> bool {
    let below_tie = |index: usize| index > 0 && ties.binary_search(&(index - 1)).is_ok();
    let (mut below, mut others) = (Vec::new(), Vec::new());
    for (index, &latency) in latencies_ns.iter().enumerate().filter(|&(index, _)| proper(index)) {
        (if below_tie(index) { &mut below } else { &mut others }).push(latency);
    }
    superiority(&others, &below).is_some_and(|s| s.p < STARTS_OVER && s.delta() < -LARGE)
}

/// The value on which most drops agree, and its accuracy: the shortest interval that contains half of them,
/// extended to its neighbours.
fn common_drop(drops: &[(usize, i64)]) -> Option<(f64, f64)> {
    let mut sorted: Vec<i64> = drops.iter().map(|&(_, drop)| drop).collect();
    sorted.sort_unstable();
    if sorted.len() < FEWEST {
        return None;
    }
    let half = sorted.len().div_ceil(2).max(2);
    let shortest = sorted.windows(half).min_by_key(|w| w[half - 1] - w[0])?;
    let middle = shortest[0] as f64 + (shortest[half - 1] - shortest[0]) as f64 / 2.0;
    let reach = ((shortest[half - 1] - shortest[0]) as f64 * 3.0).max(middle * ACCURACY);
    let members: Vec<f64> =
        sorted.iter().map(|&d| d as f64).filter(|d| (d - middle).abs() <= reach).collect();
    let (&first, &last) = (members.first()?, members.last()?);
    // Half the width, plus a nanosecond so that exact equality has a width.
    Some(((first + last) / 2.0, (last - first) / 2.0 + 1.0))
}

#[cfg(test)]
mod tests;
