//! # airlag-wasm: the questions for a browser
//!
//! **Input:** a question in JSON, and the bytes of a capture. **Output:** the answer in JSON, byte for byte
//! as the command line prints it, and the arrays on which the answer is based. The crate converts data and
//! calls other crates of airlag, and contains no logic of its own. The crate runs in a single thread. A page
//! therefore runs the crate in a web worker, and ends the worker to cancel a question.

pub mod arrays;
#[cfg(target_family = "wasm")]
mod bindings;
