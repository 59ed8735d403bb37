//! Time slices of a station.

use airlag_sim::{Precedence, Slice};

/// AES of a frame in the processor.
pub static AES: Slice = Slice::work("AES");
/// System calls, copies and tasklets around a frame.
pub static SYSTEM_CALLS: Slice = Slice::work("system calls");
/// A datagram queued behind others of the same board.
pub static TRANSMIT_QUEUE: Slice = Slice::wait("transmit queue", Precedence::Turn);
/// A program waits for a free buffer.
pub static BUFFER_WAIT: Slice = Slice::wait("buffer wait", Precedence::Held);
/// A frame between a host and its radio co-processor.
pub static SPINEL: Slice = Slice::bus("Spinel");
/// Additional delay of a host's driver and operating system.
pub static SERIAL_LATENCY: Slice = Slice::wait("serial latency", Precedence::Held);
/// Silence after a frame that a neighbour is going to forward.
pub static COLLISION_AVOIDANCE: Slice = Slice::wait("collision avoidance", Precedence::Held);
/// A host whose co-processor does not respond.
pub static NO_ANSWER: Slice = Slice::wait("no answer", Precedence::Held);
/// A program between one datagram and the next.
pub static PACE: Slice = Slice::wait("pace", Precedence::Held);
/// A frame waits for its sleeping receiver's poll.
pub static HELD_FOR_POLL: Slice = Slice::wait("held for a poll", Precedence::Held);
/// A frame waits for a sample of its receiver in CSL.
pub static HELD_FOR_SAMPLE: Slice = Slice::wait("held for a CSL sample", Precedence::Held);
