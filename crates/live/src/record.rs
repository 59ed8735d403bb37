//! Instruments on serial lines, recorded into a trace.
//!
//! **Input:** a serial device and the instrument behind it. **Output:** the recorded edges, and the reason if
//! recording ended early. **Used by:** `airlag-stats`, which pairs them.
//!
//! - [`address`]: addresses of instruments.
//! - [`board`]: a board that time-stamps edges itself ([`airlag_link::edges`]).
//! - [`pico`]: a Raspberry Pi Pico, which time-stamps edges in the way of a [`board`] and also generates
//!   triggers.
//! - [`ppk2`]: a current meter with eight digital inputs.
//!
//! The trace contains its start by the clock of this computer, accurate to about a tenth of a
//! second.
//!
//! However a recording ends, the instrument receives a stop command, and everything recorded until then is
//! returned.

pub mod address;
pub mod board;
pub mod pico;
pub mod ppk2;

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::time::{Duration as Wall, Instant, SystemTime};

use airlag_rig::interrupt;
use airlag_sim::Duration;
use airlag_trace::{MemoryLimit, Trace};

use crate::probe::stream::{is_readable, open_line, remedy};

/// Timeout for an instrument's response to the start command.
const ANSWER_TIMEOUT: Wall = Wall::from_secs(3);
/// Interval at which the start command is repeated until that timeout, because a board may still be
/// booting.
const RETRY_INTERVAL: Wall = Wall::from_millis(500);
/// Time without data after which an instrument counts as stopped.
const SILENCE_TIMEOUT: Wall = Wall::from_secs(2);
/// Maximum bytes per read.
const PIECE: usize = 1 << 16;

/// Plan of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Duration on the instrument's clock. `None` means until interrupted.
    pub lasting: Option<Duration>,
    /// Memory limit of the edges.
    pub memory: MemoryLimit,
}

/// A recording.
#[derive(Debug, Default)]
pub struct Recorded {
    /// Recorded edges.
    pub trace: Trace,
    /// Number of samples lost in transfer.
    pub lost_samples: u64,
    /// Reason if it ended early.
    pub ended: Option<Error>,
}

/// Errors of a recording.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The device could not be opened or set up.
    #[error("{device}: {cause}; {}", remedy(cause))]
    Open {
        /// Path of the device.
        device: String,
        /// Cause.
        cause: io::Error,
    },
    /// The instrument did not respond to the start command.
    #[error("{device}: no response within {}s; expected {expected}", ANSWER_TIMEOUT.as_secs())]
    Silent {
        /// Path of the device.
        device: String,
        /// Expected instrument.
        expected: &'static str,
    },
    /// The instrument's response is not supported by this version.
    #[error("{device}: {found}; expected {expected}")]
    Version {
        /// Path of the device.
        device: String,
        /// Response.
        found: String,
        /// Supported version or instrument.
        expected: String,
    },
    /// The instrument stopped sending.
    #[error("{device}: sent nothing for {}s; earlier data is kept", waited.as_secs())]
    Stopped {
        /// Path of the device.
        device: String,
        /// Time without data.
        waited: Wall,
    },
    /// The device was unplugged.
    #[error("{device}: unplugged ({cause}); earlier data is kept")]
    Unplugged {
        /// Path of the device.
        device: String,
        /// Error of the operating system.
        cause: io::Error,
    },
    /// The memory limit is reached.
    #[error("{device}: the recording exceeds {bytes} bytes; earlier data is kept, raise --memory")]
    Memory {
        /// Path of the device.
        device: String,
        /// Memory limit, bytes.
        bytes: u64,
    },
}

/// Reason for which an instrument's data ends the recording.
pub(crate) enum Refusal {
    /// Unsupported version or instrument: found, expected.
    Version(String, String),
    /// The edges exceed the memory limit.
    Memory,
}

/// An instrument on a serial line, as a state machine without I/O and without a clock.
pub(crate) trait Instrument {
    /// Description of the instrument in error messages.
    const EXPECTED: &'static str;

    /// Command that starts it.
    fn start(&self) -> Vec<u8>;
    /// Time without data after which it counts as stopped.
    fn silence(&self) -> Wall {
        SILENCE_TIMEOUT
    }
    /// Command that stops it and makes it ready for the next command.
    fn stop(&self) -> Vec<u8>;
    /// Processes received bytes. `reply` is sent back.
    fn take(&mut self, bytes: &[u8], reply: &mut Vec<u8>) -> Result<(), Refusal>;
    /// Whether it has responded to the start command.
    fn has_answered(&self) -> bool;
    /// Recorded time, ns.
    fn recorded_ns(&self) -> u64;
    /// Number of samples lost in transfer.
    fn lost_samples(&self) -> u64 {
        0
    }
    /// Latest received instant, ns on the clock of the trace. `None` before the first one.
    fn latest_ns(&self) -> Option<u64>;
    /// Returns the recorded trace.
    fn finish(self) -> Trace;
}

/// Records the instrument at `path` at a baud rate. `on_progress` is called from time to time with the
/// recorded time, ns.
///
/// # Errors
///
/// If the device cannot be opened, or the expected instrument does not respond. Later errors are in
/// [`Recorded::ended`].
pub(crate) fn record<I: Instrument>(
    path: &Path,
    baud: u32,
    plan: &Plan,
    mut instrument: I,
    mut on_progress: impl FnMut(u64),
) -> Result<Recorded, Error> {
    let device = path.display().to_string();
    let failed = |cause| Error::Open { device: device.clone(), cause };
    let mut line = open_line(path, baud).map_err(failed)?;
    // The instrument may still be sending because of a command from an earlier program.
    line.write_all(&instrument.stop()).map_err(failed)?;
    let mut epoch_unix_ns = None;
    let mut on_data = |instrument: &I| {
        on_progress(instrument.recorded_ns());
        // The first data is at most a tenth of a second old.
        epoch_unix_ns = epoch_unix_ns.or_else(|| epoch(instrument.latest_ns()?));
    };
    let ended = exchange(&mut line, &device, plan, &mut instrument, &mut on_data);
    // An error is ignored here: the device may be unplugged.
    let _ = line.write_all(&instrument.stop());
    match ended {
        Err(error) if !instrument.has_answered() => Err(error),
        ended => {
            let lost_samples = instrument.lost_samples();
            let trace = Trace { epoch_unix_ns, ..instrument.finish() };
            Ok(Recorded { trace, lost_samples, ended: ended.err() })
        }
    }
}

fn exchange<I: Instrument>(
    line: &mut File,
    device: &str,
    plan: &Plan,
    instrument: &mut I,
    on_data: &mut impl FnMut(&I),
) -> Result<(), Error> {
    let device = || device.to_owned();
    let (begun, mut last_command, mut last_read) =
        (Instant::now(), None::<Instant>, Instant::now());
    let (mut piece, mut reply) = (vec![0; PIECE], Vec::new());
    while !interrupt::is_requested() {
        if !instrument.has_answered() {
            if begun.elapsed() > ANSWER_TIMEOUT {
                return Err(Error::Silent { device: device(), expected: I::EXPECTED });
            }
            if last_command.is_none_or(|at| at.elapsed() > RETRY_INTERVAL) {
                reply.extend(instrument.start());
                last_command = Some(Instant::now());
            }
        } else if last_read.elapsed() > instrument.silence() {
            return Err(Error::Stopped { device: device(), waited: instrument.silence() });
        }
        let unplugged = |cause| Error::Unplugged { device: device(), cause };
        line.write_all(&reply).map_err(unplugged)?;
        reply.clear();
        if !is_readable(line.as_fd()).map_err(unplugged)? {
            continue;
        }
        let read = line.read(&mut piece).map_err(unplugged)?;
        if read == 0 {
            return Err(unplugged(io::ErrorKind::UnexpectedEof.into()));
        }
        last_read = Instant::now();
        instrument.take(&piece[..read], &mut reply).map_err(|refusal| match refusal {
            Refusal::Version(found, expected) => {
                Error::Version { device: device(), found, expected }
            }
            Refusal::Memory => Error::Memory { device: device(), bytes: plan.memory.bytes() },
        })?;
        on_data(instrument);
        if plan.lasting.is_some_and(|lasting| instrument.recorded_ns() >= lasting.as_ns()) {
            return Ok(());
        }
    }
    Ok(())
}

/// Wall-clock time of instant 0 of a clock that reads `latest_ns` now, ns since 1970.
fn epoch(latest_ns: u64) -> Option<i64> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
    i64::try_from(now.as_nanos()).ok()?.checked_sub_unsigned(latest_ns)
}
