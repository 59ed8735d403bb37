//! Files that describe many runs, parsed and checked into plans.
//!
//! - [`text`](mod@text): parser of TOML files, with limits on size and depth. [`table`]: checked values of a
//!   TOML table. [`duration`](mod@duration), [`amounts`]: quantities with units. [`links`](mod@links):
//!   patterns of link names.
//! - [`campaign`]: runs, and the question that these runs answer. [`sweep`]: runs with every combination of
//!   settings.
//! - [`setup`]: setup and runs of a real bench.
//! - [`span`]: all combinations of the values in lists on a command line.

pub mod amounts;
pub mod campaign;
pub mod duration;
pub mod links;
pub mod setup;
pub mod span;
pub mod sweep;
mod table;
pub mod text;

/// Largest payload in a file, bytes.
pub const LARGEST_SIZE: u64 = (1 << 31) - 1;
/// Largest random seed.
pub const LARGEST_SEED: u64 = (1 << 63) - 1;
/// Most triggers of a run.
pub const MOST_TRIGGERS: u64 = 10_000_000;
