//! What a peripheral serves.
//!
//! Implementations are made from a `.proto` file; see `airlag-rpc-build`.

/// Why a request is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// There is no such method.
    #[error("no such method")]
    UnknownMethod,
    /// The request is no message of this method.
    #[error("not a request of this method")]
    Malformed,
    /// The request asks for what is not there.
    #[error("out of range")]
    OutOfRange,
    /// The request, or the answer to it, is too long.
    #[error("too long")]
    TooLarge,
    /// Not now.
    #[error("busy")]
    Busy,
}

/// What a service answers a request with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome<R> {
    /// One answer.
    Reply(R),
    /// Items, until there are no more.
    Stream(R),
    /// Nothing yet: it was an item of an upload.
    Taken,
}

/// Answers to calls, by the name of their method.
pub trait Service {
    /// What is sent back.
    type Reply: Reply;

    /// The names of its methods; the place of a name in this list is its number.
    fn methods(&self) -> &'static [&'static str];

    /// A request of `method` came.
    ///
    /// # Errors
    ///
    /// [`Fault`], of which the central is told.
    fn call(&mut self, method: &str, request: &[u8]) -> Result<Outcome<Self::Reply>, Fault>;

    /// The upload of `method` is over.
    ///
    /// # Errors
    ///
    /// [`Fault`], of which the central is told.
    fn end(&mut self, method: &str) -> Result<Self::Reply, Fault>;

    /// The upload of `method` will not be ended: an item of it was lost, or the connection. What came of it
    /// belongs to no later one, and is not acted on.
    fn abandon(&mut self, method: &str);
}

/// An encoded message of known length, pulled piece by piece: there is never more of it in memory than a
/// container takes.
#[allow(clippy::len_without_is_empty, reason = "an empty message is a message like any other")]
pub trait Reply {
    /// Bytes of the present item in all.
    fn len(&self) -> usize;

    /// Writes the next bytes of the present item; how many, fewer than `into` holds only at its end.
    fn read(&mut self, into: &mut [u8]) -> usize;

    /// Goes to the next item; false if there is none. It begins before the first: a single answer has
    /// one, a stream has any number.
    fn next(&mut self) -> bool;
}
