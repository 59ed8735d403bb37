//! State of a call.

use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;

use crate::control::Reason;
use crate::{assemble, command, exchange, session};

/// Identifier of a call.
pub type Ticket = u32;

/// Kind of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A request and one answer.
    Single,
    /// A request, and items until the end of the stream.
    Stream,
    /// Items and one answer.
    Upload,
}

/// Event of a central.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The negotiation is complete, and calls are sent.
    Ready,
    /// The connection cannot carry calls.
    Broken(Failure),
    /// The answer of a call, which is complete.
    Reply {
        /// The call.
        ticket: Ticket,
        /// Message of the answer.
        message: Vec<u8>,
    },
    /// An item of a stream.
    Item {
        /// The call.
        ticket: Ticket,
        /// Message of the item.
        message: Vec<u8>,
    },
    /// The end of a stream.
    End {
        /// The call.
        ticket: Ticket,
    },
    /// A call failed.
    Failed {
        /// The call.
        ticket: Ticket,
        /// Reason.
        failure: Failure,
    },
    /// A packet without a call was dropped.
    Dropped,
}

/// Reason why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// No packet within the timeout of the peripheral.
    #[error("no packet from the peripheral within the timeout")]
    TimedOut,
    /// Another answer began before the answer to this call was complete.
    #[error("the end of the answer was lost: another answer began")]
    Unfinished,
    /// Items of a stream are missing, according to the counters of the session.
    #[error("{0} items of the stream were lost")]
    Missing(u32),
    /// A later call was answered first.
    #[error("the answer was lost: a later call was answered")]
    Lost,
    /// The reason that the peripheral reported.
    #[error(transparent)]
    Peer(Reason),
    /// The answer is incomplete or invalid.
    #[error(transparent)]
    Pieces(assemble::Refused),
    /// The answer could not be opened.
    #[error(transparent)]
    Session(session::Refused),
    /// The answer is not a command.
    #[error(transparent)]
    Command(command::Malformed),
    /// An answer to another method, or not an answer.
    #[error("an answer to another call")]
    NotAsked,
    /// The request is too long for the peripheral or for the link.
    #[error("a request of {length} B; the peripheral accepts {limit} B including headers")]
    TooLong {
        /// Length of the message, bytes.
        length: usize,
        /// Longest payload, bytes.
        limit: usize,
    },
    /// The key exchange failed.
    #[error(transparent)]
    Exchange(exchange::Refused),
    /// The peripheral does not support encryption, although it is required.
    #[error("the peripheral does not encrypt, which is required{}", if *.known { ": it did before" } else { "" })]
    InTheClear {
        /// Whether the identity of the peripheral is known.
        known: bool,
    },
    /// The packets of the link are too short for the key exchange.
    #[error(
        "a key exchange needs packets of {} B, but those of the link have {packet}",
        crate::control::LONGEST_PACKET
    )]
    ShortPackets {
        /// Length of a packet of the link, bytes.
        packet: usize,
    },
    /// The peripheral does not answer the negotiation.
    #[error("the peripheral does not answer")]
    NoAnswer,
}

pub(super) struct Call {
    pub(super) ticket: Ticket,
    pub(super) kind: Kind,
    pub(super) method: String,
    pub(super) requests: VecDeque<Vec<u8>>,
    pub(super) transaction: u8,
    /// Whether the end of an upload was sent.
    pub(super) ended: bool,
    /// Whether an item of its stream was received.
    pub(super) begun: bool,
    /// Whether the caller still waits for the answer.
    pub(super) wanted: bool,
}

impl Call {
    pub(super) fn new(ticket: Ticket, kind: Kind, method: &str, requests: Vec<Vec<u8>>) -> Self {
        let (method, requests) = (method.into(), requests.into());
        Self {
            ticket,
            kind,
            method,
            requests,
            transaction: 0,
            ended: false,
            begun: false,
            wanted: true,
        }
    }

    /// Whether the call is sent completely.
    pub(super) fn is_sent(&self) -> bool {
        self.requests.is_empty() && (self.kind != Kind::Upload || self.ended)
    }
}
