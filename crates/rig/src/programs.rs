//! What runs on the boards at both ends of a link, whatever the link is. One file a program.
//!
//! A program is made with what it shares with whoever started it (wires, a queue, a count), and
//! spawns its tasks on two ends.

pub mod echo;
pub mod offered;
pub mod saturated;
pub mod triggered;

use airlag_link::Link;

use crate::ends::{Bench, End, Opening, Pins};
use crate::report::Told;

/// A program for both ends.
pub enum Program {
    /// A message at every trigger, a strobe for every message.
    Triggered(triggered::Triggered),
    /// A message at every trigger, sent back, a strobe for every answer.
    Echo(echo::Echo),
    /// Messages without end.
    Saturated(saturated::Saturated),
    /// Messages as they are offered, through a queue.
    Offered(offered::Offered),
}

impl Program {
    /// True if the second end sends too.
    #[must_use]
    pub const fn needs_both_ways(&self) -> bool {
        match self {
            Self::Triggered(_) | Self::Saturated(_) | Self::Offered(_) => false,
            Self::Echo(_) => true,
        }
    }

    /// Spawns it on two ends.
    pub(crate) fn start(
        &self,
        near: End<impl Pins, impl Opening>,
        far: End<impl Pins, impl Opening>,
        bench: &Bench,
    ) {
        match self {
            Self::Triggered(program) => program.start(near, far, bench),
            Self::Echo(program) => program.start(near, far, bench),
            Self::Saturated(program) => program.start(near, far, bench),
            Self::Offered(program) => program.start(near, far, bench),
        }
    }

    /// Spawns it on a board without a link; false if it needs one.
    pub(crate) fn start_alone(&self, pins: impl Pins, bench: &Bench) -> bool {
        match self {
            Self::Triggered(program) => program.start_alone(&pins, bench),
            Self::Echo(_) | Self::Saturated(_) | Self::Offered(_) => return false,
        }
        true
    }
}

/// The link of a board once it is up, and the board then ready; none where it could not be set up,
/// which stops the board.
async fn opened<O: Opening>(board: &'static str, link: O, told: &Told) -> Option<O::Link> {
    match link.await {
        Ok(link) => {
            told.borrow_mut().ready += 1;
            Some(link)
        }
        Err(cause) => {
            stop(board, cause, told);
            None
        }
    }
}

/// Keeps why a board stopped.
fn stop(board: &'static str, cause: String, told: &Told) {
    told.borrow_mut().stopped = Some((board, cause));
}

/// Receives chunks for ever and hands each to `seen`; ends when the link breaks.
async fn receive_all<L: Link<Error: std::fmt::Display>>(
    mut link: L,
    told: Told,
    mut seen: impl FnMut(&[u8], bool),
) {
    let stream = link.capability().stream;
    let mut buffer = vec![0; link.capability().mtu.max(crate::run::MAX_SIZE)];
    loop {
        match link.receive(&mut buffer).await {
            Ok(got) => seen(&buffer[..got], stream),
            Err(error) => return stop("receiver", error.to_string(), &told),
        }
    }
}
