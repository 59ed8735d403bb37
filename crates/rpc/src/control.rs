//! Control messages, which are never encrypted.

use crate::container::{Container, Kind};

/// Kind of a control message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Timeout of the central: a request without payload, and a response of 2 bytes, ms.
    Timeout,
    /// The central has sent the last item of an upload.
    StreamEndToPeripheral,
    /// The peripheral has sent the last item of a stream.
    StreamEndToCentral,
    /// Capabilities of an end.
    Capabilities,
    /// Reason why there is no response, one byte.
    Error,
    /// A step of the key exchange.
    KeyExchange,
    /// A message of a later version.
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

/// Reason why a peripheral does not respond to a call. The first two are defined by the protocol. The others
/// are sent only to a central that supports them (see [`crate::capability::Flags::REASONS`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The response exceeds the limit of the peripheral.
    #[error("the answer exceeds the limit of the peripheral")]
    ResponseTooLarge,
    /// The queue of calls is full.
    #[error("the call queue of the peripheral is full")]
    Busy,
    /// Unknown method.
    #[error("the peripheral has no such method")]
    UnknownMethod,
    /// The request is not a message of this method.
    #[error("the request is not a message of this method")]
    Malformed,
    /// The request is out of range.
    #[error("the request is out of range")]
    OutOfRange,
    /// The request exceeds the limit of the peripheral.
    #[error("the request exceeds the limit of the peripheral")]
    RequestTooLarge,
    /// The request could not be decrypted, or was not encrypted, because the session has changed.
    #[error("the peripheral could not decrypt the request")]
    NotSealed,
    /// A container of the request is missing.
    #[error("a container of the request did not arrive")]
    Incomplete,
    /// Another reason.
    #[error("error {0:#04x} of the peripheral")]
    Other(u8),
}

impl Reason {
    /// Encodes the reason.
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

    /// Decodes a reason.
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

    /// Whether every central supports the reason.
    #[must_use]
    pub const fn is_known_to_all(self) -> bool {
        self.byte() < 0x80
    }
}

/// Length of the longest message other than a step of the key exchange, bytes.
pub const SHORT: usize = 6;
/// Length of the longest message, bytes: that of the second step of the key exchange.
pub const LONGEST: usize = crate::exchange::SECOND;
/// Length of the container of the longest message, bytes. A link with shorter packets does not
/// support the key exchange.
pub const LONGEST_PACKET: usize = crate::container::HEADER + LONGEST;

/// A control message to send, with at most `N` bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message<const N: usize> {
    /// Transaction.
    pub transaction: u8,
    /// Kind.
    pub code: Code,
    /// Payload.
    pub payload: heapless::Vec<u8, N>,
}

impl<const N: usize> Message<N> {
    /// A message with `payload` of at most `N` bytes.
    #[must_use]
    pub fn new(transaction: u8, code: Code, payload: &[u8]) -> Self {
        let kept = &payload[..payload.len().min(N)];
        Self { transaction, code, payload: heapless::Vec::from_slice(kept).unwrap_or_default() }
    }

    /// Writes the container of the message to the start of `into`. Returns its length, or `None` if
    /// the container does not fit.
    #[must_use]
    pub fn write(&self, into: &mut [u8]) -> Option<usize> {
        let (transaction, kind) = (self.transaction, Kind::Control(self.code));
        Container { transaction, sequence: 0, kind, payload: &self.payload }.write(into)
    }
}
