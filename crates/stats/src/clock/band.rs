//! Lines between upper and lower bounds.

use super::{Exchange, MAX_SKEW};

/// Number of bisections of a slope interval: from 2000 ppm to less than 1e-15.
const HALVINGS: usize = 42;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    x: f64,
    y: f64,
}

/// The side of the convex hull that faces the lines: below the points of an upper bound (`sign` 1), or above
/// the points of a lower bound (`sign` -1). Heights are stored multiplied by `sign`.
#[derive(Clone, Debug)]
struct Hull {
    sign: f64,
    corners: Vec<Point>,
    sum_x: f64,
    count: f64,
}

impl Hull {
    const fn new(sign: f64) -> Self {
        Self { sign, corners: Vec::new(), sum_x: 0.0, count: 0.0 }
    }

    /// Adds a point. Points come in nearly ascending order of `x`; reordered responses are the exception.
    fn add(&mut self, Point { x, y }: Point) {
        self.sum_x += x;
        self.count += 1.0;
        let new = Point { x, y: y * self.sign };
        let mut behind = Vec::new();
        while let Some(last) = self.corners.last()
            && last.x > x
        {
            behind.extend(self.corners.pop());
        }
        self.push(new);
        while let Some(next) = behind.pop() {
            self.push(next);
        }
    }

    fn push(&mut self, new: Point) {
        if let Some(last) = self.corners.last()
            && last.x == new.x
        {
            if last.y <= new.y {
                return;
            }
            self.corners.pop();
        }
        while let [.., a, b] = self.corners[..]
            && (b.x - a.x) * (new.y - a.y) - (new.x - a.x) * (b.y - a.y) <= 0.0
        {
            self.corners.pop();
        }
        self.corners.push(new);
    }

    /// Returns the corner that a line of this slope touches, and the intercept of the touching line, which is
    /// the largest on this side of the hull. Slope and intercept are multiplied by `sign`.
    fn touch(&self, slope: f64) -> (Point, f64) {
        let edge = |at: usize| {
            let (a, b) = (self.corners[at], self.corners[at + 1]);
            (b.y - a.y) / (b.x - a.x)
        };
        // Slopes of edges ascend.
        let (mut low, mut high) = (0, self.corners.len() - 1);
        while low < high {
            let middle = (low + high) / 2;
            if edge(middle) < slope {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let corner = self.corners[low];
        (corner, slope.mul_add(-corner.x, corner.y))
    }

    /// Intercept of the line with this slope that touches the hull.
    fn intercept(&self, slope: f64) -> f64 {
        self.sign * self.touch(slope * self.sign).1
    }

    /// Slope of the edge at the mean `x` of all points. Of all lines on this side of the points, the line
    /// through this edge has the smallest sum of distances to the points.
    fn slope(&self) -> f64 {
        let mean = self.sum_x / self.count;
        let after = self.corners.partition_point(|corner| corner.x <= mean);
        let [a, b] = match (after, self.corners.len()) {
            (_, 1) => return 0.0,
            (0, _) => [0, 1],
            (after, len) if after == len => [len - 2, len - 1],
            (after, _) => [after - 1, after],
        };
        let (a, b) = (self.corners[a], self.corners[b]);
        self.sign * (b.y - a.y) / (b.x - a.x)
    }
}

/// All lines within the bounds of some exchanges, with a slope of at most [`MAX_SKEW`].
///
/// Coordinates are relative to the first exchange, so that doubles are exact to a nanosecond over weeks.
#[derive(Clone, Debug)]
pub struct Band {
    origin_ns: i64,
    base_ns: i64,
    upper: Hull,
    lower: Hull,
    /// Slope and intercept of a feasible line.
    witness: (f64, f64),
}

impl Band {
    /// The lines within the bounds of one exchange.
    pub(super) fn new(first: &Exchange) -> Self {
        let mut band = Self {
            origin_ns: first.sent_ns,
            base_ns: first.received_ns - first.sent_ns,
            upper: Hull::new(1.0),
            lower: Hull::new(-1.0),
            witness: (0.0, 0.0),
        };
        let [upper, lower] = band.bounds_of(first);
        band.upper.add(upper);
        band.lower.add(lower);
        band.witness = (0.0, f64::midpoint(upper.y, lower.y));
        band
    }

    /// Restricts the lines to those within the bounds of `exchange`. Returns `false`, without a change, if
    /// there are none.
    pub(super) fn admit(&mut self, exchange: &Exchange) -> bool {
        let [upper, lower] = self.bounds_of(exchange);
        let (slope, intercept) = self.witness;
        let at = |x: f64| slope.mul_add(x, intercept);
        if at(upper.x) <= upper.y && at(lower.x) >= lower.y {
            self.upper.add(upper);
            self.lower.add(lower);
            return true;
        }
        let mut narrowed = self.clone();
        narrowed.upper.add(upper);
        narrowed.lower.add(lower);
        let slope = narrowed.widest();
        if narrowed.width(slope) < 0.0 {
            return false;
        }
        narrowed.witness = (slope, narrowed.middle(slope));
        *self = narrowed;
        true
    }

    /// Reference of offsets, ns.
    pub(super) const fn base_ns(&self) -> i64 {
        self.base_ns
    }

    /// Time since the first exchange, ns.
    pub(super) const fn x(&self, at_ns: i64) -> f64 {
        (at_ns - self.origin_ns) as f64
    }

    /// Intercept of the line with this slope midway between the bounds.
    pub(super) fn middle(&self, slope: f64) -> f64 {
        f64::midpoint(self.upper.intercept(slope), self.lower.intercept(slope))
    }

    /// Slope of the clock: the mean of the slopes of both directions, limited to feasible lines.
    pub(super) fn slope(&self) -> f64 {
        let [low, high] = self.slopes();
        f64::midpoint(self.upper.slope(), self.lower.slope()).clamp(low, high)
    }

    /// Smallest and largest offset at `at_ns` relative to the base, ns, over lines with slopes in
    /// [`slopes`](Self::slopes).
    pub(super) fn bounds(&self, slopes: [f64; 2], at_ns: i64) -> [f64; 2] {
        let x = self.x(at_ns);
        // A steeper line through a corner is higher after it and lower before it.
        let highest = halved(slopes, |slope| self.upper.touch(slope).0.x < x);
        let lowest = halved(slopes, |slope| self.lower.touch(-slope).0.x >= x);
        [
            lowest.mul_add(x, self.lower.intercept(lowest)),
            highest.mul_add(x, self.upper.intercept(highest)),
        ]
    }

    /// Distance of the bounds along lines of this slope. Negative if no line fits.
    fn width(&self, slope: f64) -> f64 {
        self.upper.intercept(slope) - self.lower.intercept(slope)
    }

    /// Slope at which the band is widest. The width increases with the slope as long as the upper bound is
    /// touched before the lower one.
    fn widest(&self) -> f64 {
        halved([-MAX_SKEW, MAX_SKEW], |slope| {
            self.upper.touch(slope).0.x <= self.lower.touch(-slope).0.x
        })
    }

    /// Smallest and largest slope of a feasible line.
    pub(super) fn slopes(&self) -> [f64; 2] {
        let widest = self.widest();
        [-MAX_SKEW, MAX_SKEW].map(|end| {
            if self.width(end) >= 0.0 {
                return end;
            }
            let (mut inside, mut outside) = (widest, end);
            for _ in 0..HALVINGS {
                let middle = f64::midpoint(inside, outside);
                if self.width(middle) >= 0.0 {
                    inside = middle;
                } else {
                    outside = middle;
                }
            }
            inside
        })
    }

    /// Upper and lower bound of the offset from an exchange.
    fn bounds_of(&self, exchange: &Exchange) -> [Point; 2] {
        let upper = exchange.received_ns - exchange.sent_ns - self.base_ns;
        let lower = exchange.answered_ns - exchange.arrived_ns - self.base_ns;
        [
            Point { x: self.x(exchange.sent_ns), y: upper as f64 },
            Point { x: self.x(exchange.arrived_ns), y: lower as f64 },
        ]
    }
}

/// Point between two slopes at which `is_below` changes from true to false.
fn halved([mut low, mut high]: [f64; 2], is_below: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if is_below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}
