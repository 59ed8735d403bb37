//! Sweeps: all combinations of settings, payloads and random seeds of several links.
//! `docs/sweeps.md` documents every key.

mod axis;
mod columns;
pub mod design;
mod file;
pub mod plan;
pub mod range;
pub mod stop;

pub use design::{Design, Draw, Points};
pub use file::plan;
pub use plan::Plan;
