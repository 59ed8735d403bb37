//! Code made from descriptions of services.
//!
//! One program for all of them, because each would be linked with everything that it tests.

mod benchmark;
mod described;
mod made;
mod refused;
mod thermostat;
