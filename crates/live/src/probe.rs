//! Live probes: questions that leave at planned times, and the stamps of their answers.
//!
//! **Enters:** a target, a pattern of send times. **Leaves:** four stamps of every question that was
//! answered, and the planned and the real send time of every question. **Next on the way:**
//! `airlag-stats`, which estimates the far clock, and `airlag-study`, which answers.
//!
//! - [`target`]: what can be probed, as a URL.
//! - [`pattern`]: when questions leave.
//! - [`near`]: the clock of this computer.
//! - [`wire`]: the two halves of an open target: [`datagrams`], which speak STAMP, [`stream`]
//!   and [`websocket`].
//! - [`session`]: one thread that sends on time, one that receives.
//! - [`journal`]: a session on disk while it goes.
//! - [`metrics`]: a session in OpenMetrics, for whoever scrapes a port.
//! - [`reflect`]: the other end, on a computer. A board has `airlag_app::reflector`.

mod datagrams;
pub mod journal;
mod metrics;
pub mod near;
pub mod pattern;
pub mod reflect;
pub mod session;
pub(crate) mod stream;
pub mod target;
mod websocket;
mod wire;

pub use pattern::Pattern;
pub use session::{Kept, Plan, Progress, probe};
pub use target::Target;
pub use wire::Error;
