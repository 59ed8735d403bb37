//! Interface of a service.
//!
//! `airlag-rpc-build` generates implementations from a `.proto` file.

/// Reason why a request is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Unknown method.
    #[error("no such method")]
    UnknownMethod,
    /// The request is not a message of this method.
    #[error("not a request of this method")]
    Malformed,
    /// The request is out of range.
    #[error("out of range")]
    OutOfRange,
    /// The request or its response is too long.
    #[error("too long")]
    TooLarge,
    /// Temporarily unable to respond.
    #[error("busy")]
    Busy,
}

/// Result of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome<R> {
    /// A single response.
    Reply(R),
    /// A stream of items.
    Stream(R),
    /// No response yet: the request was an item of an upload.
    Taken,
}

/// A service: responds to calls by the name of their method.
pub trait Service {
    /// Type of the responses.
    type Reply: Reply;

    /// Names of its methods. The index in this list is the number of the method.
    fn methods(&self) -> &'static [&'static str];

    /// Processes a request of `method`.
    ///
    /// # Errors
    ///
    /// [`Fault`], which is reported to the central.
    fn call(&mut self, method: &str, request: &[u8]) -> Result<Outcome<Self::Reply>, Fault>;

    /// Processes the end of the upload of `method`.
    ///
    /// # Errors
    ///
    /// [`Fault`], which is reported to the central.
    fn end(&mut self, method: &str) -> Result<Self::Reply, Fault>;

    /// Discards the upload of `method`, because an item or the connection was lost. The discarded items do
    /// not belong to a later upload.
    fn abandon(&mut self, method: &str);
}

/// An encoded message of known length that is read in pieces, so that at most one container is in memory.
#[allow(clippy::len_without_is_empty, reason = "an empty message is a message like any other")]
pub trait Reply {
    /// Length of the current item, bytes.
    fn len(&self) -> usize;

    /// Writes the next bytes of the current item. Returns their number, which is less than the length of
    /// `into` only at the end.
    fn read(&mut self, into: &mut [u8]) -> usize;

    /// Advances to the next item. Returns false if there is none. Initially, the position is before the
    /// first item. A single response has one item, and a stream has any number.
    fn next(&mut self) -> bool;
}
