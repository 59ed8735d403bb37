//! # airlag-live: the wall clock
//!
//! **Input:** a link profile and two ports of unmodified programs, or a target to probe.
//! **Output:** with a profile, the packets of the programs, delayed as by the link, and the outcome
//! of each packet; with a target, the time stamps of every probe. **Used by:** `airlag-stats`,
//! which evaluates these transfers in the same way as the transfers of any other run.
//!
//! Modules in reading order:
//!
//! - [`port`]: sources and sinks of packets: [`udp`], [`tcp`], [`pty`], [`tun`].
//! - [`late`]: scheduling delay of the emulator.
//! - [`journal`]: file with the packets of one direction.
//! - [`session`]: a bench that runs in real time, between two ports.
//! - [`probe`]: probes of live endpoints, and a reflector that answers probes.
//! - [`record`]: instruments on serial lines.
//! - [`boards`]: boards that report which image they run and their settings.
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
