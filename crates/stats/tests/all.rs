//! Statistics of real captures.
//!
//! One program for all of them, because each would be linked with everything that it tests.

mod captures_channels;
mod captures_clock;
mod captures_findings;
