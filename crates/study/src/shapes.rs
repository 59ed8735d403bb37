//! JSON types that Python code fills: instruments, sweeps, optimisers and emulated links. Declared here, so
//! that all schemas and types are generated from one place.

pub mod boards;
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
