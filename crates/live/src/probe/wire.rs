//! Transmitter and receiver of an open target.

use std::io;
use std::path::PathBuf;

use super::session::Plan;
use super::target::Target;
use super::{datagrams, near, packets, rpc, stream, websocket};

/// Errors of a session.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The target could not be opened.
    #[error("cannot open {target}: {cause}")]
    Open {
        /// Name of the target.
        target: String,
        /// Cause.
        cause: io::Error,
    },
    /// The target closed the connection, or no program listens there.
    #[error("{target}: {cause}")]
    Ended {
        /// Name of the target.
        target: String,
        /// Cause.
        cause: io::Error,
    },
    /// The journal cannot be written.
    #[error("{}: {}", path.display(), unwritten(cause))]
    Journal {
        /// Path of the journal.
        path: PathBuf,
        /// Cause.
        cause: io::Error,
    },
    /// The target does not support messages of this size.
    #[error("{target}: a message of {size} bytes is not supported; use {least} to {most} bytes")]
    Size {
        /// Name of the target.
        target: String,
        /// Requested size, bytes.
        size: usize,
        /// Minimum, bytes.
        least: usize,
        /// Maximum, bytes.
        most: usize,
    },
}

fn unwritten(cause: &io::Error) -> String {
    if cause.kind() == io::ErrorKind::AlreadyExists {
        return "it is left over from a session that was killed; read it with airlag analyze, or replace it with --force"
            .to_owned();
    }
    cause.to_string()
}

/// Transmitter of requests.
pub(super) trait Ask: Send {
    /// Sends request `sequence` with the send time `sent_ns` of the near clock.
    fn ask(&mut self, sequence: u32, sent_ns: i64) -> io::Result<()>;
}

/// Receiver of responses.
pub(super) trait Hear: Send {
    /// Waits up to one turn for the next response. Returns `None` if none arrives.
    fn hear(&mut self) -> io::Result<Option<Heard>>;
}

/// A response, with the moduli of its counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Heard {
    /// Sequence number of the request, and its modulus.
    pub sequence: u32,
    pub sequences: u64,
    /// Number of requests that the reflector had received, and its modulus.
    pub count: u32,
    pub counts: u64,
    /// Timestamps of the far clock, ns. [`NONE`](airlag_stats::NONE) if the far end has none.
    pub received_ns: i64,
    pub answered_ns: i64,
    /// Arrival time of the response on the near clock, ns.
    pub arrived_ns: i64,
    /// Maximum error of the far clock according to the reflector, ns.
    pub error_ns: Option<u64>,
}

pub(super) type Halves = (Box<dyn Ask>, Box<dyn Hear>);

/// Whether the far end always counts requests. In STAMP this is optional.
pub(super) const fn counts(target: &Target) -> bool {
    !matches!(target, Target::Udp(_) | Target::Rpc(_))
}

/// Returns the carrier of a session's packets.
pub(super) fn carrier(plan: &Plan) -> io::Result<&packets::Carrier> {
    plan.carrier.as_ref().ok_or_else(|| io::Error::other("no carrier"))
}

/// Opens the target of a session.
pub(super) fn open(plan: &Plan, clock: near::Clock) -> Result<Halves, Error> {
    let (target, size) = (&plan.target, plan.size);
    let (least, most) = match target {
        Target::Udp(_) => (airlag_link::stamp::LEN, datagrams::LONGEST),
        Target::Rpc(_) => (rpc::SHORTEST, rpc::LONGEST),
        Target::Ble(_) => {
            (airlag_link::probe::LEN, carrier(plan).map_or(stream::LONGEST, |one| one.longest))
        }
        _ => (airlag_link::probe::LEN, stream::LONGEST),
    };
    if !(least..=most).contains(&size) {
        return Err(Error::Size { target: target.to_string(), size, least, most });
    }
    let halves = match target {
        Target::Udp(host) => datagrams::open(host, size, clock, plan.error_ns),
        Target::Tcp(host) => stream::connect(host, size, clock),
        Target::WebSocket { host, path } => websocket::connect(host, path, size, clock),
        Target::Serial { path, baud } => stream::serial(path, *baud, size, clock),
        Target::Ble(_) => carrier(plan).map(|one| packets::open(one, size, clock)),
        Target::Rpc(over) => rpc::open(over, plan, clock),
    };
    halves.map_err(|cause| Error::Open { target: target.to_string(), cause })
}
