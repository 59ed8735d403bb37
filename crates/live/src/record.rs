//! Instruments on serial lines, recorded into a trace.
//!
//! **Enters:** a serial device and the instrument behind it. **Leaves:** the edges that it recorded, and
//! why it ended before its time, if it did. **Next on the way:** `airlag-stats`, which pairs them.
//!
//! - [`address`]: addresses of instruments.
//! - [`board`]: a board that stamps edges itself ([`airlag_link::edges`]).
//! - [`ppk2`]: a current meter with eight digital inputs.
//!
//! Whatever ends a record, the instrument is ordered to stop, and what was recorded until then is
//! returned.

pub mod address;
pub mod board;
pub mod ppk2;

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::time::{Duration as Wall, Instant};

use airlag_rig::interrupt;
use airlag_sim::Duration;
use airlag_trace::{MemoryLimit, Trace};

use crate::probe::stream::{is_readable, open_line};

/// How long an instrument may take to answer its order.
const GREETING: Wall = Wall::from_secs(3);
/// How often the order is repeated meanwhile: a board may still be starting.
const AGAIN: Wall = Wall::from_millis(500);
/// An instrument that sends nothing for so long has stopped.
const SILENCE: Wall = Wall::from_secs(2);
/// Bytes that are read at once.
const PIECE: usize = 1 << 16;

/// What is to be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How long, on the instrument's clock; none: until the work is interrupted.
    pub lasting: Option<Duration>,
    /// Most memory that the edges may take.
    pub memory: MemoryLimit,
}

/// What was recorded.
#[derive(Debug, Default)]
pub struct Recorded {
    /// The edges.
    pub trace: Trace,
    /// Number of samples lost in transfer.
    pub lost_samples: u64,
    /// Why it ended before its time.
    pub ended: Option<Error>,
}

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The device could not be opened or set up.
    #[error("{device}: {cause}; expected a serial device")]
    Open {
        /// Which.
        device: String,
        /// Why.
        cause: io::Error,
    },
    /// Nothing came in answer to the order.
    #[error("{device}: no answer within {}s; expected {expected}", GREETING.as_secs())]
    Silent {
        /// Which.
        device: String,
        /// What should be there.
        expected: &'static str,
    },
    /// It answered something that this version does not understand.
    #[error("{device}: {found}; expected {expected}")]
    Version {
        /// Which.
        device: String,
        /// What it stated.
        found: String,
        /// What would be right.
        expected: String,
    },
    /// It sent nothing any more.
    #[error("{device}: sent nothing for {}s; what came before is kept", SILENCE.as_secs())]
    Stopped {
        /// Which.
        device: String,
    },
    /// It is gone.
    #[error("{device}: unplugged ({cause}); what came before is kept")]
    Unplugged {
        /// Which.
        device: String,
        /// How that showed.
        cause: io::Error,
    },
    /// The memory limit is reached.
    #[error(
        "{device}: the record takes more than {bytes} bytes; what came before is kept, --memory allows more"
    )]
    Memory {
        /// Which.
        device: String,
        /// The limit.
        bytes: u64,
    },
}

/// What an instrument answered that ends the record.
pub(crate) enum Refusal {
    /// It is of another version: what was found, and what was expected.
    Version(String, String),
    /// The edges exceed the memory limit.
    Memory,
}

/// An instrument behind a serial line, as a state machine without a line and without a clock.
pub(crate) trait Instrument {
    /// What is there when it answers.
    const EXPECTED: &'static str;

    /// Bytes that start it.
    fn start(&self) -> Vec<u8>;
    /// Bytes after which it sends nothing more, and takes the next order.
    fn stop(&self) -> Vec<u8>;
    /// Takes what it sent; `reply` is sent back.
    fn take(&mut self, bytes: &[u8], reply: &mut Vec<u8>) -> Result<(), Refusal>;
    /// Whether it has answered.
    fn has_answered(&self) -> bool;
    /// Time that it has recorded, ns.
    fn recorded_ns(&self) -> u64;
    /// Number of samples lost in transfer.
    fn lost_samples(&self) -> u64 {
        0
    }
    /// The record.
    fn finish(self) -> Trace;
}

/// Records the instrument at `path` at a baud rate. `on_progress` is called from time to time with the
/// recorded time, ns.
///
/// # Errors
///
/// Where the device cannot be opened, or does not answer as the instrument would. What happens later
/// is in [`Recorded::ended`].
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
    // It may still send what somebody else ordered.
    line.write_all(&instrument.stop()).map_err(failed)?;
    let ended = exchange(&mut line, &device, plan, &mut instrument, &mut on_progress);
    // Nothing is left to order of one that is gone.
    let _ = line.write_all(&instrument.stop());
    match ended {
        Err(error) if !instrument.has_answered() => Err(error),
        ended => {
            let lost_samples = instrument.lost_samples();
            Ok(Recorded { trace: instrument.finish(), lost_samples, ended: ended.err() })
        }
    }
}

fn exchange<I: Instrument>(
    line: &mut File,
    device: &str,
    plan: &Plan,
    instrument: &mut I,
    on_progress: &mut impl FnMut(u64),
) -> Result<(), Error> {
    let device = || device.to_owned();
    let (begun, mut ordered, mut heard) = (Instant::now(), None::<Instant>, Instant::now());
    let (mut piece, mut reply) = (vec![0; PIECE], Vec::new());
    while !interrupt::is_requested() {
        if !instrument.has_answered() {
            if begun.elapsed() > GREETING {
                return Err(Error::Silent { device: device(), expected: I::EXPECTED });
            }
            if ordered.is_none_or(|at| at.elapsed() > AGAIN) {
                reply.extend(instrument.start());
                ordered = Some(Instant::now());
            }
        } else if heard.elapsed() > SILENCE {
            return Err(Error::Stopped { device: device() });
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
        heard = Instant::now();
        instrument.take(&piece[..read], &mut reply).map_err(|refusal| match refusal {
            Refusal::Version(found, expected) => {
                Error::Version { device: device(), found, expected }
            }
            Refusal::Memory => Error::Memory { device: device(), bytes: plan.memory.bytes() },
        })?;
        on_progress(instrument.recorded_ns());
        if plan.lasting.is_some_and(|lasting| instrument.recorded_ns() >= lasting.as_ns()) {
            return Ok(());
        }
    }
    Ok(())
}
