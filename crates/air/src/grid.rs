//! Points on a plane, found by distance.
//!
//! Points are sorted into square cells, so that a search visits only the cells that its circle
//! touches.

use std::collections::HashMap;

use crate::quantity::Metres;

/// A point on the ground, m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Position {
    /// Eastward.
    pub x: f64,
    /// Northward.
    pub y: f64,
}

impl Position {
    /// Creates the point at a distance from the origin, in a direction counted from east, rad.
    #[must_use]
    pub fn polar(Metres(distance): Metres, angle: f64) -> Self {
        Self { x: distance * libm::cos(angle), y: distance * libm::sin(angle) }
    }

    /// Distance to another point.
    #[must_use]
    pub fn distance(self, other: Self) -> Metres {
        Metres(libm::hypot(self.x - other.x, self.y - other.y))
    }
}

/// Numbered points by cell.
#[derive(Clone, Debug)]
pub struct Grid {
    side: f64,
    cells: HashMap<(i64, i64), Vec<usize>>,
    points: Vec<Position>,
}

impl Grid {
    /// Creates a grid of `points` with square cells of `side`, at least 1 m.
    #[must_use]
    pub fn new(points: Vec<Position>, side: Metres) -> Self {
        let mut grid = Self { side: side.0.max(1.0), cells: HashMap::new(), points: Vec::new() };
        for point in points {
            let cell = (grid.cell(point.x), grid.cell(point.y));
            grid.cells.entry(cell).or_default().push(grid.points.len());
            grid.points.push(point);
        }
        grid
    }

    fn cell(&self, metres: f64) -> i64 {
        (metres / self.side).floor() as i64
    }

    /// Numbers and distances of the points within `radius` of `centre`, ascending by number.
    #[must_use]
    pub fn within(&self, centre: Position, radius: Metres) -> Vec<(usize, Metres)> {
        let Metres(reach) = radius;
        let columns = self.cell(centre.x - reach)..=self.cell(centre.x + reach);
        let rows = self.cell(centre.y - reach)..=self.cell(centre.y + reach);
        let count = |cells: &std::ops::RangeInclusive<i64>| {
            cells.end().saturating_sub(*cells.start()).saturating_add(1)
        };
        let near = |&at: &usize| {
            let distance = self.points[at].distance(centre);
            (distance <= radius).then_some((at, distance))
        };
        // If the circle covers more cells than there are points, a search point by point is faster.
        if count(&columns).saturating_mul(count(&rows)) > self.points.len() as i64 {
            return (0..self.points.len()).filter_map(|at| near(&at)).collect();
        }
        let cells = columns.flat_map(|column| rows.clone().map(move |row| (column, row)));
        let points = cells.filter_map(|cell| self.cells.get(&cell)).flatten();
        let mut found: Vec<_> = points.filter_map(near).collect();
        found.sort_unstable_by_key(|&(at, _)| at);
        found
    }
}

#[cfg(test)]
mod tests {
    use airlag_sim::Stream;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_search_finds_what_comparing_all_points_finds(
            seed: u64, count in 0_usize..200, side in 1.0..400.0, reach in 0.0..1_000.0,
        ) {
            let mut stream = Stream::new(seed, "points");
            let mut coordinate = || stream.below(2_000) as f64 - 1_000.0;
            let mut point = || Position { x: coordinate(), y: coordinate() };
            let points: Vec<Position> = (0..count).map(|_| point()).collect();
            let centre = point();
            let all = points.iter().map(|point| point.distance(centre)).enumerate();
            let expected: Vec<_> = all.filter(|(_, distance)| distance.0 <= reach).collect();
            let found = Grid::new(points, Metres(side)).within(centre, Metres(reach));
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn distances_are_those_of_pythagoras() {
        let far = Position { x: -3.0, y: 4.0 };
        assert_eq!(far.distance(Position::default()), Metres(5.0));
    }
}
