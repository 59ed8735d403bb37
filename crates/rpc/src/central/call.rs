//! What is known of a call, from when it is asked until it is over.

use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;

use crate::control::Reason;
use crate::{assemble, command, exchange, session};

/// Which call.
pub type Ticket = u32;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A request, and one answer.
    Single,
    /// A request, and items until the stream ends.
    Stream,
    /// Items, and one answer.
    Upload,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The other end is known, and calls may be sent.
    Ready,
    /// There will be no calls over this connection.
    Broken(Failure),
    /// The answer of a call, which is over.
    Reply {
        /// Which call.
        ticket: Ticket,
        /// Its message.
        message: Vec<u8>,
    },
    /// An item of a stream.
    Item {
        /// Which call.
        ticket: Ticket,
        /// Its message.
        message: Vec<u8>,
    },
    /// A stream is over.
    End {
        /// Which call.
        ticket: Ticket,
    },
    /// A call is over without its answer.
    Failed {
        /// Which call.
        ticket: Ticket,
        /// Why.
        failure: Failure,
    },
    /// A packet that belongs to no call.
    Dropped,
}

/// Why a call has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// Nothing came for as long as the peripheral says one should wait.
    #[error("nothing came from the peripheral in time")]
    TimedOut,
    /// An answer began before another one of the same call was whole.
    #[error("the end of an answer was lost: another one began")]
    Unfinished,
    /// Items of a stream are missing: the counters of the session tell.
    #[error("{0} items of the stream were lost")]
    Missing(u32),
    /// A later call was answered before it.
    #[error("the answer was lost: that of a later call came")]
    Lost,
    /// The peripheral says why.
    #[error(transparent)]
    Peer(Reason),
    /// Not all of the answer came, or more than it.
    #[error(transparent)]
    Pieces(assemble::Refused),
    /// The answer could not be opened.
    #[error(transparent)]
    Session(session::Refused),
    /// What came is no command.
    #[error(transparent)]
    Command(command::Malformed),
    /// An answer to another method, or no answer at all.
    #[error("an answer to what was not asked")]
    NotAsked,
    /// The request is too long for the peripheral, or for this link.
    #[error("a request of {length} B: the peripheral takes {limit} B with what is around it")]
    TooLong {
        /// Bytes of the message.
        length: usize,
        /// Most bytes of a payload.
        limit: usize,
    },
    /// No session was agreed on.
    #[error(transparent)]
    Exchange(exchange::Refused),
    /// The peripheral does not encrypt, and has to.
    #[error("the peripheral does not encrypt, which is required{}", if *.known { ": it did before" } else { "" })]
    InTheClear {
        /// It is one whose identity is known.
        known: bool,
    },
    /// The packets of the link are too short for the keys of a session.
    #[error(
        "a key exchange takes packets of {} B, and the link's have {packet}",
        crate::control::LONGEST_PACKET
    )]
    ShortPackets {
        /// Bytes of a packet of the link.
        packet: usize,
    },
    /// The peripheral does not answer the greeting.
    #[error("the peripheral does not answer")]
    NoAnswer,
}

pub(super) struct Call {
    pub(super) ticket: Ticket,
    pub(super) kind: Kind,
    pub(super) method: String,
    pub(super) requests: VecDeque<Vec<u8>>,
    pub(super) transaction: u8,
    /// The end of an upload was sent.
    pub(super) ended: bool,
    /// An item of its stream came.
    pub(super) begun: bool,
    /// Somebody waits for the answer.
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

    /// True once nothing is left to be begun.
    pub(super) fn is_sent(&self) -> bool {
        self.requests.is_empty() && (self.kind != Kind::Upload || self.ended)
    }
}
