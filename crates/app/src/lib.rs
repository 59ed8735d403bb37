//! # airlag-app: the program under test
//!
//! **Enters:** a trigger edge on one board, chunks on the other. **Leaves:** chunks, and a strobe
//! for every message whose every byte is right. **Next on the way:** a [`Link`](airlag_link::Link)
//! takes the chunks; a logic analyser, real or virtual, sees trigger and strobe.
//!
//! - [`sender`]: trigger → message → chunks.
//! - [`receiver`]: chunks → check → strobe.
//! - [`responder`]: chunks → check → the same message back.
//! - [`reflector`]: questions of a live probe → answers with the stamps of this board.
//! - [`stamper`]: edges that this board stamps itself → frames for whoever records them.
//! - [`repeat`]: messages in windows, each sent again until it is there.
//! - [`echo`]: trigger → strobe, with nothing in between: what the fixture itself costs.
//!
//! Written once over `embedded-hal` traits and run everywhere: on a board and on the virtual bench
//! it is the same code, and it does not know which.

#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod echo;
pub mod receiver;
pub mod reflector;
pub mod repeat;
pub mod responder;
pub mod sender;
pub mod stamper;

pub use echo::Echo;
pub use receiver::{Receiver, Sorter};
pub use reflector::Reflector;
pub use repeat::{Collector, Repeater};
pub use responder::Responder;
pub use sender::Sender;
pub use stamper::Stamper;
