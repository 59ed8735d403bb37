//! Finding of a sampling grid that is too coarse for the spread of the latencies.

use super::{Finding, Name, Value};
use crate::dist::quantiles;
use crate::duration::nice;
use crate::grid::step_ns;
use crate::pair::{NONE, Transfers};

/// Smallest number of grid steps in the interquartile range.
///
/// The timestamp of an edge is up to one step of the time grid late. The error of a latency is the difference
/// of the errors of two edges. The error of a latency therefore has a triangular distribution with variance
/// step^2 / 6, which is twice the variance step^2 / 12 of one edge (W. F. Sheppard, Proceedings of the London
/// Mathematical Society 29 (1898) 353). Each quartile of the latencies is known to one step at best. If the
/// quartiles are ten steps apart, the interquartile range is known to a tenth of its value.
const STEPS: f64 = 10.0;

/// Finest sampling step that is recommended, ns. Captures are stored in whole nanoseconds, and [`STEPS`] of
/// them form a step.
const FINEST_NS: f64 = 10.0;

/// Smallest number of edges from which the grid is inferred. The greatest common divisor of `k` random
/// numbers is a multiple of the true grid with probability 1 - 1/zeta(k): 2e-5 for 16.
const EDGES: usize = 17;

/// Returns the finding if the interquartile range of the latencies is less than [`STEPS`] steps of the time
/// grid on which the timestamps lie. The step of the grid is `sample_period_ns` if recorded, and otherwise
/// the greatest common divisor of all edge instants.
#[must_use]
pub fn coarse_sampling(transfers: &Transfers, sample_period_ns: Option<f64>) -> Option<Finding> {
    let latencies = transfers.latencies_ns();
    let levels = quantiles(&latencies, &[0.01, 0.25, 0.75, 0.99]);
    let &[p1, p25, p75, p99] = levels.as_slice() else { return None };
    if p99 <= p1 {
        // Equal latencies have no spread, and a grid inferred from them is meaningless.
        return None;
    }
    let grid_ns = match sample_period_ns {
        Some(period_ns) => period_ns,
        None => inferred_grid(transfers)? as f64,
    };
    let middle_ns = p75 - p25;
    if grid_ns <= 0.0 || middle_ns >= STEPS * grid_ns {
        return None;
    }
    let distinct = {
        let mut sorted = latencies;
        sorted.sort_unstable();
        sorted.dedup();
        sorted.len()
    };
    // If the quartiles are equal to one step, the tails determine the required resolution.
    let spread_ns = if middle_ns > 0.0 { middle_ns } else { p99 - p1 };
    let wanted_ns = round_down((spread_ns / STEPS).min(grid_ns / 2.0));
    let faster = if wanted_ns >= FINEST_NS {
        format!("Sample at intervals of {} or less, or do not", nice(wanted_ns))
    } else {
        "The spread is near the storage resolution of 1 ns: do not".to_owned()
    };
    Some(Finding {
        name: Name::CoarseSampling,
        evidence: vec![
            ("grid_ns", Value::Float(grid_ns)),
            ("spread_ns", Value::Float(middle_ns)),
            ("distinct", Value::Int(distinct as i64)),
        ],
        message: format!(
            "Edges lie on a grid of {}, and the interquartile range of the latencies is only {}. The \
             latencies take {distinct} different values, and each quantile is uncertain by one \
             grid step. Means are less affected.",
            nice(grid_ns),
            nice(middle_ns)
        ),
        advice: format!(
            "{faster} interpret differences between quantiles below {}.",
            nice(grid_ns)
        ),
    })
}

/// Rounds down to 1, 2, 5, 10 …, the steps of analysers.
fn round_down(ns: f64) -> f64 {
    let decade = libm::pow(10f64, libm::log10(ns).floor());
    [5.0, 2.0].into_iter().map(|digit| digit * decade).find(|&step| step <= ns).unwrap_or(decade)
}

fn inferred_grid(transfers: &Transfers) -> Option<i64> {
    let completions = transfers.completion_ns.iter().filter(|&&at| at != NONE);
    let edges: Vec<i64> = transfers.trigger_ns.iter().chain(completions).copied().collect();
    if edges.len() < EDGES {
        return None;
    }
    i64::try_from(step_ns(edges)).ok().filter(|&grid| grid > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{CLEAN, Noise, clean, run};

    /// A run with timestamps on a grid.
    fn stamped(grid_ns: i64, period_ns: i64, latencies_ns: &[i64]) -> Transfers {
        let mut run = run(period_ns, latencies_ns);
        for at in run.trigger_ns.iter_mut().chain(&mut run.completion_ns) {
            *at = at.div_euclid(grid_ns) * grid_ns;
        }
        run
    }

    #[test]
    fn a_poll_loop_seen_through_a_slow_analyser_is_coarse() {
        for (grid_ns, loop_ns) in [(10, 60), (20, 150), (1_000, 4_000), (41, 300)] {
            let mut noise = Noise::seed(grid_ns as u64);
            let values = noise.series(500, |noise, _| 400e3 + loop_ns as f64 * noise.uniform());
            let run = stamped(grid_ns, 1_000_003, &values);
            let found = coarse_sampling(&run, None).unwrap();
            assert_eq!(found.evidence[0].1, Value::Float(grid_ns as f64));
            assert!(coarse_sampling(&run, Some(grid_ns as f64)).is_some());
            assert_eq!(coarse_sampling(&run, Some(grid_ns as f64 / 100.0)), None);
        }
    }

    #[test]
    fn a_faster_sampler_is_asked_for_where_there_is_one() {
        let advice = |grid_ns: i64, loop_ns: f64| {
            let mut noise = Noise::seed(7);
            let values = noise.series(500, |noise, _| 400e3 + loop_ns * noise.uniform());
            coarse_sampling(&stamped(grid_ns, 1_000_003, &values), None).unwrap().advice
        };
        // The interquartile range is 2 us, so the recommended step is a tenth of that.
        assert!(
            advice(1_000, 4_000.0).starts_with("Sample at intervals of 200 ns or less, or do ")
        );
        let near = advice(10, 60.0);
        assert!(!near.contains("Sample") && near.ends_with("below 10 ns."), "{near}");
    }

    #[test]
    fn steps_are_those_of_samplers() {
        let steps: Vec<f64> = [10.0, 19.0, 20.0, 49.9, 50.0, 99.0, 1_062.0].map(round_down).into();
        assert_eq!(steps, [10.0, 10.0, 20.0, 20.0, 50.0, 50.0, 1_000.0]);
    }

    #[test]
    fn ordinary_runs_on_ordinary_grids_are_not() {
        for n in [20, 300] {
            for (kind, (name, _)) in CLEAN.iter().enumerate() {
                for (seed, grid_ns) in [(1, 10), (2, 20), (3, 40), (4, 100)] {
                    let run = stamped(grid_ns, 50_000_017, &clean(kind, n, seed));
                    assert_eq!(coarse_sampling(&run, None), None, "{name} {n}");
                }
            }
        }
    }

    #[test]
    fn equal_latencies_and_too_few_edges_say_nothing() {
        assert_eq!(coarse_sampling(&run(1_000_000, &[500; 100]), None), None);
        assert_eq!(coarse_sampling(&run(1_000_000, &[500, 510, 520]), None), None);
        assert_eq!(coarse_sampling(&Transfers::default(), Some(10.0)), None);
    }
}
