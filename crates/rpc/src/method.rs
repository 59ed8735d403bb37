//! Methods of a service as a numbered list.

/// Number of requests and responses of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One request, one response.
    Unary,
    /// One request, any number of responses.
    Stream,
    /// Any number of requests, and one response at the end.
    Upload,
}

/// A method of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// Name in a command: the name of the rpc in snake_case.
    pub name: &'static str,
    /// Index among the rpcs of its service in the `.proto`, from 0.
    pub number: u8,
    /// Number of requests and responses.
    pub kind: Kind,
}
