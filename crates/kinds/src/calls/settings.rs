//! What the two ends of a call can do, and what it costs their boards besides the link.
//!
//! They are parameters of every link that goes both ways, with defaults: a peer as it was published.

use airlag_rpc::capability::Flags;
use airlag_rpc::control::LONGEST_PACKET;
use airlag_rpc::peripheral::Encryption;
use airlag_sim::Duration;

use airlag_rig::parameter::{choices, parameters};

const PUBLISHED: &str = "as bleRPC does it";
const HIDDEN: &str = "passes while the next connection event is awaited";

choices! {
    /// How a method is spoken of.
    pub enum Heads {
        /// By its name, as the protocol has it.
        Named = "named",
        /// By its number, once the peripheral told it.
        Numbered = "numbered",
    }
}

choices! {
    /// Whether commands are encrypted.
    pub enum Sealing {
        /// From end to end.
        Sealed = "sealed",
        /// Not at all.
        Plain = "plain",
    }
}

parameters! {
    /// How calls are made over a link.
    pub struct Settings {
        /// calls under way at once
        calls_in_flight: u8 = whole(1, 16, "").or("1", PUBLISHED),
        /// how a method is spoken of
        call_heads: Heads = unit("").or("named", PUBLISHED),
        /// encryption of calls
        call_sealing: Sealing = unit("").or("sealed", PUBLISHED),
        /// what the service takes for a call
        call_handler: Duration = unit("ns").or("500000", HIDDEN),
        /// what a read of the flash takes besides
        call_flash_read: Duration = unit("ns").or("0", "memory that a processor reads like its own"),
        /// what the peripheral takes to seal or open a KiB
        call_sealing_kib: Duration = unit("ns").or("200000", HIDDEN),
        /// from the central's packet to its next, besides what the link takes
        call_write_callback: Duration = unit("ns").or("0", "a program that need not ask"),
    }
}

impl Settings {
    /// What an end can do beyond the protocol.
    #[must_use]
    pub fn flags(&self) -> Flags {
        let flags = match self.call_heads {
            Heads::Named => Flags::REASONS,
            Heads::Numbered => Flags::REASONS.and(Flags::COMPACT),
        };
        flags.with_calls(self.calls_in_flight)
    }

    /// Whether commands are encrypted over packets of `packet` bytes: those too short for a key exchange
    /// carry them in the clear, and nothing else does.
    #[must_use]
    pub const fn encryption(&self, packet: usize) -> Encryption {
        match self.call_sealing {
            Sealing::Sealed if packet >= LONGEST_PACKET => Encryption::Required,
            Sealing::Sealed | Sealing::Plain => Encryption::Off,
        }
    }

    /// What it takes to seal or open so many bytes.
    #[must_use]
    pub fn sealing(&self, bytes: usize) -> Duration {
        match self.call_sealing {
            Sealing::Sealed => {
                Duration::from_ns(self.call_sealing_kib.as_ns() * bytes as u64 / 1024)
            }
            Sealing::Plain => Duration::ZERO,
        }
    }
}
