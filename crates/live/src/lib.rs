//! # airlag-live: the wall clock
//!
//! **Input:** a link profile and two ports of unmodified programs, or a target to probe. **Output:** the same
//! packets, delayed as by the link, with the outcome of each, or the timestamps of every probe. **Used by:**
//! `airlag-stats`, which evaluates the transfers like those of any run.
//!
//! Modules in reading order:
//!
//! - [`port`]: sources and sinks of packets: [`udp`], [`tcp`], [`pty`], [`tun`].
//! - [`late`]: scheduling delay of the emulator.
//! - [`journal`]: packets of one direction, on disk.
//! - [`session`]: a bench that follows the wall clock, between two ports.
//! - [`probe`]: live endpoints, and a reflector to probe.
//! - [`record`]: instruments on serial lines.
//! - [`boards`]: boards that identify their image, with their settings.
//! - [`trigger`]: triggers of a real bench, such as a board with a [`console`].

#![forbid(unsafe_code)]

pub mod boards;
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
