//! Capabilities of the two ends of a call, and the costs on their boards in addition to the link.
//!
//! They are parameters of every bidirectional link, and their defaults describe a published peer.

use airlag_rpc::capability::Flags;
use airlag_rpc::control::LONGEST_PACKET;
use airlag_rpc::peripheral::Encryption;
use airlag_sim::Duration;

use airlag_rig::parameter::{choices, parameters};

const PUBLISHED: &str = "as in bleRPC";
const HIDDEN: &str = "hidden by the wait for the next connection event";

choices! {
    /// Whether a call carries the name or the number of its method.
    pub enum MethodNaming {
        /// Methods are identified by name, as in the protocol.
        Named = "named",
        /// Methods are identified by number, once the peripheral has announced the number.
        Numbered = "numbered",
    }
}

choices! {
    /// Encryption of commands.
    pub enum Sealing {
        /// Commands are encrypted end to end.
        Sealed = "sealed",
        /// Commands are not encrypted.
        Plain = "plain",
    }
}

parameters! {
    /// Settings of calls over a link.
    pub struct Settings {
        /// largest number of calls in flight
        calls_in_flight: u8 = whole(1, 16, "").or("1", PUBLISHED),
        /// whether a call carries the name or the number of its method
        call_heads: MethodNaming = unit("").or("named", PUBLISHED),
        /// encryption of calls
        call_sealing: Sealing = unit("").or("sealed", PUBLISHED),
        /// processing time of the service per call
        call_handler: Duration = unit("ns").or("500000", HIDDEN),
        /// additional time of a flash read
        call_flash_read: Duration = unit("ns").or("0", "memory-mapped flash"),
        /// time in which the peripheral encrypts or decrypts a KiB
        call_sealing_kib: Duration = unit("ns").or("200000", HIDDEN),
        /// delay after each packet that the central sends, in addition to the latency of the link
        call_write_callback: Duration = unit("ns").or("0", "a program without a write callback"),
    }
}

impl Settings {
    /// Capabilities of an end beyond the protocol.
    #[must_use]
    pub fn flags(&self) -> Flags {
        let flags = match self.call_heads {
            MethodNaming::Named => Flags::REASONS,
            MethodNaming::Numbered => Flags::REASONS.and(Flags::COMPACT),
        };
        flags.with_calls(self.calls_in_flight)
    }

    /// Encryption of commands over packets of `packet` bytes. Only packets too short for a key
    /// exchange carry commands in the clear.
    #[must_use]
    pub const fn encryption(&self, packet: usize) -> Encryption {
        match self.call_sealing {
            Sealing::Sealed if packet >= LONGEST_PACKET => Encryption::Required,
            Sealing::Sealed | Sealing::Plain => Encryption::Off,
        }
    }

    /// Time to seal or open a number of bytes.
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
