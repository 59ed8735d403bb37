//! Both ends of calls, connected directly to each other.
//!
//! All test files are in one program, because linking many programs would take long.

mod benchmark;
mod calls;
mod downgrade;
mod floods;
mod forged;
mod hostile;
mod loss;
mod uploads;
mod wired;
