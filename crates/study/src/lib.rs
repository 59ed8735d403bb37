//! # airlag-study: questions about virtual benches and captures
//!
//! **Input:** link profiles, captures and questions in JSON. **Output:** answers as plain values: latency
//! budgets, advice, goodput, matched links, recommendations. **Used by:** `airlag-py`, which passes the
//! answers to Python.
//!
//! This crate combines simulation and statistics, with one file or folder per question:
//!
//! - [`batch`]: files that describe many runs, parsed into plans.
//! - [`question`]: the entry point, which answers a question in JSON with JSON and arrays.
//! - [`questions`]: all questions, one module each.
//! - [`answers`]: types that several answers share.
//! - [`json`]: JSON output.
//! - [`schemas`](mod@schemas): JSON Schemas of answers and questions.
//! - [`comparison`]: conditions in which two runs differ, and whether the runs are comparable.
//! - [`pace`]: the trigger period at which a link has completed each message before the next trigger.
//! - [`timeline`]: one transfer as slices that add up to its latency.
//! - [`charge`](mod@charge): charge per message and battery life.
//! - [`chart`]: charts as data.
//! - [`explain`](mod@explain): a run with the time budget of every transfer, and the lower bound of the
//!   latency.
//! - [`advice`]: parameter changes that reduce latency, measured on the bench.
//! - [`alignment`](mod@alignment): reduction of latency by triggers that are aligned with the transmissions
//!   of the link.
//! - [`goodput`](mod@goodput): saturated goodput.
//! - [`law`]: regulatory limits.
//! - [`load`](mod@load): latency, queue and loss at offered loads.
//! - [`matched`]: transfers of a virtual run, in which each completion is assigned to the message that caused
//!   it.
//! - [`overload`]: whether the link carries the offered rate.
//! - [`matching`]: how well the virtual bench reproduces a capture, and which profile reproduces it best.
//! - [`quantity`](mod@quantity): numbers and units as text.
//! - [`recommend`](mod@recommend): choice of a link for a deadline.
//! - [`rpc`]: benchmarks of remote procedure calls, a comparison with published results, and the effect of
//!   improved settings.
//! - [`saved`]: checks of the metadata of a saved run.
//! - [`sensitivity`](mod@sensitivity): effect of assumed or calibrated constants on the latency.
//! - [`train`]: causes of losses in trains of messages, and remedies.
//! - [`tune`]: parameters, metrics and limits for tuning.
//! - [`trials`](mod@trials): repeated trains of back-to-back messages.
//! - [`under_load`](mod@under_load): IP tunnels with a bulk flow and a sparse flow.
//! - [`error`]: errors of questions.

#![forbid(unsafe_code)]

pub mod advice;
pub mod alignment;
pub mod answers;
pub mod batch;
pub mod charge;
pub mod chart;
pub mod comparison;
pub mod error;
pub mod explain;
pub mod goodput;
pub mod histogram;
pub mod iperf;
pub mod json;
pub mod law;
pub mod load;
pub mod matched;
pub mod matching;
pub mod overload;
pub mod pace;
pub mod quantity;
pub mod question;
pub mod questions;
pub mod recommend;
pub mod rpc;
pub mod saved;
#[cfg(not(target_family = "wasm"))]
pub mod schemas;
pub mod sensitivity;
pub mod shapes;
mod side_by_side;
pub mod timeline;
pub mod train;
pub mod trials;
pub mod tune;
pub mod under_load;

pub use advice::{Aim, advise, advise_within};
pub use charge::charge;
pub use error::Error;
pub use explain::{Explanation, explain};
pub use goodput::{Goodput, goodput};
pub use load::{Loaded, load};
pub use question::{Answered, Evidence, Given, Reply, ask};
pub use recommend::recommend;
#[cfg(not(target_family = "wasm"))]
pub use schemas::schemas;
pub use sensitivity::sensitivity;
pub use train::explain_train;
pub use trials::trials;
pub use under_load::under_load;
