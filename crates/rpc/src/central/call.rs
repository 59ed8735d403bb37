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
    /// A request and one response.
    Single,
    /// A request, and items until the end of the stream.
    Stream,
    /// Items and one response.
    Upload,
}

/// Event of a central.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The negotiation is complete, and calls are sent.
    Ready,
    /// The connection cannot carry calls.
    Broken(Failure),
    /// The response of a call, which is complete.
    Reply {
        /// The call.
        ticket: Ticket,
        /// Message of the response.
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
    /// A packet that belongs to no call was dropped.
    Dropped,
}

/// Reason why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// No packet arrived within the timeout of the peripheral.
    #[error("no packet from the peripheral within the timeout")]
    TimedOut,
    /// Another response began before the response to this call was complete.
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
    /// The response is incomplete or invalid.
    #[error(transparent)]
    Pieces(assemble::Refused),
    /// The response could not be opened.
    #[error(transparent)]
    Session(session::Refused),
    /// The response is not a command.
    #[error(transparent)]
    Command(command::Malformed),
    /// The command is a response to another method, or is not a response.
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
    /// The peripheral does not respond to the negotiation.
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
    /// Whether the caller still waits for the response.
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
