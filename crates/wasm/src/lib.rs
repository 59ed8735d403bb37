//! # airlag-wasm: the questions for a browser
//!
//! **Input:** a question in JSON, and the bytes of a capture. **Output:** the answer in JSON, byte for byte as the
//! command line prints it, and the arrays on which the answer is based. The crate only converts and calls, and
//! contains no logic. It has one thread, so a page runs it in a worker, and ends the worker to cancel.

pub mod arrays;
#[cfg(target_family = "wasm")]
mod bindings;
