//! # airlag-files: atomic writes of files
//!
//! **Input:** a path and contents. **Output:** the complete file, or the old one.
//!
//! Readers of captures (`airlag-trace`) also run without a file system, so they do not depend on this crate.
//!
//! - [`draft`]: atomic writes.
//! - [`capture`]: traces as capture files.
//! - [`lock`]: lock files.

#![forbid(unsafe_code)]

pub mod capture;
pub mod draft;
pub mod lock;

pub use capture::write;
pub use draft::{Draft, Replace};
