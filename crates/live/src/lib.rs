//! # airlag-live: the wall clock
//!
//! **Enters:** a link profile, and two ports of programs that know nothing of us; or a target to
//! probe. **Leaves:** the same packets, as late as the link makes them, and what became of each; or
//! the stamps of every probe. **Next on the way:** `airlag-stats`, which takes the transfers as those
//! of any run.
//!
//! Walk through the files in this order:
//!
//! - [`port`]: where packets come from and go to: [`udp`], [`tcp`], [`pty`], [`tun`].
//! - [`late`]: how late we were ourselves.
//! - [`journal`]: what went one way, on disk.
//! - [`session`]: the bench, slaved to the wall clock, between two ports.
//! - [`probe`]: live endpoints, and a reflector to probe.
//! - [`record`]: instruments on serial lines.
//! - [`trigger`]: triggers of a real bench, such as a board with a [`console`].

#![forbid(unsafe_code)]

pub mod console;
pub mod journal;
pub mod late;
pub mod port;
pub mod probe;
pub mod pty;
pub mod record;
pub mod session;
pub mod tcp;
pub mod trigger;
pub mod tun;
pub mod udp;

pub use journal::Journal;
pub use port::Port;
pub use session::{Emulated, Error, Plan, emulate};
