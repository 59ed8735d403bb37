//! What a station spends time on.

use airlag_sim::{Precedence, Slice};

/// AES of a frame, by the processor.
pub static AES: Slice = Slice::work("AES");
/// System calls, copies and tasklets around a frame.
pub static SYSTEM_CALLS: Slice = Slice::work("system calls");
/// A datagram behind others of the same board.
pub static TRANSMIT_QUEUE: Slice = Slice::wait("transmit queue", Precedence::Turn);
/// A program whose datagram finds no buffer, and waits.
pub static BUFFER_WAIT: Slice = Slice::wait("buffer wait", Precedence::Held);
/// A frame between a host and its radio co-processor.
pub static SPINEL: Slice = Slice::bus("Spinel");
/// What a host's driver and operating system add to that.
pub static SERIAL_LATENCY: Slice = Slice::wait("serial latency", Precedence::Held);
/// A board after a frame that its neighbour is going to pass on.
pub static COLLISION_AVOIDANCE: Slice = Slice::wait("collision avoidance", Precedence::Held);
/// A host whose co-processor does not answer.
pub static NO_ANSWER: Slice = Slice::wait("no answer", Precedence::Held);
/// A program between one datagram and the next.
pub static PACE: Slice = Slice::wait("pace", Precedence::Held);
/// A message whose receiver sleeps, until that asks for it.
pub static HELD_FOR_POLL: Slice = Slice::wait("held for a poll", Precedence::Held);
