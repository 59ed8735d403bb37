//! Code made from descriptions of services.
//!
//! All test files are in one program, because linking many programs would take long.

mod benchmark;
mod described;
mod made;
mod refused;
mod thermostat;
