//! Both ends of a tunnel, and the channel between them.
//!
//! All test files are in one program, because linking many programs would take long.

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
