//! What the two ends tell each other besides commands, never encrypted.

use crate::container::{Container, Kind};

/// Which message a control container is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// How long the central should wait: a question without payload, an answer of 2 bytes, ms.
    Timeout,
    /// The central has sent the last item of an upload.
    StreamEndToPeripheral,
    /// The peripheral has sent the last item of a stream.
    StreamEndToCentral,
    /// What an end can do.
    Capabilities,
    /// Why there is no answer: a byte.
    Error,
    /// A step of the key exchange.
    KeyExchange,
    /// One that a later version may have.
    Unknown(u8),
}

impl Code {
    pub(crate) const fn from_bits(bits: u8) -> Self {
        match bits {
            1 => Self::Timeout,
            2 => Self::StreamEndToPeripheral,
            3 => Self::StreamEndToCentral,
            4 => Self::Capabilities,
            5 => Self::Error,
            6 => Self::KeyExchange,
            other => Self::Unknown(other),
        }
    }

    pub(crate) const fn bits(self) -> u8 {
        match self {
            Self::Timeout => 1,
            Self::StreamEndToPeripheral => 2,
            Self::StreamEndToCentral => 3,
            Self::Capabilities => 4,
            Self::Error => 5,
            Self::KeyExchange => 6,
            Self::Unknown(other) => other & 0xF,
        }
    }
}

/// Why a peripheral does not answer a call, as it says so. The first two are the protocol's own; the
/// others are told only to a central that knows them (see [`crate::capability::Flags::REASONS`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The answer is longer than the peripheral sends.
    #[error("the answer is longer than the peripheral sends")]
    ResponseTooLarge,
    /// As many calls wait as the peripheral holds.
    #[error("the peripheral has as many calls as it holds")]
    Busy,
    /// It has no such method.
    #[error("the peripheral has no such method")]
    UnknownMethod,
    /// The request is no message of this method.
    #[error("the request is not what the method takes")]
    Malformed,
    /// The request asks for what is not there.
    #[error("the request asks for what is out of range")]
    OutOfRange,
    /// The request is longer than the peripheral takes.
    #[error("the request is longer than the peripheral takes")]
    RequestTooLarge,
    /// The request could not be opened, or came in the clear: the session is not what it was.
    #[error("the peripheral could not open the request")]
    NotSealed,
    /// A container of the request is missing.
    #[error("a container of the request did not arrive")]
    Incomplete,
    /// Another one.
    #[error("the peripheral's error {0:#04x}")]
    Other(u8),
}

impl Reason {
    /// The byte it is sent as.
    #[must_use]
    pub const fn byte(self) -> u8 {
        match self {
            Self::ResponseTooLarge => 0x01,
            Self::Busy => 0x02,
            Self::UnknownMethod => 0x81,
            Self::Malformed => 0x82,
            Self::OutOfRange => 0x83,
            Self::RequestTooLarge => 0x84,
            Self::NotSealed => 0x85,
            Self::Incomplete => 0x86,
            Self::Other(byte) => byte,
        }
    }

    /// What a byte says.
    #[must_use]
    pub const fn from_byte(byte: u8) -> Self {
        match byte {
            0x01 => Self::ResponseTooLarge,
            0x02 => Self::Busy,
            0x81 => Self::UnknownMethod,
            0x82 => Self::Malformed,
            0x83 => Self::OutOfRange,
            0x84 => Self::RequestTooLarge,
            0x85 => Self::NotSealed,
            0x86 => Self::Incomplete,
            other => Self::Other(other),
        }
    }

    /// True of what every central knows.
    #[must_use]
    pub const fn is_known_to_all(self) -> bool {
        self.byte() < 0x80
    }
}

/// Most bytes of a message that is no step of the key exchange.
pub const SHORT: usize = 6;
/// Most bytes of a message: that of the second step of the key exchange.
pub const LONGEST: usize = crate::exchange::SECOND;
/// Bytes of its container: a link with shorter packets carries no key exchange.
pub const LONGEST_PACKET: usize = crate::container::HEADER + LONGEST;

/// A message that is to be sent, with at most `N` bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message<const N: usize> {
    /// Of which transaction.
    pub transaction: u8,
    /// What it is.
    pub code: Code,
    /// What it carries.
    pub payload: heapless::Vec<u8, N>,
}

impl<const N: usize> Message<N> {
    /// A message with `payload`, which has at most `N` bytes.
    #[must_use]
    pub fn new(transaction: u8, code: Code, payload: &[u8]) -> Self {
        let kept = &payload[..payload.len().min(N)];
        Self { transaction, code, payload: heapless::Vec::from_slice(kept).unwrap_or_default() }
    }

    /// Writes its container to the beginning of `into`; its length, or none where it does not fit.
    #[must_use]
    pub fn write(&self, into: &mut [u8]) -> Option<usize> {
        let (transaction, kind) = (self.transaction, Kind::Control(self.code));
        Container { transaction, sequence: 0, kind, payload: &self.payload }.write(into)
    }
}
