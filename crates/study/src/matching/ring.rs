//! Search for a best phase between the points of a grid.
//!
//! The range of phases that reproduce a capture may be narrower than the steps of any affordable
//! grid of phases. For example, the ticks of one clock may overtake the anchor points of another
//! clock once within a run. In this case, only a few phases reproduce the time at which the ticks
//! overtake the anchor points in the capture. The change of the results between two neighbouring
//! grid points indicates whether such a range of phases can lie between them. For a point between
//! two grid points, the triangle inequality gives a lower bound of the distance between its results
//! and the capture: add the distances of the two grid points from the capture, subtract the change
//! between the grid points, and halve the result. The interval with the lowest bound is bisected,
//! until no bound is noticeably lower than the distance of the best point (S. A. Piyavskii, "An
//! algorithm for finding the absolute extremum of a function", USSR Computational Mathematics and
//! Mathematical Physics 12 (1972) 57; in contrast to that algorithm, each interval has its own
//! slope).

use crate::matching::misfit::Spread;

/// Narrowest interval that is bisected, as a share of a cycle.
const NARROWEST: f64 = 1e-4;

/// A point of a cycle.
struct Point {
    at: f64,
    /// Distance between the results at this point and the capture.
    distance: f64,
    made: Spread,
    /// Lower bound of the distance between this point and the next one.
    bound: f64,
}

/// The points of a cycle that were tried, ascending.
#[derive(Default)]
pub(super) struct Ring(Vec<Point>);

impl Ring {
    /// Adds a point with its results.
    pub(super) fn insert(&mut self, at: f64, distance: f64, made: Spread) {
        let place = self.0.partition_point(|point| point.at < at);
        self.0.insert(place, Point { at, distance, made, bound: 0.0 });
        for from in [(place + self.0.len() - 1) % self.0.len(), place] {
            let (one, next) = (&self.0[from], self.next(from));
            let bound = 0.5 * (one.distance + next.distance - one.made.distance(&next.made));
            self.0[from].bound = bound;
        }
    }

    fn next(&self, from: usize) -> &Point {
        &self.0[(from + 1) % self.0.len()]
    }

    fn width(&self, from: usize) -> f64 {
        (self.next(from).at - self.0[from].at).rem_euclid(1.0)
    }

    /// Middle of the interval with the lowest bound, if the bound is below every tried point by more than
    /// `noticed`.
    pub(super) fn suspect(&self, noticed: f64) -> Option<f64> {
        let best = self.0.iter().map(|point| point.distance).fold(f64::INFINITY, f64::min);
        let wide = (0..self.0.len()).filter(|&from| self.width(from) > NARROWEST);
        let from = wide.min_by(|&a, &b| self.0[a].bound.total_cmp(&self.0[b].bound))?;
        let lower = self.0[from].bound < best - noticed;
        lower.then(|| (self.0[from].at + 0.5 * self.width(from)).rem_euclid(1.0))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Latencies at phase `at`, one per edge: late if the phase is beyond the edge.
    fn latencies(edges: &[f64], at: f64) -> Vec<i64> {
        edges.iter().map(|&edge| if edge < at { 30_000_000 } else { 1_000_000 }).collect()
    }

    proptest! {
        #[test]
        fn a_valley_narrower_than_the_grid_is_found(
            valley in 0.0f64..0.959, width in 0.005f64..0.02, share in 0.1f64..0.9,
        ) {
            // All changes happen within the valley that contains the captured phase. From 1 to 0
            // they reverse, but only in the last interval of the grid.
            let edges: Vec<f64> =
                (0..100).map(|nth| valley + width * f64::from(nth) / 100.0).collect();
            let captured = Spread::new(&latencies(&edges, valley + share * width));
            let (mut ring, mut best) = (Ring::default(), f64::INFINITY);
            let grid = (0..48).map(|nth| Some(f64::from(nth) / 48.0));
            for point in grid.chain((0..24).map(|_| None)) {
                let Some(at) = point.or_else(|| ring.suspect(0.02)) else { break };
                let made = Spread::new(&latencies(&edges, at));
                let distance = captured.distance(&made);
                best = best.min(distance);
                ring.insert(at, distance, made);
            }
            prop_assert!(best < 0.04, "{best}");
        }
    }

    #[test]
    fn where_nothing_changes_nothing_is_suspected() {
        let mut ring = Ring::default();
        for nth in 0..48 {
            ring.insert(f64::from(nth) / 48.0, 0.3, Spread::new(&[1_000_000; 50]));
        }
        assert_eq!(ring.suspect(0.02), None);
    }
}
