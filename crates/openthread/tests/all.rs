//! Networks of OpenThread's own nodes.
//!
//! One program for all of them, because each would be linked with everything that it tests.

mod everyday;
mod everyday_profiles;
mod live;
mod meshes;
mod networks;
mod processes;
