//! Interfaces and buses of a computer with Linux.
//!
//! One program for all of them, because each would be linked with everything that it tests.

mod pair;
mod tun;
