//! Statistics of real captures.
//!
//! All test files are in one program, because linking many programs would take long.

mod captures_channels;
mod captures_clock;
mod captures_findings;
