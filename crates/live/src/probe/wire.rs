//! The two halves of an open target: one that asks, one that hears.

use std::io;
use std::path::PathBuf;

use super::target::Target;
use super::{datagrams, near, stream, websocket};

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The target could not be opened.
    #[error("cannot open {target}: {cause}")]
    Open {
        /// Which.
        target: String,
        /// Why.
        cause: io::Error,
    },
    /// It ended, or nobody listens there.
    #[error("{target}: {cause}")]
    Ended {
        /// Which.
        target: String,
        /// Why.
        cause: io::Error,
    },
    /// What is recorded cannot be written.
    #[error("{}: {}", path.display(), unwritten(cause))]
    Journal {
        /// Where.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// No message of this size goes there.
    #[error("{target}: a message of {size} bytes does not fit; {least} to {most} bytes do")]
    Size {
        /// Which.
        target: String,
        /// Asked for, bytes.
        size: usize,
        /// Shortest, bytes.
        least: usize,
        /// Longest, bytes.
        most: usize,
    },
}

fn unwritten(cause: &io::Error) -> String {
    if cause.kind() == io::ErrorKind::AlreadyExists {
        return "a session that was killed left it; airlag analyze reads it, and --force replaces it"
            .to_owned();
    }
    cause.to_string()
}

/// Sends questions.
pub(super) trait Ask: Send {
    /// Sends the question `sequence`, which leaves at `sent_ns` of the near clock.
    fn ask(&mut self, sequence: u32, sent_ns: i64) -> io::Result<()>;
}

/// Receives answers.
pub(super) trait Hear: Send {
    /// Waits a little for the next answer; none if none came meanwhile.
    fn hear(&mut self) -> io::Result<Option<Heard>>;
}

/// An answer, with the moduli of its counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Heard {
    /// Sequence number of the question, and what it wraps at.
    pub sequence: u32,
    pub sequences: u64,
    /// How many questions the reflector had received, and what that wraps at.
    pub count: u32,
    pub counts: u64,
    /// Stamps of the far clock, ns.
    pub received_ns: i64,
    pub answered_ns: i64,
    /// When the answer arrived, on the near clock, ns.
    pub arrived_ns: i64,
    /// Largest error of the far clock that the reflector states, ns.
    pub error_ns: Option<u64>,
}

pub(super) type Halves = (Box<dyn Ask>, Box<dyn Hear>);

/// Opens a target for questions of `size` bytes.
pub(super) fn open(
    target: &Target,
    size: usize,
    clock: near::Clock,
    error_ns: Option<u64>,
) -> Result<Halves, Error> {
    let named = target.to_string();
    let (least, most) = match target {
        Target::Udp(_) => (airlag_link::stamp::LEN, datagrams::LONGEST),
        Target::Tcp(_) | Target::WebSocket { .. } | Target::Serial { .. } => {
            (airlag_link::probe::LEN, stream::LONGEST)
        }
    };
    if !(least..=most).contains(&size) {
        return Err(Error::Size { target: named, size, least, most });
    }
    let halves = match target {
        Target::Udp(host) => datagrams::open(host, size, clock, error_ns),
        Target::Tcp(host) => stream::connect(host, size, clock),
        Target::WebSocket { host, path } => websocket::connect(host, path, size, clock),
        Target::Serial { path, baud } => stream::serial(path, *baud, size, clock),
    };
    halves.map_err(|cause| Error::Open { target: named, cause })
}
