//! Calls over the packets of a link: what a central asks and a peripheral answers.
//!
//! ```text
//!  central   call -> command -> session (seal) -> containers ->          link
//!  peripheral                                       containers -> session (open) -> command -> service
//!            reply <- command <- session <- containers <- link <- containers <- session <- reply
//! ```
//!
//! - [`container`]: one packet of the link, byte for byte: header and a piece of a payload.
//! - [`control`]: what the two ends tell each other besides commands.
//! - [`command`]: a method's name and a message.
//! - [`capability`]: what the ends agree on, and what each has to know of the other.
//! - [`assemble`]: pieces put together again, and everything about them that is refused.
//! - [`session`]: sealing and opening of commands, counters, replay.
//! - [`exchange`]: how two ends come by a session key, and who the peripheral is.
//! - [`service`]: what a peripheral serves; made from a `.proto`. [`method`]: a list of it.
//! - [`request`], [`source`], [`answer`]: what such a service is made with: messages as they come, and as
//!   they are encoded while they leave.
//! - [`benchmark`], [`flash`]: the service that links are measured with, and what it serves.
//! - [`writer`]: a payload as containers, pulled one at a time.
//! - [`peripheral`]: the answering end.
//! - [`central`]: the asking end.
//!
//! Nothing here waits, and nothing knows what time it is: containers go in and come out, and time is
//! an argument. What carries them is the caller's business: one container is one packet.
//!
//! The wire format is that of bleRPC, as its package `blerpc-protocol` 0.8 has it. What goes beyond
//! it is used with peers that say so in their capabilities.
//!
//! Commands are sealed in a session; messages from one end to the other never are, which is the protocol's:
//! whoever is between can forge the end of a stream, and an error. `docs/rpc-security.md` has what each
//! attack comes to. Compared in constant time are tags (`gcm::open`), the text of a confirmation and the
//! identity key with the known one ([`exchange`]); everything else that is compared is public.

#![no_std]

#[cfg(feature = "central")]
extern crate alloc;
#[cfg(test)]
extern crate std;
// What is generated names this crate as those do who use it.
extern crate self as airlag_rpc;

pub mod answer;
pub mod assemble;
// As it was made: a test compares.
#[rustfmt::skip]
pub mod benchmark;
pub mod capability;
#[cfg(feature = "central")]
pub mod central;
pub mod command;
pub mod container;
pub mod control;
pub mod exchange;
pub mod flash;
mod gcm;
pub mod method;
pub mod peripheral;
pub mod request;
pub mod service;
pub mod session;
pub mod source;
pub mod writer;

#[cfg(all(test, feature = "central"))]
#[path = "../tests/wired/mod.rs"]
mod wired;

use core::fmt;

/// An instant of whoever calls, in nanoseconds since a beginning of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(pub u64);

impl Instant {
    /// Nanoseconds from `earlier` to here; none the other way round.
    #[must_use]
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// So many nanoseconds later.
    #[must_use]
    pub const fn after(self, ns: u64) -> Self {
        Self(self.0.saturating_add(ns))
    }
}

/// Where random bytes come from: keys of a session are made of them.
pub trait Entropy {
    /// Fills `bytes` with bytes that nobody can foresee.
    fn fill(&mut self, bytes: &mut [u8]);
}

impl<F: FnMut(&mut [u8])> Entropy for F {
    fn fill(&mut self, bytes: &mut [u8]) {
        self(bytes);
    }
}

/// A public identity key as people compare it: in hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Identity(pub [u8; 32]);

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity({self})")
    }
}
