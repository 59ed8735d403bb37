//! Reduction of the number of marks on a chart: points within the size of a mark share one mark.

use std::collections::HashMap;

/// Largest deviation of a simplified line, px. A line with more than [`CELLS_FROM`] points is first reduced
/// to one point per half pixel.
pub const OFF: f64 = 0.25;
const CELLS_FROM: usize = 2000;

/// A point with a mark, and the number of points that the mark represents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// Index of the point.
    pub at: usize,
    /// Number of points under the mark.
    pub stands_for: usize,
}

/// Returns the first point in each square that contains points, ascending. `width` is the size of a square,
/// px.
///
/// The minimum and maximum of both coordinates always have a mark.
#[must_use]
pub fn one_per_square(right: &[f64], down: &[f64], width: f64) -> Vec<Mark> {
    let Some(extremes) = extremes(right, down) else { return Vec::new() };
    let (left, top) = (right[extremes[0]], down[extremes[2]]);
    let square = |at: usize| {
        (((right[at] - left) / width).floor() as i64, ((down[at] - top) / width).floor() as i64)
    };
    let mut places = HashMap::new();
    let mut marks: Vec<Mark> = Vec::new();
    for at in 0..right.len() {
        let place = *places.entry(square(at)).or_insert(marks.len());
        match marks.get_mut(place) {
            Some(mark) => mark.stands_for += 1,
            None => marks.push(Mark { at, stands_for: 1 }),
        }
    }
    let mut every = extremes.to_vec();
    every.sort_unstable();
    every.dedup();
    let mut marked: Vec<usize> = Vec::new();
    for extreme in every {
        let mark = &mut marks[places[&square(extreme)]];
        if marked.contains(&mark.at) {
            // Two extremes in one square: the second is removed from the mark of the first and gets
            // its own.
            mark.stands_for -= 1;
            marks.push(Mark { at: extreme, stands_for: 1 });
        } else {
            mark.at = extreme;
        }
        marked.push(extreme);
    }
    marks.sort_by_key(|mark| mark.at);
    marks
}

/// Indices of the leftmost, rightmost, topmost and lowest point. The first of equal ones. `None` without
/// points.
fn extremes(right: &[f64], down: &[f64]) -> Option<[usize; 4]> {
    let best = |axis: &[f64], sign: f64| {
        (0..axis.len()).reduce(|a, b| if sign * axis[b] < sign * axis[a] { b } else { a })
    };
    Some([best(right, 1.0)?, best(right, -1.0)?, best(down, 1.0)?, best(down, -1.0)?])
}

/// Returns the points that are needed to draw a monotonic line, including both ends.
///
/// `right` and `up` are in px, in drawing order, and never decrease. The simplified line passes every
/// omitted point within [`OFF`] px, plus half a pixel for a long line.
#[must_use]
pub fn corners(right: &[f64], up: &[f64]) -> Vec<usize> {
    let seen = if right.len() > CELLS_FROM { moved(right, up) } else { (0..right.len()).collect() };
    let (Some(&first), Some(&last)) = (seen.first(), seen.last()) else { return Vec::new() };
    // Rotated by 45 degrees, a monotonic line is a function, whatever its slope.
    let along = |nth: usize| right[seen[nth]] + up[seen[nth]];
    let aside = |nth: usize| up[seen[nth]] - right[seen[nth]];
    let mut kept = vec![first];
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    let mut at = 0;
    for here in 1..seen.len() {
        let mut run = along(here) - along(at);
        if run <= 0.0 {
            continue;
        }
        let mut rise = aside(here) - aside(at);
        if !(low..=high).contains(&(rise / run)) {
            at = here - 1;
            kept.push(seen[at]);
            (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
            (run, rise) = (along(here) - along(at), aside(here) - aside(at));
            if run <= 0.0 {
                continue;
            }
        }
        low = low.max((rise - OFF) / run);
        high = high.min((rise + OFF) / run);
    }
    if seen.len() > 1 {
        kept.push(last);
    }
    kept
}

/// Indices of the first point, the last point, and each point that is in another half pixel than
/// its predecessor.
fn moved(right: &[f64], up: &[f64]) -> Vec<usize> {
    let cell = |at: usize| ((right[at] * 2.0).floor(), (up[at] * 2.0).floor());
    let differs = |at: usize| at > 0 && cell(at) != cell(at - 1);
    // The point before a move is kept too, because otherwise a step would start too early.
    let is_kept = |&at: &usize| at == 0 || at + 1 == right.len() || differs(at) || differs(at + 1);
    (0..right.len()).filter(is_kept).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn points() -> impl Strategy<Value = Vec<(f64, f64)>> {
        prop::collection::vec((0.0..40.0f64, 0.0..40.0f64), 1..60)
    }

    proptest! {
        #[test]
        fn every_point_is_under_a_mark(places in points(), width in 1.0..9.0f64) {
            let (right, down): (Vec<f64>, Vec<f64>) = places.into_iter().unzip();
            let marks = one_per_square(&right, &down, width);
            prop_assert!(marks.windows(2).all(|pair| pair[0].at < pair[1].at));
            prop_assert_eq!(marks.iter().map(|mark| mark.stands_for).sum::<usize>(), right.len());
            for at in 0..right.len() {
                let near = |mark: &Mark| {
                    (right[at] - right[mark.at]).abs().max((down[at] - down[mark.at]).abs()) <= width
                };
                prop_assert!(marks.iter().any(near));
            }
            let kept: Vec<usize> = marks.iter().map(|mark| mark.at).collect();
            prop_assert!(extremes(&right, &down).is_some_and(|all| all.iter().all(|at| kept.contains(at))));
        }

        #[test]
        fn a_rising_line_passes_every_point_it_leaves_out(
            steps in prop::collection::vec((0.0..5.0f64, 0.0..5.0f64), 1..300),
        ) {
            let (mut right, mut up) = (Vec::new(), Vec::new());
            let (mut x, mut y) = (0.0, 0.0);
            for (over, higher) in steps {
                (x, y) = (x + over, y + higher);
                right.push(x);
                up.push(y);
            }
            let kept = corners(&right, &up);
            prop_assert_eq!((kept[0], kept[kept.len() - 1]), (0, right.len() - 1));
            for pair in kept.windows(2) {
                let turned = |at: usize| (right[at] + up[at], up[at] - right[at]);
                let ((a, b), (c, d)) = (turned(pair[0]), turned(pair[1]));
                for at in pair[0]..pair[1] {
                    let (along, aside) = turned(at);
                    let line = if c > a { b + (d - b) * (along - a) / (c - a) } else { b };
                    prop_assert!((line - aside).abs() <= OFF + 1e-9);
                }
            }
        }
    }

    #[test]
    fn nothing_has_no_marks_and_no_corners() {
        assert_eq!(one_per_square(&[], &[], 3.0), []);
        assert_eq!(corners(&[], &[]), [0; 0]);
        assert_eq!(corners(&[1.0], &[1.0]), [0]);
    }

    #[test]
    fn two_extremes_in_one_square_each_have_a_mark() {
        let mark = |at, stands_for| Mark { at, stands_for };
        assert_eq!(
            one_per_square(&[0.0, 0.5, 1.0], &[0.0, 0.5, 1.0], 3.0),
            [mark(0, 2), mark(2, 1)]
        );
    }
}
