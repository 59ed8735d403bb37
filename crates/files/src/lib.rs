//! # airlag-files: files that appear whole or not at all
//!
//! **Enters:** a path and what is to be written there. **Leaves:** the complete file, or what was
//! there before. **Next on the way:** nothing; a file is an end of the packet's way.
//!
//! Readers of captures (`airlag-trace`) also run where there is no file system. They know nothing of
//! this crate.
//!
//! - [`draft`]: a file under construction, beside the one it will replace.
//! - [`capture`]: a trace as a capture file.

#![forbid(unsafe_code)]

pub mod capture;
pub mod draft;

pub use capture::write;
pub use draft::{Draft, Replace};
