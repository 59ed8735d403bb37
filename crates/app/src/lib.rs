//! # airlag-app: the program under test
//!
//! **Input:** on the sending board, a trigger edge; on the receiving board, chunks (parts of a
//! message). **Output:** from the sending board, the chunks of a message; from the receiving board,
//! a strobe for every message whose bytes are all correct. **Used by:** an implementation of
//! [`Link`](airlag_link::Link), which carries the chunks, and a real or virtual logic analyser,
//! which records trigger and strobe.
//!
//! - [`sender`]: sends a message in chunks at each trigger.
//! - [`receiver`]: assembles chunks into messages, checks the messages, and drives the strobe.
//! - [`responder`]: assembles chunks into messages, checks the messages, and sends them back.
//! - [`reflector`]: responds to live probes, with time stamps of this board.
//! - [`stamper`]: time-stamps edges on this board, and sends the time stamps to a recorder in
//!   frames.
//! - [`control`]: handles requests of a host: changes settings, starts or stops the program, and
//!   replies.
//! - [`triggers`]: calculates the time from each trigger to the next from the settings of a series
//!   of triggers.
//! - [`repeat`]: transfers messages in windows of 128 messages, with selective repeat.
//! - [`echo`]: drives the strobe at each trigger, without a link, to measure the latency of the
//!   fixture.
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
