//! Errors of the input. One line each.

use std::io;
use std::path::PathBuf;

/// Reason why no file was generated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {error}", .path.display())]
    File {
        /// Path.
        path: PathBuf,
        /// Cause.
        error: io::Error,
    },
    /// The `.proto` or an import is invalid.
    #[error("{text}")]
    Proto {
        /// Location and cause.
        text: String,
    },
    /// The messages could not be generated.
    #[error("{text}")]
    Messages {
        /// Message and cause.
        text: String,
    },
    /// Invalid line of the options.
    #[error("{}:{line}: {text}", .path.display())]
    Options {
        /// Path.
        path: PathBuf,
        /// Line number, from 1.
        line: usize,
        /// The problem, and a valid alternative.
        text: String,
    },
    /// A `.proto` without a service.
    #[error("{}: no service; write `service Name {{ rpc Method(Request) returns (Response); }}`", .proto.display())]
    NoService {
        /// Path.
        proto: PathBuf,
    },
    /// A service with no rpc, or with more than one byte can number.
    #[error("{service}: {count} rpcs; a service has 1 to 256")]
    Methods {
        /// Service.
        service: String,
        /// Number of rpcs.
        count: usize,
    },
    /// An rpc with streams in both directions.
    #[error("{method}: streams both ways; only the request or only the response may be a stream")]
    BothWays {
        /// Method.
        method: String,
    },
    /// Two definitions with the same Rust name.
    #[error("{first} and {second} would both be called `{name}`; rename one in the .proto")]
    Twice {
        /// Rust name.
        name: String,
        /// First definition.
        first: String,
        /// Second definition.
        second: String,
    },
    /// A field without a limit on its length.
    #[error("{field}: {what} without a limit; {} needs the line `{field} {key}:`, and a number", .options.display())]
    Unbounded {
        /// Field.
        field: String,
        /// Kind of field.
        what: &'static str,
        /// Option that limits it.
        key: &'static str,
        /// Path of the options file.
        options: PathBuf,
    },
    /// An invalid size of a map.
    #[error("{field}: max_count:{count}; use a power of two, at least 2")]
    MapSize {
        /// Field.
        field: String,
        /// Requested size.
        count: u32,
    },
    /// A field that cannot be streamed.
    #[error("{field}: FT_CALLBACK; {text}")]
    Callback {
        /// Field.
        field: String,
        /// A valid alternative.
        text: &'static str,
    },
    /// A recursive message, which has no largest size.
    #[error("{message}: recursive, so its size has no limit; refer to other messages by number")]
    Recursive {
        /// Message.
        message: String,
    },
}

/// Joins the lines of a text.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
