//! # airlag-app: the program under test
//!
//! **Input:** a trigger edge on the sending board, chunks on the receiving board. **Output:**
//! chunks from the sending board, and from the receiving board a strobe for every message whose
//! bytes are all correct. **Used by:** a [`Link`](airlag_link::Link), which carries the chunks, and
//! a real or virtual logic analyser, which records trigger and strobe.
//!
//! - [`sender`]: trigger → message → chunks.
//! - [`receiver`]: chunks → check → strobe.
//! - [`responder`]: chunks → check → the same message, sent back.
//! - [`reflector`]: live probes → responses with time stamps of this board.
//! - [`stamper`]: edges time-stamped by this board → frames for a recorder.
//! - [`control`]: requests of a host → changed settings, start and stop, and replies.
//! - [`triggers`]: settings of a series of triggers → the time from each trigger to the next.
//! - [`repeat`]: selective repeat over windows of messages.
//! - [`echo`]: trigger → strobe without a link, which measures the latency of the fixture itself.
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
