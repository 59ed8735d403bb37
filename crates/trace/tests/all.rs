//! Readers and writers of captures.
//!
//! All test files are in one program, because linking many programs would take long.

mod captures;
mod other_tools;
mod round_trips;
mod sigrok;
