//! Questions, one module each: the question, its answer, and the function that answers it.

pub mod across;
pub mod analyze;
pub mod bench;
pub mod capacity;
pub mod channels;
mod command;
pub mod compare;
pub mod compare_runs;
pub mod explain;
pub mod goodput;
pub mod labels;
pub mod links;
pub mod load;
pub mod matching;
pub mod probe;
pub mod recommend;
pub mod rpc;
pub mod run;
pub mod sensitivity;
mod steps;
#[cfg(not(target_family = "wasm"))]
pub mod thread;
pub mod time_base;
pub mod trains;
pub mod under_load;
