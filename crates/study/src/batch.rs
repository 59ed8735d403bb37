//! Files that list many runs: what a campaign or a sweep asks for, checked, as a plan.
//!
//! - [`text`](mod@text): TOML that a person wrote. [`table`]: its values, each with what would be
//!   right. [`duration`](mod@duration), [`amounts`]: times and others with their units. [`links`](mod@links): patterns of
//!   names.
//! - [`campaign`]: runs, and the question that they answer. [`sweep`]: every combination of settings.
//! - [`setup`]: a real bench, and the runs to make there.
//! - [`span`]: the runs that lists of values on a command line span.

pub mod amounts;
pub mod campaign;
pub mod duration;
pub mod links;
pub mod setup;
pub mod span;
pub mod sweep;
mod table;
pub mod text;

/// Largest payload that a file can ask for, bytes.
pub const LARGEST_SIZE: u64 = (1 << 31) - 1;
/// Largest random seed.
pub const LARGEST_SEED: u64 = (1 << 63) - 1;
/// Most triggers of a run.
pub const MOST_TRIGGERS: u64 = 10_000_000;
