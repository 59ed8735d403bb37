//! Process of a node, with the socket to it.
//!
//! The process takes no virtual time: it receives an event with its time, and replies with its actions. It
//! runs only between an event and the reply, and never in parallel with another one.
//!
//! If the process of a node ends, is stopped, or does not reply within [`Supervision::patience`], the result
//! is an error with the number of the node. The process of a node never outlives its parent process, which
//! started it. Dropping a [`Process`] kills the process of the node. If the parent process ends, the socket
//! closes, and on Linux the kernel then kills the process of the node (`node/main.c`).

use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use airlag_sim::Instant;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use crate::error::Error;
use crate::wire::{self, Event, LENGTH, Record};

/// Longest accepted batch, octets: thousands of records with a message of 1280 octets each.
const MAX_BATCH: usize = 1 << 24;

/// Environment variable with the folder of the programs. By default they are below `target`.
pub const FOLDER_VARIABLE: &str = "AIRLAG_OPENTHREAD";

/// Interval between checks for a stopped process or an interruption.
const TURN: Duration = Duration::from_millis(100);

/// Build of OpenThread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// A full Thread device, which can be a router.
    Full,
    /// A minimal Thread device: an end device, sleepy or not.
    Minimal,
}

impl Device {
    const fn program(self) -> &'static str {
        match self {
            Self::Full => "ot-node-ftd",
            Self::Minimal => "ot-node-mtd",
        }
    }

    /// Path of its program in `folder`.
    pub fn find(self, folder: &Path) -> Result<PathBuf, Error> {
        let path = folder.join(self.program());
        if path.is_file() {
            Ok(path)
        } else {
            Err(Error::Missing { program: self.program(), folder: folder.to_path_buf() })
        }
    }
}

/// Start parameters of a process.
#[derive(Clone, Copy, Debug)]
pub struct Born {
    /// EUI-64 of its radio.
    pub eui64: u64,
    /// Seed of its random numbers.
    pub seed: u64,
    /// `OPENTHREAD_CONFIG_NUM_MESSAGE_BUFFERS`.
    pub buffers: u16,
}

/// Supervision of a process.
#[derive(Clone, Copy, Debug)]
pub struct Supervision {
    /// Real-time timeout of a node for an event. Replies take microseconds, unless the machine is loaded.
    pub patience: Duration,
    /// Returns whether the run was interrupted.
    pub interrupted: fn() -> bool,
}

impl Default for Supervision {
    /// A timeout of 30 s, without interruption.
    fn default() -> Self {
        Self { patience: Duration::from_secs(30), interrupted: || false }
    }
}

/// A running node. Dropping it kills the process.
pub struct Process {
    number: usize,
    child: Child,
    socket: UnixStream,
    batch: Vec<u8>,
    supervision: Supervision,
}

impl Process {
    /// Starts node `number`. Returns the records of its start.
    ///
    /// On Linux the process ends together with the calling thread.
    pub fn start(
        number: usize,
        program: &Path,
        born: Born,
        supervision: Supervision,
    ) -> Result<(Self, Vec<Record>), Error> {
        let fail = |source| Error::Process { node: number, source };
        let (socket, theirs) = UnixStream::pair().map_err(fail)?;
        let turn = TURN.min(supervision.patience).max(Duration::from_millis(1));
        socket.set_read_timeout(Some(turn)).map_err(fail)?;
        socket.set_write_timeout(Some(supervision.patience.max(turn))).map_err(fail)?;
        let child = Command::new(program)
            .arg(format!("{:016x}", born.eui64))
            .arg(format!("{:016x}", born.seed))
            .arg(born.buffers.to_string())
            .env_clear()
            .stdin(OwnedFd::from(theirs))
            .stdout(Stdio::null())
            // Signals from the terminal (Ctrl-C, Ctrl-Z) go to the simulator only, which ends or
            // stops the nodes.
            .process_group(0)
            .spawn()
            .map_err(fail)?;
        let mut process = Self { number, child, socket, batch: Vec::new(), supervision };
        let records = process.answer(Instant::START)?;
        Ok((process, records))
    }

    /// Process identifier.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends an event. Returns its records.
    pub fn deliver(&mut self, now: Instant, event: &Event<'_>) -> Result<Vec<Record>, Error> {
        let octets = event.octets(now.as_ns() / 1_000);
        self.socket.write_all(&octets).map_err(|source| self.failed(source, now))?;
        self.answer(now)
    }

    fn answer(&mut self, now: Instant) -> Result<Vec<Record>, Error> {
        let number = self.number;
        let broken = |what: &str| Error::Broken { node: number, at: now, what: what.to_owned() };
        let mut have = 0;
        let mut expected = LENGTH;
        // The waiting time is counted in steps and not measured, so that times in which the
        // simulator was suspended are excluded.
        let mut waited = Duration::ZERO;
        // Nearly every batch is read with a single system call, because a call costs more than
        // copying the bytes.
        self.batch.resize(self.batch.len().max(1 << 16), 0);
        while have < expected {
            match self.socket.read(&mut self.batch[have..]) {
                Ok(0) => return Err(self.ended(now)),
                Ok(count) => have += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if is_timeout(&error) => {
                    waited += TURN.min(self.supervision.patience);
                    self.still_waits(now, waited)?;
                }
                Err(source) => return Err(self.failed(source, now)),
            }
            if expected == LENGTH
                && let Some(length) = self.batch[..have].first_chunk::<LENGTH>()
            {
                let length = u32::from_le_bytes(*length) as usize;
                if length > MAX_BATCH {
                    return Err(broken("it sent an oversized batch"));
                }
                expected = LENGTH + length;
                if expected > self.batch.len() {
                    self.batch.resize(expected, 0);
                }
            }
        }
        if have > expected {
            return Err(broken("it sent unexpected octets"));
        }
        wire::records(&self.batch[LENGTH..expected])
            .ok_or_else(|| broken("it sent an invalid record"))
    }

    /// Checks whether to continue to wait for a reply.
    fn still_waits(&self, at: Instant, waited: Duration) -> Result<(), Error> {
        if (self.supervision.interrupted)() {
            return Err(Error::Interrupted);
        }
        let broken = |what| Err(Error::Broken { node: self.number, at, what });
        if let Some(signal) = self.stopped_by() {
            return broken(format!("its process is stopped by signal {signal}"));
        }
        if waited < self.supervision.patience {
            return Ok(());
        }
        let seconds = self.supervision.patience.as_secs_f64();
        broken(format!("its process hangs: no answer within {seconds} s"))
    }

    /// Signal by which it is stopped, if any.
    fn stopped_by(&self) -> Option<i32> {
        let pid = Pid::from_raw(self.child.id().cast_signed())?;
        let asked = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(pid), asked).ok()??.stopping_signal()
    }

    /// Error of a process that closed its socket.
    fn ended(&mut self, at: Instant) -> Error {
        let what = match self.exit_status() {
            Some(status) => how_it_ended(status),
            None => "its process closed its socket".to_owned(),
        };
        Error::Broken { node: self.number, at, what }
    }

    /// Exit status. The socket may close slightly earlier.
    fn exit_status(&mut self) -> Option<ExitStatus> {
        for _ in 0..20 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            thread::sleep(Duration::from_millis(10));
        }
        None
    }

    fn failed(&mut self, source: io::Error, at: Instant) -> Error {
        match source.kind() {
            io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset => self.ended(at),
            _ if is_timeout(&source) => {
                let what = "its process hangs: it reads nothing".to_owned();
                Error::Broken { node: self.number, at, what }
            }
            _ => Error::Process { node: self.number, source },
        }
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

fn how_it_ended(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("its process exited with code {code}"),
        (None, Some(signal)) => format!("its process was killed by signal {signal}"),
        (None, None) => "its process ended".to_owned(),
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
