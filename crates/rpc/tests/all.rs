//! Both ends of calls, wired to each other.
//!
//! One program for all of them, because each would be linked with everything that it tests.

mod benchmark;
mod calls;
mod downgrade;
mod floods;
mod forged;
mod hostile;
mod loss;
mod uploads;
mod wired;
