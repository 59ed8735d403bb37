//! Clocks that are in the data but not in the stimulus.
//!
//! **Enters:** [`Transfers`]. **Leaves:** [`Clocks`]: the link's own period, the drift between the
//! link's clock and the trigger's, and the whole periods some transfers waited extra.
//!
//! A link with a clock of its own (a connection interval, a beacon, a hop, a firmware tick)
//! completes at instants of that clock, whatever the instants of the triggers. How that shows
//! depends on how the trigger period relates to the clock:
//!
//! - not commensurate, or irregular: latency covers a whole period, and the *completions* fold on
//!   it although the triggers do not. [`period`] finds this with a spectrum of completion instants
//!   ([`comb`]). Latencies are never folded: with a regular trigger their clusters lie a fraction
//!   of the period apart.
//! - commensurate, a few phases: the same, and [`coverage`] says how few.
//! - a whole multiple: every completion line is a trigger line too. What remains is the drift
//!   between the two crystals, a line in latency against time ([`drift`]), noisy or not, and the
//!   transfers that missed a turn and came exactly one period later ([`slip`]).

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

/// What the clock findings share, computed once a run.
#[derive(Clone, Debug)]
pub struct Clocks {
    /// The run as the methods here read it.
    pub series: Series,
    /// A period the completions keep and the triggers do not.
    pub period: Option<Period>,
    /// The drift of latency over time.
    pub ramp: Option<Ramp>,
    /// Transfers later, or earlier, than the rest by whole periods that divide the trigger's.
    pub slips: Option<Slips>,
}

impl Clocks {
    /// Looks for every kind of clock in a run.
    #[must_use]
    pub fn of(transfers: &Transfers) -> Self {
        let series = Series::of(transfers);
        let ramp = drift::ramp(&series);
        let period = hidden_period(&series, ramp.as_ref());
        // Against a clock that the triggers sweep there is no common line to slip from.
        let slips = if period.is_none() { slip::slips(&series, ramp.as_ref()) } else { None };
        Self { series, period, ramp, slips }
    }

    /// The period of the link's clock, ns, whichever way it was found.
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
