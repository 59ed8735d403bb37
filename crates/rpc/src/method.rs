//! The methods of a service as a list: a protocol may speak of one by its number.

/// How messages go to and fro in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One request, one response.
    Unary,
    /// One request, any number of responses.
    Stream,
    /// Any number of requests, one response at their end.
    Upload,
}

/// A method of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// What a command calls it: the name of the rpc in snake_case.
    pub name: &'static str,
    /// Its place among the rpcs of its service in the `.proto`, from 0; also in the list it is in.
    pub number: u8,
    /// How its messages go to and fro.
    pub kind: Kind,
}
