//! # airlag-app: the program under test
//!
//! **Input:** a trigger edge on one board, chunks on the other. **Output:** chunks, and a strobe
//! for every message whose bytes are all correct. **Used by:** a [`Link`](airlag_link::Link)
//! carries the chunks; a real or virtual logic analyser records trigger and strobe.
//!
//! - [`sender`]: trigger → message → chunks.
//! - [`receiver`]: chunks → check → strobe.
//! - [`responder`]: chunks → check → the same message back.
//! - [`reflector`]: live probes → responses with time stamps of this board.
//! - [`stamper`]: edges time-stamped by this board → frames for a recorder.
//! - [`control`]: requests of a host → settings, start and stop, and replies.
//! - [`triggers`]: ordered triggers → the time from each to the next.
//! - [`repeat`]: selective repeat over windows of messages.
//! - [`echo`]: trigger → strobe without a link, the overhead of the fixture itself.
//!
//! The code is written once over `embedded-hal` traits and is the same on a board and on the
//! virtual bench.

#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod control;
pub mod echo;
pub mod receiver;
pub mod reflector;
pub mod repeat;
pub mod responder;
pub mod sender;
pub mod stamper;
pub mod triggers;

pub use control::Control;
pub use echo::Echo;
pub use receiver::{Receiver, Sorter};
pub use reflector::Reflector;
pub use repeat::{Collector, Repeater};
pub use responder::Responder;
pub use sender::Sender;
pub use stamper::Stamper;
pub use triggers::Gaps;
