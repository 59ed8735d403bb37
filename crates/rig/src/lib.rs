//! # airlag-rig: the virtual bench
//!
//! **Enters:** a link profile, a program, a message size and a seed. **Leaves:** a
//! [`Trace`](airlag_trace::Trace) with a trigger and a completion channel and named slices of where
//! the time went, or what became of a load. **Next on the way:** `airlag-stats`, which cannot tell
//! this trace from a captured one, and `airlag-study`, which asks the questions. A bench has no
//! opinion.
//!
//! Walk through the files in this order:
//!
//! - [`parameter`]: a constant, its value, its unit, its range and its source; the one declaration
//!   from which typed parameters, files, `--set` and errors come.
//! - [`profile`]: a link profile, every constant of it; [`family`]: profiles that differ in a few
//!   values, in one file. [`sources`]: the documents their constants cite. [`parts`]: what chips draw; [`batteries`]: what
//!   there is to draw from.
//! - [`kind`]: what a kind of link is. Which there are is the business of `airlag-kinds`; whoever
//!   reads a profile hands their list in.
//! - [`frame_loss`], [`propagation`]: what the air of any kind can do to its frames.
//! - [`ends`]: what a kind gives to a program. [`programs`]: what runs there, one file each; others are
//!   handed in. [`exchange`]: what else than a message goes over a link.
//! - [`neighbours`]: who else is on the air, and where everybody stands.
//! - [`floor`]: what a message takes at least; [`knob`]: what can be turned; [`dependant`]: what a
//!   setting takes along.
//! - [`session`]: a bench from its wiring to its last instant.
//! - [`stimulus`]: when triggers come. [`run`](mod@run): triggers in, edges out;
//!   [`sniff`](mod@sniff): the same with a sniffer on the air; [`emissions`]: with what each radio
//!   sent; [`carry`]: what a link carries under
//!   load. [`relay`]: a bench that waits for packets from outside.
//! - [`draws`]: how long each part that draws current was in each of its states.
//! - [`propagation`]: how far radios stand apart; [`places`]: the same run at many places.
//! - [`interrupt`]: ends long work early; [`allowance`]: ends it after so many events.
//! - [`error`]: what can be wrong with a request.

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
