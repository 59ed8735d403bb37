//! Remote procedure calls over the packets of a link, between a central and a peripheral.
//!
//! ```text
//!  central   call -> command -> session (seal) -> containers ->          link
//!  peripheral                                       containers -> session (open) -> command -> service
//!            reply <- command <- session <- containers <- link <- containers <- session <- reply
//! ```
//!
//! - [`container`]: one packet of the link with a header and a piece of a payload.
//! - [`control`]: control messages.
//! - [`command`]: a command, which consists of a method and a message.
//! - [`capability`]: capabilities that the two ends exchange.
//! - [`assemble`]: reassembly of payloads from containers, with all checks.
//! - [`session`]: sealing and opening of commands, counters, replay protection.
//! - [`exchange`]: key exchange and authentication of the peripheral.
//! - [`service`]: interface of a service, generated from a `.proto`. [`method`]: the list of methods of a
//!   service.
//! - [`request`]: decoding of requests. [`answer`]: responses. [`source`]: encoding of a message while it is
//!   sent. Generated services use these three modules.
//! - [`benchmark`]: the benchmark service. [`flash`]: the benchmark service with its data.
//! - [`writer`]: division of a payload into containers, which are generated one at a time.
//! - [`peripheral`]: the end that responds to calls.
//! - [`central`]: the end that makes calls.
//!
//! This crate never blocks and has no clock: containers go in and come out, and time is an argument. The
//! caller transports one container per packet.
//!
//! The wire format is that of bleRPC, package `blerpc-protocol` 0.8. Extensions are used only with peers that
//! announce them in their capabilities.
//!
//! Commands are sealed (encrypted and authenticated) in a session. Control messages are never sealed, as the
//! protocol defines. Anyone between the two ends can therefore forge an error or the end of a stream.
//! `docs/rpc-security.md` describes the effect of each attack. Authentication tags (`gcm::open`), the text of
//! a confirmation and the identity key ([`exchange`]) are compared in constant time. All other values that
//! are compared are public.

#![no_std]

#[cfg(feature = "central")]
extern crate alloc;
#[cfg(test)]
extern crate std;
// Generated code refers to this crate by its name.
extern crate self as airlag_rpc;

pub mod answer;
pub mod assemble;
// Unchanged generated code, which a test compares.
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

/// An instant of the caller, in nanoseconds from an arbitrary origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(pub u64);

impl Instant {
    /// Nanoseconds since `earlier`. 0 if it is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// The instant `ns` nanoseconds later.
    #[must_use]
    pub const fn after(self, ns: u64) -> Self {
        Self(self.0.saturating_add(ns))
    }
}

/// A source of random bytes for session keys.
pub trait Entropy {
    /// Fills `bytes` with unpredictable bytes.
    fn fill(&mut self, bytes: &mut [u8]);
}

impl<F: FnMut(&mut [u8])> Entropy for F {
    fn fill(&mut self, bytes: &mut [u8]) {
        self(bytes);
    }
}

/// A public identity key, formatted in hexadecimal digits.
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

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
