//! Outcome of a received container.

use crate::control::Reason;
use crate::service::Fault;
use crate::{assemble, command, container, exchange, session};

/// Effect of an accepted container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// The request is incomplete.
    Piece,
    /// The container was a control message.
    Message,
    /// The service was called.
    Call {
        /// Method.
        method: &'static str,
        /// Length of the message of the request, bytes.
        request: usize,
    },
}

/// Reason why a container, or the payload that it completes, is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// An invalid container.
    #[error(transparent)]
    Container(#[from] container::Malformed),
    /// An unexpected container.
    #[error(transparent)]
    Piece(#[from] assemble::Refused),
    /// The command could not be opened, or is unencrypted although encryption is required.
    #[error(transparent)]
    Session(#[from] session::Refused),
    /// Encryption is required, but there is no session yet.
    #[error("an unencrypted command without a session")]
    Clear,
    /// An invalid command.
    #[error(transparent)]
    Command(#[from] command::Malformed),
    /// A response, which only a peripheral sends.
    #[error("a response from a central")]
    Response,
    /// The key exchange failed.
    #[error(transparent)]
    Exchange(#[from] exchange::Refused),
    /// An unexpected step of a key exchange.
    #[error("an unexpected step of a key exchange")]
    NotDue,
    /// The service rejected the request.
    #[error(transparent)]
    Service(#[from] Fault),
    /// The queue of responses is full.
    #[error("too many calls at once")]
    Full,
    /// Items of an upload are missing, according to the counters of the session.
    #[error("{0} commands before this item of an upload are missing")]
    Missing(u32),
    /// Another packet of a finished upload, or of a call that was rejected with a message to the central.
    #[error("a further packet of a finished call")]
    GivenUp,
    /// The end of an upload that was not started.
    #[error("the end of an upload that was not started")]
    NoUpload,
}

impl Refused {
    /// Reason that is sent to the central.
    pub(super) const fn reason(self) -> Option<Reason> {
        Some(match self {
            Self::Piece(assemble::Refused::TooLong { .. }) => Reason::RequestTooLarge,
            Self::Piece(assemble::Refused::NoBeginning) => return None,
            Self::Piece(_) | Self::Missing(_) | Self::GivenUp => Reason::Incomplete,
            // A duplicate. The first copy was accepted, and its call will be answered.
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
