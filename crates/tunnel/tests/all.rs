//! Both ends of a tunnel, and what is between them.
//!
//! One program for all of them, because each would be linked with everything that it tests.

mod faults;
mod links;
mod numbered;
mod over;
mod over_soak;
mod soak;
mod world;
