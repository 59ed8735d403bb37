//! Networks of OpenThread's own nodes.
//!
//! All test files are in one program, because linking many programs would take long.

mod everyday;
mod everyday_profiles;
mod live;
mod meshes;
mod networks;
mod processes;
