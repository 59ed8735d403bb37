//! # airlag-stats: transfers, statistics and findings from edges
//!
//! **Input:** rows of levels from `airlag-trace`, captured or simulated, which are treated equally.
//! **Output:** transfers with outcomes, their distribution, the clocks in them, and findings.
//!
//! Modules in processing order:
//!
//! - [`source`]: reads a capture.
//! - [`pair`]: converts trigger and completion edges to [`pair::Transfers`].
//! - [`dist`]: distribution of the latencies, with confidence intervals.
//! - [`fold`]: periods of clocks, detected in the latencies.
//! - [`findings`]: a fixed list of properties of a run that affect the interpretation of its
//!   results.
//! - [`deadline`]: whether a required share of messages meets a deadline.
//! - [`misses`]: missed deadlines, and the largest number of consecutive misses.
//! - [`budget`]: time of each activity, for transfers that are split into activities.
//! - [`charge`]: charge per message, from a measured current.
//! - [`places`]: variation of results between simulated locations.
//! - [`position`]: positions of lost messages in a train.
//! - [`probes`]: losses by direction, reordering and loss episodes in a session of live probes.
//! - [`sniff`]: link-layer exchanges in a sniffer recording.
//! - [`clock`]: offset and skew between the clocks of two ends, from probe timestamps.
//! - [`pps`]: time base of a capture with a pulse-per-second signal.
//! - [`clusters`]: confidence bounds of a share, a quantile or a mean over several runs.
//! - [`pareto`]: Pareto fronts.
//! - [`compare`]: whether two runs are comparable, and their differences.
//! - [`rank`] and [`levy`]: distances between two distributions.
//!
//! Edges are integer nanoseconds; floating point appears only in statistics.

pub mod budget;
pub mod charge;
pub mod clock;
pub mod clusters;
pub mod compare;
pub mod deadline;
pub mod dist;
pub mod duration;
pub mod findings;
pub mod fold;
pub mod grid;
pub mod interval;
pub mod levy;
pub mod misses;
#[cfg(test)]
mod noise;
pub mod pair;
pub mod pareto;
pub mod places;
pub mod position;
pub mod pps;
pub mod probes;
pub mod rank;
pub mod sniff;
pub mod source;

pub use charge::Metered;
pub use pair::{NONE, Outcome, PairOptions, Pairer, Taken, Transfers};
pub use source::Source;
