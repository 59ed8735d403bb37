//! Clocks that are visible in the data but not part of the stimulus.
//!
//! **Input:** [`Transfers`]. **Output:** [`Clocks`]: the link's own period, the drift between the clocks of
//! link and trigger, and transfers that waited extra whole periods.
//!
//! A link with its own clock (a connection interval, a beacon, a hop, a firmware tick) completes transfers at
//! instants of that clock, whatever the trigger instants are. The effects that are visible in the data depend
//! on the trigger period divided by the period of that clock. There are three cases:
//!
//! - If the trigger period divided by the clock period is not a ratio of small integers, or the triggers are
//!   irregular, the latencies cover a whole period of the clock. The *completions* are then concentrated at
//!   one phase of the clock, although the triggers are not concentrated at one phase. [`period`] detects this
//!   concentration with a spectrum of completion instants ([`comb`]). A spectrum of latencies is not used,
//!   because with a regular trigger the latencies form clusters that are a fraction of the clock period
//!   apart.
//! - If the trigger period divided by the clock period is a ratio of small integers, triggers occur at a few
//!   phases of the clock. The concentration of the completions at one phase is detected in this case too, and
//!   [`coverage`] reports the number of trigger phases.
//! - If the trigger period is a whole multiple of the clock period, every line in the spectrum of completions
//!   is also a line in the spectrum of triggers. Only two effects remain visible. First, the drift between
//!   the crystals of link and trigger makes the latency a straight line over time ([`drift`]). Second, some
//!   transfers are exactly one clock period late ([`slip`]).

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
