//! # airlag-live: the wall clock
//!
//! **Input:** either a link profile and two ports to which unmodified programs connect, or a target
//! to probe. **Output:** if a profile is given, the packets of the programs, delayed as by the
//! link, and the outcome of each packet. If a target is given, the output is the time stamps of
//! every probe. **Used by:** `airlag-stats`, which evaluates packets and probes in the same way as
//! the transfers of any other run.
//!
//! Modules in reading order:
//!
//! - [`port`]: interface of sources and sinks of packets. Implementations: [`udp`], [`tcp`],
//!   [`pty`], [`tun`].
//! - [`late`]: scheduling delay of the emulator.
//! - [`journal`]: file that records the packets of one direction during an emulation.
//! - [`session`]: a virtual bench that runs in real time, between two ports.
//! - [`probe`]: probes of live endpoints, and a reflector that answers probes.
//! - [`record`]: recording from instruments on serial lines.
//! - [`boards`]: boards on serial lines. Such a board reports its firmware image, its settings and
//!   its counters.
//! - [`trigger`]: sources of the triggers of a real bench, such as a board with a [`console`].

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
