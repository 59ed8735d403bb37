//! # airlag-stats: from edges to answers
//!
//! **Enters:** rows of levels from `airlag-trace`, captured or virtual: to this crate they are the
//! same. **Leaves:** transfers with named outcomes, their distribution, the clocks hidden in them,
//! and findings an engineer can act on.
//!
//! The way through:
//!
//! - [`source`]: a capture file goes in.
//! - [`pair`]: trigger and completion edges become [`pair::Transfers`].
//! - [`dist`]: what the latencies look like, and how far to trust it.
//! - [`fold`]: the clocks hidden in them.
//! - [`findings`]: a closed list of things that are true of a run and matter.
//! - [`deadline`], [`misses`]: whether a deadline is kept, and how many messages in a row miss it.
//! - [`budget`]: where the time went, when transfers come cut into parts.
//! - [`charge`]: what a message draws, where a current was measured.
//! - [`places`]: how places differ at which the same link was run.
//! - [`position`]: which messages of a train were lost.
//! - [`probes`]: what a session of live probes recorded: losses by direction, order, episodes.
//! - [`clock`]: offset and skew between the clocks of two ends, from stamps of probes.
//! - [`clusters`]: how far to trust a share, a quantile or a mean of several runs; [`pareto`]: which of
//!   several costs no other dominates.
//! - [`compare`]: whether two runs can be compared, and what differs; [`rank`] and [`levy`] say by how
//!   much, in one number.
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
pub mod probes;
pub mod rank;
pub mod source;

pub use charge::Metered;
pub use pair::{NONE, Outcome, PairOptions, Pairer, Taken, Transfers};
pub use source::Source;
