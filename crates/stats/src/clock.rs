//! Offset and skew between the clocks of two ends, from the stamps of probes, with hard bounds.
//!
//! A delay is never negative. So each probe bounds the offset of the far clock from both sides: its
//! receive stamp less its send stamp is at least the offset, and the answer's send stamp less its
//! receive stamp at most. Between steps, a clock is a line over time that passes all of these
//! intervals. The lines that do are a convex set ([`Band`]), which gives
//!
//! - the interval of the offset at any instant: by linear programming over the convex hulls of the
//!   bounds. It holds whatever the delays are, asymmetric or slotted, as long as the clock is linear;
//! - the estimate: slopes by the lower convex hull of each direction (L. Zhang, Z. Liu, C. Xia, *Clock
//!   Synchronization Algorithms for Network Measurements*, INFOCOM 2002), which is the solution of the
//!   linear program of S. Moon, P. Skelly, D. Towsley (INFOCOM 1999), and the offset that makes the
//!   smallest delays of both directions equal;
//! - steps: where no line passes any more, a new piece begins (J. O'Rourke, *An On-Line Algorithm for
//!   Fitting Straight Lines between Data Ranges*, CACM 24, 1981). A skew that drifts, as with
//!   temperature, gives several pieces. Steps smaller than the smallest round trip leave a line; they
//!   are found where the smallest delays of both directions move against each other ([`steps`]).

mod band;
pub mod steps;
#[cfg(test)]
mod tests;

use crate::pair::NONE;
pub use band::Band;

/// Largest skew that is considered: crystals and RC oscillators of boards, and a clock that is being
/// slewed by 500 ppm (RFC 5905).
pub const MAX_SKEW: f64 = 1e-3;

/// The stamps of one probe, ns; [`NONE`] where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Scheduled send time, on the near clock.
    pub scheduled_ns: i64,
    /// Send time, on the near clock.
    pub sent_ns: i64,
    /// Receive stamp of the far end, on the far clock.
    pub received_ns: i64,
    /// Send stamp of the far end, on the far clock.
    pub answered_ns: i64,
    /// Receive time of the answer, on the near clock.
    pub arrived_ns: i64,
}

impl Exchange {
    /// Whether an answer arrived.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.arrived_ns != NONE
    }

    /// Round-trip delay without the residence time at the far end (RFC 2681), ns.
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

    /// Estimated offset of the far clock at `at_ns` of the near clock, ns.
    #[must_use]
    pub fn offset_ns(&self, at_ns: i64) -> f64 {
        self.band.base_ns() as f64 + self.relative(at_ns)
    }

    /// Largest error of [`offset_ns`](Self::offset_ns) at `at_ns`, ns: the far end of the interval of
    /// all offsets that the stamps allow.
    #[must_use]
    pub fn uncertainty_ns(&self, at_ns: i64) -> f64 {
        let (low, high) = self.band.bounds(at_ns);
        let here = self.relative(at_ns);
        (high - here).max(here - low).max(0.0)
    }

    /// Estimated skew: how much faster the far clock is, as a share.
    #[must_use]
    pub const fn skew(&self) -> f64 {
        self.slope
    }

    /// Forward and return delay of an exchange, ns.
    #[must_use]
    pub fn one_way_ns(&self, exchange: &Exchange) -> [f64; 2] {
        // Differences of stamps first: the offset may be decades.
        let base = self.band.base_ns();
        let forward = (exchange.received_ns - exchange.sent_ns - base) as f64;
        let back = (exchange.arrived_ns - exchange.answered_ns + base) as f64;
        [forward - self.relative(exchange.sent_ns), back + self.relative(exchange.arrived_ns)]
    }

    /// Offset less the base of the band, ns.
    fn relative(&self, at_ns: i64) -> f64 {
        self.slope.mul_add(self.band.x(at_ns), self.intercept)
    }
}

/// The far clock over a run, piece by piece between its steps, in order of time.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// At least one where any exchange is complete.
    pub pieces: Vec<Piece>,
}

impl Clock {
    /// Estimates the far clock from the complete exchanges of a run, in the order they were sent.
    #[must_use]
    pub fn of(exchanges: &[Exchange]) -> Self {
        let complete: Vec<&Exchange> = exchanges.iter().filter(|one| one.is_complete()).collect();
        let mut pieces = Vec::new();
        for piece in split(&complete) {
            match steps::within(piece) {
                Some(at) => pieces.extend([&piece[..at], &piece[at..]].map(whole)),
                None => pieces.push(whole(piece)),
            }
        }
        Self { pieces }
    }

    /// The piece that holds at `at_ns` of the near clock: the last that began before.
    #[must_use]
    pub fn at(&self, at_ns: i64) -> Option<&Piece> {
        let after = self.pieces.partition_point(|piece| piece.from_ns <= at_ns);
        self.pieces.get(after.saturating_sub(1))
    }
}

/// Cuts exchanges where no line passes all bounds any more.
fn split<'a, 'b>(complete: &'b [&'a Exchange]) -> Vec<&'b [&'a Exchange]> {
    let mut pieces = Vec::new();
    let mut from = 0;
    let mut band: Option<Band> = None;
    for (at, exchange) in complete.iter().enumerate() {
        let fits = band.as_mut().is_some_and(|band| band.admit(exchange));
        if !fits {
            if at > from {
                pieces.push(&complete[from..at]);
            }
            from = at;
            band = Some(Band::new(exchange));
        }
    }
    if from < complete.len() {
        pieces.push(&complete[from..]);
    }
    pieces
}

/// The piece of exchanges that one line passes. Where a small step was found within, none may: then
/// those that no line passes with the ones before are left out.
fn whole(exchanges: &[&Exchange]) -> Piece {
    let mut band = Band::new(exchanges[0]);
    let mut to_ns = exchanges[0].arrived_ns;
    for exchange in &exchanges[1..] {
        band.admit(exchange);
        to_ns = to_ns.max(exchange.arrived_ns);
    }
    Piece::of(band, exchanges[0].sent_ns, to_ns)
}
