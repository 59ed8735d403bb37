//! Offset and skew between the clocks of two ends, from probe timestamps, with hard bounds.
//!
//! Delays are never negative, so each probe bounds the offset of the far clock on both sides. For the
//! request, the receive timestamp minus the send timestamp is an upper bound. For the response, the send
//! timestamp minus the receive timestamp is a lower bound. Between two steps of the far clock, the offset is
//! a linear function of time that lies between the bounds of all probes. The lines that satisfy all bounds
//! form a convex set ([`Band`]). Three results follow from this set:
//!
//! - An interval that contains the offset at a given instant, by linear programming over the convex hulls of
//!   the bounds. The interval is valid for any delays, including asymmetric or slotted delays, as long as the
//!   offset is a linear function of time.
//! - An estimate of the offset. The slope of the estimate is computed from two slopes, those of the lower
//!   convex hulls of the delays in both directions (L. Zhang, Z. Liu, C. Xia, *Clock Synchronization
//!   Algorithms for Network Measurements*, INFOCOM 2002). The two slopes solve the linear program of S. Moon,
//!   P. Skelly, D. Towsley (INFOCOM 1999). The level of the estimate makes the smallest delays of both
//!   directions equal.
//! - The steps of the far clock. A new piece of the offset begins when no line satisfies all bounds any more
//!   (J. O'Rourke, *An On-Line Algorithm for Fitting Straight Lines between Data Ranges*, CACM 24, 1981). If
//!   the skew drifts, for example with temperature, there are several pieces. If a step is smaller than the
//!   smallest round trip, a line may still satisfy all bounds. Such a small step is detected by opposite
//!   changes of the smallest delays of both directions ([`steps`]).

mod band;
mod interval;
pub mod steps;
#[cfg(test)]
mod tests;

use crate::pair::NONE;
pub use band::Band;
use interval::Stretch;

/// Largest skew: crystals and RC oscillators of boards, and a clock that is slewed by 500 ppm (RFC 5905).
pub const MAX_SKEW: f64 = 1e-3;

/// Timestamps of one probe, ns. [`NONE`] if missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Scheduled send time, on the near clock.
    pub scheduled_ns: i64,
    /// Send time, on the near clock.
    pub sent_ns: i64,
    /// Receive timestamp of the far end, on the far clock.
    pub received_ns: i64,
    /// Send timestamp of the far end, on the far clock.
    pub answered_ns: i64,
    /// Receive time of the response, on the near clock.
    pub arrived_ns: i64,
}

impl Exchange {
    /// Whether a response arrived.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.arrived_ns != NONE
    }

    /// Whether a response arrived with the timestamps of the far end.
    #[must_use]
    pub const fn is_stamped(&self) -> bool {
        self.is_complete() && self.received_ns != NONE && self.answered_ns != NONE
    }

    /// Round-trip delay without the residence time at the far end (RFC 2681), ns. A far end without timestamps
    /// has an unknown residence time, which is included.
    #[must_use]
    pub const fn round_trip_ns(&self) -> i64 {
        (self.arrived_ns - self.sent_ns) - (self.answered_ns - self.received_ns)
    }
}

/// The far clock between two steps.
#[derive(Clone, Debug)]
pub struct Piece {
    /// First send time of its probes, ns on the near clock.
    pub from_ns: i64,
    /// Last arrival of its probes, ns on the near clock.
    pub to_ns: i64,
    band: Band,
    slope: f64,
    intercept: f64,
}

impl Piece {
    fn of(band: Band, from_ns: i64, to_ns: i64) -> Self {
        let slope = band.slope();
        let intercept = band.middle(slope);
        Self { from_ns, to_ns, band, slope, intercept }
    }

    /// Estimated offset of the far clock at time `at_ns` of the near clock, ns.
    #[must_use]
    pub fn offset_ns(&self, at_ns: i64) -> f64 {
        self.band.base_ns() as f64 + self.relative(at_ns)
    }

    /// Estimated skew as a share. Positive if the far clock runs faster.
    #[must_use]
    pub const fn skew(&self) -> f64 {
        self.slope
    }

    /// Forward and return delay of an exchange, ns.
    #[must_use]
    pub fn one_way_ns(&self, exchange: &Exchange) -> [f64; 2] {
        // Timestamps are subtracted as integers, because the offset may be decades.
        let base = self.band.base_ns();
        let forward = (exchange.received_ns - exchange.sent_ns - base) as f64;
        let back = (exchange.arrived_ns - exchange.answered_ns + base) as f64;
        [forward - self.relative(exchange.sent_ns), back + self.relative(exchange.arrived_ns)]
    }

    /// Offset minus the base of the band, ns.
    fn relative(&self, at_ns: i64) -> f64 {
        self.slope.mul_add(self.band.x(at_ns), self.intercept)
    }
}

/// The far clock over a run, as pieces between its steps, in time order.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// Pieces. At least one if any exchange is stamped.
    pub pieces: Vec<Piece>,
    stretches: Vec<Stretch>,
}

impl Clock {
    /// Estimates the far clock from the stamped exchanges of a run, in send order.
    #[must_use]
    pub fn of(exchanges: &[Exchange]) -> Self {
        let complete: Vec<&Exchange> = exchanges.iter().filter(|one| one.is_stamped()).collect();
        let starts = starts(&complete);
        let mut pieces = Vec::new();
        for (nth, &from) in starts.iter().enumerate() {
            let piece = &complete[from..starts.get(nth + 1).copied().unwrap_or(complete.len())];
            match steps::within(piece) {
                Some(at) => pieces.extend([&piece[..at], &piece[at..]].map(whole)),
                None => pieces.push(whole(piece)),
            }
        }
        Self { pieces, stretches: interval::stretches(&complete, &starts) }
    }

    /// Largest error of the estimated offset at the send time of an exchange, ns: the distance from the
    /// estimate to the furthest offset that the timestamps permit. This distance is valid whether the far
    /// clock was set before the exchange, after the exchange, or never. If the far clock was set during the
    /// exchange, the exchange has no single offset. Returns `None` if no exchange has timestamps of the far
    /// end.
    #[must_use]
    pub fn uncertainty_ns(&self, exchange: &Exchange) -> Option<f64> {
        let piece = self.at(exchange.sent_ns)?;
        let [low, high] = interval::at(&self.stretches, exchange, piece.band.base_ns())?;
        let here = piece.relative(exchange.sent_ns);
        Some((high - here).max(here - low).max(0.0))
    }

    /// Largest error of [`uncertainty_ns`](Self::uncertainty_ns) over these exchanges, ns. Returns `None` if
    /// no exchange has timestamps of the far end.
    #[must_use]
    pub fn largest_uncertainty_ns(&self, exchanges: &[Exchange]) -> Option<f64> {
        let complete: Vec<&Exchange> = exchanges.iter().filter(|one| one.is_stamped()).collect();
        // Between two of these instants the error is a convex function of time, so it is largest at an end.
        let changes = self.stretches.iter().flat_map(Stretch::changes_ns);
        let changes = changes.chain(self.pieces.iter().map(|piece| piece.from_ns));
        let around = changes.flat_map(|at_ns| {
            let after = complete.partition_point(|one| one.sent_ns < at_ns);
            [after.saturating_sub(1), after, after + 1]
        });
        let ends = [0, complete.len().saturating_sub(1)];
        let tried = around.chain(ends).filter_map(|nth| complete.get(nth));
        tried.filter_map(|one| self.uncertainty_ns(one)).reduce(f64::max)
    }

    /// Returns the last piece that began before `at_ns` of the near clock.
    #[must_use]
    pub fn at(&self, at_ns: i64) -> Option<&Piece> {
        let after = self.pieces.partition_point(|piece| piece.from_ns <= at_ns);
        self.pieces.get(after.saturating_sub(1))
    }
}

/// The first exchange, and each exchange that starts a new piece because no line fits any more.
fn starts(complete: &[&Exchange]) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut band: Option<Band> = None;
    for (at, exchange) in complete.iter().enumerate() {
        if !band.as_mut().is_some_and(|band| band.admit(exchange)) {
            starts.push(at);
            band = Some(Band::new(exchange));
        }
    }
    starts
}

/// The piece of exchanges that one line fits. If a small step lies within, exchanges that do not
/// fit the preceding exchanges are left out.
fn whole(exchanges: &[&Exchange]) -> Piece {
    let mut band = Band::new(exchanges[0]);
    let mut to_ns = exchanges[0].arrived_ns;
    for exchange in &exchanges[1..] {
        band.admit(exchange);
        to_ns = to_ns.max(exchange.arrived_ns);
    }
    Piece::of(band, exchanges[0].sent_ns, to_ns)
}
