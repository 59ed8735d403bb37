//! What may be wrong with what somebody wants a service made of: a line each.

use std::io;
use std::path::PathBuf;

/// Why there is no file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {error}", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The `.proto` is none, or what it imports.
    #[error("{text}")]
    Proto {
        /// Where, and what.
        text: String,
    },
    /// The messages could not be made.
    #[error("{text}")]
    Messages {
        /// Of what, and why.
        text: String,
    },
    /// A line of the options is none.
    #[error("{}:{line}: {text}", .path.display())]
    Options {
        /// Of which file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong, and what would be right.
        text: String,
    },
    /// Nothing is served.
    #[error("{}: no service; it takes `service Name {{ rpc Method(Request) returns (Response); }}`", .proto.display())]
    NoService {
        /// Which file.
        proto: PathBuf,
    },
    /// A service has no rpc, or more than a number of one byte can tell apart.
    #[error("{service}: {count} rpcs; from 1 to 256 can be told apart by their number")]
    Methods {
        /// Which.
        service: String,
        /// It has.
        count: usize,
    },
    /// An rpc streams both ways.
    #[error("{method}: streams both ways; only the request or only the response may be a stream")]
    BothWays {
        /// Which.
        method: String,
    },
    /// Two things would have the same name in the Rust file.
    #[error("{first} and {second} would both be called `{name}`; rename one in the .proto")]
    Twice {
        /// What.
        name: String,
        /// What is called so first.
        first: String,
        /// What is called so then.
        second: String,
    },
    /// A field could be of any length.
    #[error("{field}: {what} without a limit; {} needs the line `{field} {key}:`, and a number", .options.display())]
    Unbounded {
        /// Which.
        field: String,
        /// What it is.
        what: &'static str,
        /// What limits it.
        key: &'static str,
        /// Where the limit belongs.
        options: PathBuf,
    },
    /// A map of a size that cannot be.
    #[error("{field}: max_count:{count}; a map takes a power of two from 2 on")]
    MapSize {
        /// Which.
        field: String,
        /// How many it should hold.
        count: u32,
    },
    /// A field that cannot be streamed should be.
    #[error("{field}: FT_CALLBACK; {text}")]
    Callback {
        /// Which.
        field: String,
        /// What would be right.
        text: &'static str,
    },
    /// A message holds itself, so that it has no greatest size.
    #[error("{message}: holds itself, so no memory is enough for it; refer to others by a number")]
    Recursive {
        /// Which.
        message: String,
    },
}

/// A text as one line.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
