//! # airlag-wasm: the questions for a browser
//!
//! **Input:** a question in JSON, and the bytes of a capture. **Output:** the answer in JSON, byte for byte what the
//! command line prints, and the arrays on which it is based. Converts and calls, without any logic. There is one
//! thread, so a page runs it in a worker, and ends the worker to cancel.

pub mod arrays;
#[cfg(target_family = "wasm")]
mod bindings;
