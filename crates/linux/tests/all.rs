//! Interfaces and buses of a computer with Linux.
//!
//! All test files are in one program, because linking many programs would take long.

mod pair;
mod tun;
