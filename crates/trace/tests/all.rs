//! Readers and writers of captures.
//!
//! One program for all of them, because each would be linked with everything that it tests.

mod captures;
mod other_tools;
mod round_trips;
mod sigrok;
