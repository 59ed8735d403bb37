//! Both ends of a tunnel, and the channel between them.
//!
//! One program for all of them, because each would be linked with everything that it tests.

mod attack_soak;
mod attackers;
mod attacks;
mod faults;
mod floods;
mod links;
mod numbered;
mod over;
mod over_soak;
mod reflection;
mod renewal;
mod soak;
mod world;
