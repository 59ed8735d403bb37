//! What a peripheral is told before it begins.

use crate::capability::Flags;
use crate::control::LONGEST_PACKET;

/// Whether commands are encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encryption {
    /// Never: no key is exchanged.
    Off,
    /// If the other end wants it too.
    Preferred,
    /// Always: commands in the clear are refused.
    Required,
}

impl Encryption {
    /// What an end offers that can do `flags` otherwise, over packets of `packet` bytes.
    pub(crate) fn offered(self, flags: Flags, packet: usize) -> Flags {
        match self {
            Self::Preferred | Self::Required if packet >= LONGEST_PACKET => {
                flags.and(Flags::ENCRYPTION)
            }
            _ => flags.without(Flags::ENCRYPTION),
        }
    }
}

/// What a peripheral is told.
#[derive(Clone, Debug)]
pub struct Config {
    /// Bytes of a packet of the link: for Bluetooth LE the MTU less 3.
    pub packet: usize,
    /// How long a central should wait for a container, ms.
    pub timeout_ms: u16,
    /// Longest payload it answers with.
    pub max_response: u16,
    /// Whether commands are encrypted.
    pub encryption: Encryption,
    /// What it can do beyond the protocol: [`Flags::COMPACT`], [`Flags::REASONS`], [`Flags::BOUND`], calls
    /// in flight.
    pub flags: Flags,
    /// How long the next container of a request may take before the request is given up, ns.
    pub patience_ns: u64,
}

impl Config {
    /// Everything that it can do, over packets of `packet` bytes; with `calls` in flight.
    #[must_use]
    pub fn new(packet: usize, calls: u8) -> Self {
        Self {
            packet,
            timeout_ms: 100,
            max_response: u16::MAX,
            encryption: Encryption::Required,
            flags: Flags::COMPACT.and(Flags::REASONS).and(Flags::BOUND).with_calls(calls),
            patience_ns: 1_000_000_000,
        }
    }
}
