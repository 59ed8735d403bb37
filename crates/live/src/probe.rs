//! Live probes: requests sent at scheduled times, and the timestamps of their replies.
//!
//! **Input:** a target and a pattern of send times. **Output:** a session, which consists of four timestamps of every
//! answered request, and the scheduled and the actual send time of every request. **Used by:** `airlag-stats`, which
//! estimates the clock of the target, and `airlag-study`, which evaluates the session.
//!
//! - [`target`]: addresses of targets, as URLs.
//! - [`pattern`]: send times of requests.
//! - [`near`]: the clock of this computer. [`synchronized`]: the maximum error of this clock, if a service synchronizes
//!   it.
//! - [`wire`]: transmitter and receiver for an open connection to a target: [`datagrams`] for STAMP, [`stream`],
//!   [`websocket`], [`packets`] and [`rpc`].
//! - [`session`]: a thread that sends requests on schedule, and a thread that receives responses. [`priority`]:
//!   real-time scheduling of the sending thread.
//! - [`journal`]: a file to which the messages of a session are written while the session runs.
//! - [`metrics`]: metrics of a session in the OpenMetrics format, served on a TCP port.
//! - [`reflect`]: a reflector, which replies to requests, for a computer. A board uses `airlag_app::reflector` to reply
//!   to requests.

mod datagrams;
pub mod journal;
mod metrics;
pub mod near;
mod packets;
pub mod pattern;
mod priority;
pub mod reflect;
mod rpc;
pub mod session;
pub(crate) mod stream;
pub mod synchronized;
pub mod target;
mod websocket;
mod wire;

pub use airlag_app::Reflector as MessageReflector;
pub use packets::Carrier;
pub use pattern::Pattern;
pub use session::{Kept, Plan, Progress, probe};
pub use target::Target;
pub use wire::Error;
