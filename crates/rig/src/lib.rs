//! # airlag-rig: the virtual bench
//!
//! **Input:** a link profile, a program, a message size and a seed. **Output:** a
//! [`Trace`](airlag_trace::Trace) with a trigger channel, a completion channel and named time
//! slices, or the outcome of a run under load. **Used by:** `airlag-stats`, which treats the trace
//! of a bench like a captured trace, and `airlag-study`, which draws conclusions from the runs of
//! benches. A bench itself only measures.
//!
//! Suggested reading order:
//!
//! - [`parameter`]: a constant with its value, unit, range and source. Typed parameters, the file
//!   format, `--set` and error messages are all derived from one declaration.
//! - [`profile`]: a link profile with all constants of a link. [`family`]: a file with several
//!   profiles that differ in a few values. [`sources`]: the documents that constants cite.
//!   [`parts`]: supply currents of chips. [`batteries`]: battery data.
//! - [`kind`]: the interface of a kind of link. The list of kinds is in `airlag-kinds` and is
//!   passed to every function that reads a profile.
//! - [`frame_loss`], [`propagation`]: effects of the air on the frames of any kind of link.
//! - [`ends`]: the interface between a kind of link and a program. [`programs`]: the programs, one
//!   file each. Callers can supply further programs. [`exchange`]: request-and-response traffic.
//! - [`neighbours`]: other transmitters on the air, and the positions of all transmitters.
//! - [`floor`]: lower bound of a message's latency. [`knob`]: settings that an engineer can change.
//!   [`dependant`]: settings that have to change when another setting changes.
//! - [`session`]: a bench from its wiring to its last instant.
//! - [`stimulus`]: trigger times. [`run`](mod@run): a run, from trigger times to edges.
//!   [`sniff`](mod@sniff): a run with a sniffer. [`emissions`]: a run that also records the
//!   transmissions of each radio. [`carry`]: links under load. [`relay`]: a bench for packets from
//!   outside the simulation.
//! - [`draws`]: time in each power state, for every part that draws current.
//! - [`places`]: one run at many simulated locations.
//! - [`interrupt`]: ends long work at the caller's request. [`allowance`]: ends long work after a
//!   number of simulation events.
//! - [`error`]: errors in a request.

#![forbid(unsafe_code)]

pub mod allowance;
pub mod batteries;
pub mod carry;
pub mod dependant;
pub mod draws;
pub mod emissions;
pub mod ends;
pub mod error;
pub mod exchange;
pub mod family;
pub mod floor;
pub mod frame_loss;
mod generator;
pub mod interrupt;
pub mod kind;
pub mod knob;
pub mod messages;
pub mod neighbours;
pub mod origin;
pub mod parameter;
pub mod parts;
mod payload;
pub mod places;
pub mod processor;
pub mod profile;
pub mod programs;
pub mod propagation;
pub mod relay;
pub mod report;
pub mod run;
pub mod session;
pub mod sniff;
pub mod sources;
pub mod stimulus;

pub use error::Error;
pub use family::Family;
pub use interrupt::Interrupt;
pub use kind::Kind;
pub use profile::Profile;
pub use run::{Options, Run, run};
pub use session::Session;
pub use sniff::sniff;
pub use stimulus::Stimulus;
