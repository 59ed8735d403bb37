//! # airlag-study: questions asked of virtual benches and captures
//!
//! **Enters:** link profiles, captures and what is asked of them. **Leaves:** answers as plain
//! values: where the time went, what to change, what a link carries, which link it was, which to
//! choose. **Next on the way:** `airlag-py`, which hands them to Python.
//!
//! What needs both a bench and statistics lives here, one file or folder a question:
//!
//! - [`batch`]: files that list many runs, as plans.
//! - [`question`]: the one door: a question in JSON goes in, an answer in JSON and arrays come out.
//! - [`questions`]: what can be asked, one module each. [`answers`]: what several answers share.
//!   [`json`]: how they are written. [`schemas`](mod@schemas): what they look like.
//! - [`asked`]: in what two runs differ, and whether they can be compared then.
//! - [`pace`]: how far apart triggers have to come.
//! - [`timeline`]: one transfer as slices that add up to its latency.
//! - [`charge`](mod@charge): what a message costs either end, and how long a battery lasts.
//! - [`chart`]: charts as data, filled with values.
//! - [`explain`](mod@explain): a run with the slices of every transfer, and its floor.
//! - [`advice`]: which knob to turn, measured on the bench. [`alignment`](mod@alignment): what a trigger
//!   gains that knows when its link transmits.
//! - [`goodput`](mod@goodput): what a link carries when it never waits.
//! - [`law`]: whether a region allows what was sent.
//! - [`load`](mod@load): latency, queue and loss against how much is offered.
//! - [`matched`]: transfers of a virtual run, matched by identity; [`overload`]: whether the link carries
//!   the offered rate.
//! - [`matching`]: how well a bench explains a capture, and which of all benches does best.
//! - [`quantity`](mod@quantity): numbers and units as text.
//! - [`recommend`](mod@recommend): which link to choose for a deadline.
//! - [`rpc`]: calls on a link, beside what was published of them, and what makes them quicker.
//! - [`saved`]: what a saved run records of itself, checked.
//! - [`sensitivity`](mod@sensitivity): what an assumption is worth.
//! - [`train`]: why messages of a train do not arrive, and what makes them.
//! - [`tune`]: what can be changed on a link, which metrics a setting has, whether it keeps limits.
//! - [`trials`](mod@trials): trains of messages back to back, and which of them arrive.
//! - [`under_load`](mod@under_load): what a tunnel makes of two flows, one of which offers too much.
//! - [`error`]: what can be wrong with a question.

#![forbid(unsafe_code)]

pub mod advice;
pub mod alignment;
pub mod answers;
pub mod asked;
pub mod batch;
pub mod charge;
pub mod chart;
pub mod error;
pub mod explain;
pub mod goodput;
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
pub use schemas::schemas;
pub use sensitivity::sensitivity;
pub use train::explain_train;
pub use trials::trials;
pub use under_load::under_load;
