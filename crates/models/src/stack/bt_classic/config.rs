//! Roles of the two ends, and configuration of a link.

use airlag_sim::{Clock, Duration};

use super::packet::PacketSet;
use super::scan::Scans;

/// Role of an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Central, formerly called master: the device whose clock defines the slots.
    Master,
    /// Peripheral, formerly called slave: the device that responds.
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

/// Configuration of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Packet types that both devices use.
    pub packets: PacketSet,
    /// Longest packet, slots.
    pub max_slots: u64,
    /// T_poll, slots.
    pub poll_interval: u64,
    /// Link supervision timeout.
    pub supervision: Duration,
    /// The central's clock.
    pub clock: Clock,
    /// Start of the first even slot on that clock; less than two slots.
    pub phase: Duration,
    /// Scans of central and peripheral for other devices, if any.
    pub scans: [Option<Scans>; 2],
}
