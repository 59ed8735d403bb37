//! Clocks that are visible in the data but not part of the stimulus.
//!
//! **Input:** [`Transfers`]. **Output:** [`Clocks`]: the link's own period, the drift between the clocks of
//! link and trigger, and transfers that waited extra whole periods.
//!
//! A link with its own clock (a connection interval, a beacon, a hop, a firmware tick) completes at instants
//! of that clock, independent of the trigger instants. The effect depends on the relation of the trigger
//! period to the clock:
//!
//! - incommensurate, or irregular: the latency covers a whole period, and the *completions* fold on it
//!   although the triggers do not. [`period`] detects this with a spectrum of completion instants ([`comb`]).
//!   Latencies are never folded, because with a regular trigger their clusters are a fraction of the period
//!   apart.
//! - commensurate with a few phases: the same, and [`coverage`] reports the number of phases.
//! - a whole multiple: every completion line is also a trigger line. Only two effects remain visible: the
//!   drift between the two crystals, which makes the latency a line over time ([`drift`]), and transfers
//!   that are exactly one period late ([`slip`]).

pub mod comb;
pub mod coverage;
pub mod drift;
pub mod period;
pub mod series;
pub mod slip;
mod steady;

pub use coverage::Coverage;
pub use drift::Ramp;
pub use period::{Period, hidden_period};
pub use series::Series;
pub use slip::Slips;

use crate::pair::Transfers;

/// Inputs of all findings about clocks, computed once per run.
#[derive(Clone, Debug)]
pub struct Clocks {
    /// The run as arrays of floats.
    pub series: Series,
    /// A period that the completions have and the triggers do not.
    pub period: Option<Period>,
    /// The drift of latency over time.
    pub ramp: Option<Ramp>,
    /// Transfers that are later or earlier than the rest by whole periods that divide the trigger period.
    pub slips: Option<Slips>,
}

impl Clocks {
    /// Searches for every kind of clock in a run.
    #[must_use]
    pub fn of(transfers: &Transfers) -> Self {
        let series = Series::of(transfers);
        let ramp = drift::ramp(&series);
        let period = hidden_period(&series, ramp.as_ref());
        // With a clock that the triggers sweep, there is no common line to slip from.
        let slips = if period.is_none() { slip::slips(&series, ramp.as_ref()) } else { None };
        Self { series, period, ramp, slips }
    }

    /// Period of the link's clock, ns, from either method.
    #[must_use]
    pub fn own_period_ns(&self) -> Option<f64> {
        let tight = self.slips.as_ref().filter(|s| s.tight).map(|s| s.period_ns);
        self.period.as_ref().map(|p| p.period_ns).or(tight)
    }
}

#[cfg(test)]
pub(crate) mod simulate;
#[cfg(test)]
mod tests;
