//! What became of a container, and why one was refused.

use crate::control::Reason;
use crate::service::Fault;
use crate::{assemble, command, container, exchange, session};

/// What became of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// More of its request is to come.
    Piece,
    /// It was a message to this end.
    Message,
    /// The service was called.
    Call {
        /// Which method.
        method: &'static str,
        /// Bytes of the request's message.
        request: usize,
    },
}

/// Why a container, or what it completed, was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// No container.
    #[error(transparent)]
    Container(#[from] container::Malformed),
    /// Not the piece that was expected.
    #[error(transparent)]
    Piece(#[from] assemble::Refused),
    /// It could not be opened, or is in the clear although it must not be.
    #[error(transparent)]
    Session(#[from] session::Refused),
    /// Commands have to be encrypted, and there is no session yet.
    #[error("a command in the clear before there is a session")]
    Clear,
    /// No command.
    #[error(transparent)]
    Command(#[from] command::Malformed),
    /// A response, which only this end sends.
    #[error("a response from a central")]
    Response,
    /// The key exchange failed.
    #[error(transparent)]
    Exchange(#[from] exchange::Refused),
    /// A step of a key exchange where none is due.
    #[error("a step of a key exchange that is not due")]
    NotDue,
    /// The service refused.
    #[error(transparent)]
    Service(#[from] Fault),
    /// As many answers wait as there is room for.
    #[error("too many calls at once")]
    Full,
    /// Items of an upload are missing: the counters of the session tell.
    #[error("{0} commands before this item of an upload did not come")]
    Missing(u32),
    /// More of an upload that was ended, or of a call of which the central knows that it will not be
    /// answered.
    #[error("more of a call that is over")]
    GivenUp,
    /// The end of an upload that nobody began.
    #[error("the end of an upload that was not begun")]
    NoUpload,
}

impl Refused {
    /// What the central is told of it.
    pub(super) const fn reason(self) -> Option<Reason> {
        Some(match self {
            Self::Piece(assemble::Refused::TooLong { .. }) => Reason::RequestTooLarge,
            Self::Piece(assemble::Refused::NoBeginning) => return None,
            Self::Piece(_) | Self::Missing(_) | Self::GivenUp => Reason::Incomplete,
            // The first of the two was taken: the call it belongs to will be answered.
            Self::Session(session::Refused::Replayed { .. }) => return None,
            Self::Session(_) | Self::Clear => Reason::NotSealed,
            Self::Command(_) | Self::Response | Self::NoUpload => Reason::Malformed,
            Self::Service(Fault::UnknownMethod) => Reason::UnknownMethod,
            Self::Service(Fault::Malformed) => Reason::Malformed,
            Self::Service(Fault::OutOfRange) => Reason::OutOfRange,
            Self::Service(Fault::TooLarge) => Reason::ResponseTooLarge,
            Self::Service(Fault::Busy) | Self::Full => Reason::Busy,
            Self::Container(_) | Self::Exchange(_) | Self::NotDue => return None,
        })
    }
}
