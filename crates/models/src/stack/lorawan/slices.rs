//! Time slices of a device and its network.

use airlag_sim::{Precedence, Slice};

pub use crate::slices::{HOST, TRANSMIT};

/// The radio leaves sleep for an uplink.
pub static RADIO_START: Slice = Slice::radio("radio start", Precedence::Settle);
/// An uplink or downlink waits until its duty cycle allows it.
pub static OFF_TIME: Slice = Slice::wait("duty cycle off time", Precedence::Turn);
/// A device waits for a receive window, or listens in it.
pub static RECEIVE_WINDOWS: Slice = Slice::wait("receive windows", Precedence::Await);
/// A confirmed uplink without acknowledgement waits for its retransmission.
pub static RETRANSMIT_DELAY: Slice = Slice::wait("retransmit delay", Precedence::Await);
/// A gateway's program has not fetched a received frame yet.
pub static GATEWAY_POLL: Slice = Slice::wait("gateway poll", Precedence::Look);
/// Time between gateway and network server.
pub static BACKHAUL: Slice = Slice::medium("backhaul", Precedence::Frame);
/// The network server collects copies from other gateways.
pub static DEDUPLICATION: Slice = Slice::wait("deduplication", Precedence::Held);
/// Time from the network server to the application's program.
pub static APPLICATION: Slice = Slice::work("application server");
/// A downlink waits for an uplink of a class A device, and for the window after it.
pub static DOWNLINK_QUEUE: Slice = Slice::wait("downlink queue", Precedence::Held);
