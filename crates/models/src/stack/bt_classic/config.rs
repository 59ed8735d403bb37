//! What the two ends of a link are, and how the link was set up.

use airlag_sim::{Clock, Duration};

use super::packet::PacketSet;
use super::scan::Scans;

/// Which of the two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The device whose clock counts the slots.
    Master,
    /// The device that answers.
    Slave,
}

impl Role {
    pub(super) const fn index(self) -> usize {
        match self {
            Self::Master => 0,
            Self::Slave => 1,
        }
    }
}

/// How a link was set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Packet types both use.
    pub packets: PacketSet,
    /// Longest packet, in slots.
    pub max_slots: u64,
    /// T_poll in slots.
    pub poll_interval: u64,
    /// How long nothing may be heard.
    pub supervision: Duration,
    /// The master's clock.
    pub clock: Clock,
    /// Where the first even slot begins on that clock; less than two slots.
    pub phase: Duration,
    /// When master and slave listen for other devices, if they do.
    pub scans: [Option<Scans>; 2],
}
