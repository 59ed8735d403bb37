//! Configuration of a peripheral.

use crate::capability::Flags;
use crate::control::LONGEST_PACKET;

/// Whether commands are encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encryption {
    /// Commands are never encrypted, and keys are not exchanged.
    Off,
    /// Commands are encrypted if the other end supports it.
    Preferred,
    /// Commands are always encrypted. Unencrypted commands are rejected.
    Required,
}

impl Encryption {
    /// Capabilities that an end with `flags` announces over packets of `packet` bytes.
    pub(crate) fn offered(self, flags: Flags, packet: usize) -> Flags {
        match self {
            Self::Preferred | Self::Required if packet >= LONGEST_PACKET => {
                flags.and(Flags::ENCRYPTION)
            }
            _ => flags.without(Flags::ENCRYPTION),
        }
    }
}

/// Configuration of a peripheral.
#[derive(Clone, Debug)]
pub struct Config {
    /// Packet length of the link, bytes. For Bluetooth LE the MTU minus 3.
    pub packet: usize,
    /// Recommended timeout of a central for a container, ms.
    pub timeout_ms: u16,
    /// Longest payload of a response, bytes.
    pub max_response: u16,
    /// Whether commands are encrypted.
    pub encryption: Encryption,
    /// Offered extensions: [`Flags::COMPACT`], [`Flags::REASONS`], [`Flags::BOUND`], calls in flight.
    pub flags: Flags,
    /// Timeout for the next container of a request, ns.
    pub patience_ns: u64,
}

impl Config {
    /// A configuration with all extensions over packets of `packet` bytes, and `calls` in flight.
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
