//! Settings of a node.

use airlag_air::Band;
use airlag_link::airtime::lora::Frame;
use airlag_sim::Duration;

use super::data::longest;

/// Role of a node that relays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Relays after the slots of routers, and not if another node was faster.
    Client,
    /// Relays in the first slots and always.
    Router,
}

/// Addressee of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addressee {
    /// A direct message to the other end, which acknowledges it.
    Node,
    /// A message to all nodes of the channel, which all of them relay.
    Channel,
}

/// Configuration of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Number of the node.
    pub number: u32,
    /// Number of the node with the other end's program.
    pub peer: u32,
    /// Addressee of its messages.
    pub addressee: Addressee,
    /// Packet format.
    pub frame: Frame,
    /// Frequencies.
    pub band: Band,
    /// Hash of the channel.
    pub channel: u8,
    /// Rebroadcasts of its packets, at most.
    pub hop_limit: u8,
    /// Role.
    pub role: Role,
    /// Signal-to-noise ratio with which its receiver reports packets, dB.
    pub snr_db: f64,
    /// Whether its direct messages are encrypted with a public key.
    pub public_key: bool,
    /// Whether its messages request an acknowledgement.
    pub acknowledged: bool,
    /// Transmissions of a message without an acknowledgement, at most.
    pub transmissions: u8,
    /// Largest share of an hour in which it sends, %.
    pub duty_cycle: f64,
    /// Symbols of a preamble that its receiver needs.
    pub lock_symbols: u16,
    /// From the end of channel activity detection to the first symbol on the air.
    pub start: Duration,
    /// From the end of a received packet to the decision about it.
    pub processing: Duration,
}

impl Config {
    /// Whether its messages are encrypted with a public key.
    #[must_use]
    pub fn seals(&self) -> bool {
        self.public_key && self.addressee == Addressee::Node
    }

    /// Longest data of a message.
    #[must_use]
    pub fn most(&self) -> usize {
        longest(self.seals())
    }

    /// Airtime of a packet of `len` bytes with its header, in whole milliseconds as the firmware counts it.
    #[must_use]
    pub const fn airtime_ms(&self, len: usize) -> u64 {
        self.frame.duration_ns(len) / 1_000_000
    }
}

/// Costs of the program and the stack at an end, on its board's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// From the program's call to the packet in the transmit queue.
    pub send: Duration,
    /// From the decision about a received packet to its data in the program.
    pub receive: Duration,
    /// Longest wait for the addressee's acknowledgement of a direct message before the next message.
    pub patience: Duration,
}
