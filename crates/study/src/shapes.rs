//! JSON that is filled outside of Rust: by instruments, sweeps and optimisers in Python, and by what
//! holds two programs together. Declared here, so that every schema and every type comes from one
//! place.

pub mod campaign;
pub mod emulation;
pub mod files;
pub mod matched;
pub mod ran;
pub mod rpc;
pub mod sweep;
pub mod tuning;
pub mod tunnel;
pub mod tunnel_bench;
