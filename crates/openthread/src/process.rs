//! A node's process, and the socket to it.
//!
//! The process computes in no virtual time: it is told what happens and when, and says what it does about
//! it. So it runs only between an event and its answer, and never beside another one.
//!
//! A process that ends, is stopped, or does not answer within [`Supervision::patience`] is an error with the
//! node's number. A process never outlives this one: dropping a [`Process`] kills it, its socket is closed when
//! this process ends, and on Linux the kernel kills it then (`node/main.c`).

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

/// Octets of the longest batch that is believed: a message of 1280 octets a record, and thousands of them.
const MAX_BATCH: usize = 1 << 24;

/// Where the programs are built to: the folder in this variable, else below `target`.
pub const FOLDER_VARIABLE: &str = "AIRLAG_OPENTHREAD";

/// Longest wait for a process without a look at whether it is stopped, or the run interrupted.
const TURN: Duration = Duration::from_millis(100);

/// Which of OpenThread's builds a node runs.
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

    /// Its program in `folder`.
    pub fn find(self, folder: &Path) -> Result<PathBuf, Error> {
        let path = folder.join(self.program());
        if path.is_file() {
            Ok(path)
        } else {
            Err(Error::Missing { program: self.program(), folder: folder.to_path_buf() })
        }
    }
}

/// What a process is told when it is started.
#[derive(Clone, Copy, Debug)]
pub struct Born {
    /// EUI-64 of its radio.
    pub eui64: u64,
    /// What its random numbers begin with.
    pub seed: u64,
    /// `OPENTHREAD_CONFIG_NUM_MESSAGE_BUFFERS`.
    pub buffers: u16,
}

/// Limits of waiting for a process.
#[derive(Clone, Copy, Debug)]
pub struct Supervision {
    /// Real time within which a node answers an event. Answers take microseconds; a machine may be loaded.
    pub patience: Duration,
    /// Whether the run was interrupted.
    pub interrupted: fn() -> bool,
}

impl Default for Supervision {
    /// Half a minute, and nobody interrupts.
    fn default() -> Self {
        Self { patience: Duration::from_secs(30), interrupted: || false }
    }
}

/// A running node. Dropping it ends it.
pub struct Process {
    number: usize,
    child: Child,
    socket: UnixStream,
    batch: Vec<u8>,
    supervision: Supervision,
}

impl Process {
    /// Starts node `number`; its first records are those of its start.
    ///
    /// On Linux the process ends with the thread that calls this.
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
            // Ctrl-C and Ctrl-Z of a terminal are for the simulator: nodes end or wait with it.
            .process_group(0)
            .spawn()
            .map_err(fail)?;
        let mut process = Self { number, child, socket, batch: Vec::new(), supervision };
        let records = process.answer(Instant::START)?;
        Ok((process, records))
    }

    /// Identifier of the process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Tells it of `event`; what it does about it.
    pub fn tell(&mut self, now: Instant, event: &Event<'_>) -> Result<Vec<Record>, Error> {
        let octets = event.octets(now.as_ns() / 1_000);
        self.socket.write_all(&octets).map_err(|source| self.failed(source, now))?;
        self.answer(now)
    }

    fn answer(&mut self, now: Instant) -> Result<Vec<Record>, Error> {
        let number = self.number;
        let broken = |what: &str| Error::Broken { node: number, at: now, what: what.to_owned() };
        let mut have = 0;
        let mut expected = LENGTH;
        // Counted, not read off a clock: a simulator that was suspended has not waited meanwhile.
        let mut waited = Duration::ZERO;
        // One read for nearly every batch: a call costs more than the copy.
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
                    return Err(broken("it sent more than any node sends"));
                }
                expected = LENGTH + length;
                if expected > self.batch.len() {
                    self.batch.resize(expected, 0);
                }
            }
        }
        if have > expected {
            return Err(broken("it sent octets out of turn"));
        }
        wire::records(&self.batch[LENGTH..expected])
            .ok_or_else(|| broken("it sent what is no record"))
    }

    /// Whether there is reason to go on waiting for an answer.
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

    /// The signal by which it is stopped, if it is.
    fn stopped_by(&self) -> Option<i32> {
        let pid = Pid::from_raw(self.child.id().cast_signed())?;
        let asked = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(pid), asked).ok()??.stopping_signal()
    }

    /// The error of a process that closed its socket.
    fn ended(&mut self, at: Instant) -> Error {
        let what = match self.exit_status() {
            Some(status) => how_it_ended(status),
            None => "its process closed its socket".to_owned(),
        };
        Error::Broken { node: self.number, at, what }
    }

    /// How it ended; it may close its socket a moment before that is known.
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
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
