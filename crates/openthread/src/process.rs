//! A node's process, and the socket to it.
//!
//! The process computes in no virtual time: it is told what happens and when, and says what it does about
//! it. So it runs only between an event and its answer, and never beside another one.

use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use airlag_sim::Instant;

use crate::error::Error;
use crate::wire::{self, Event, LENGTH, Record};

/// Octets of the longest batch that is believed: a message of 1280 octets a record, and thousands of them.
const MAX_BATCH: usize = 1 << 24;

/// Where the programs are built to: the folder in this variable, else below `target`.
pub const FOLDER_VARIABLE: &str = "AIRLAG_OPENTHREAD";

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

/// A running node. Dropping it ends it.
pub struct Process {
    number: usize,
    child: Child,
    socket: UnixStream,
    batch: Vec<u8>,
}

impl Process {
    /// Starts node `number`; its first records are those of its start.
    pub fn start(number: usize, program: &Path, born: Born) -> Result<(Self, Vec<Record>), Error> {
        let fail = |source| Error::Process { node: number, source };
        let (socket, theirs) = UnixStream::pair().map_err(fail)?;
        let child = Command::new(program)
            .arg(format!("{:016x}", born.eui64))
            .arg(format!("{:016x}", born.seed))
            .arg(born.buffers.to_string())
            .env_clear()
            .stdin(OwnedFd::from(theirs))
            .stdout(Stdio::null())
            .spawn()
            .map_err(fail)?;
        let mut process = Self { number, child, socket, batch: Vec::new() };
        let records = process.answer(Instant::START)?;
        Ok((process, records))
    }

    /// Tells it of `event`; what it does about it.
    pub fn tell(&mut self, now: Instant, event: &Event<'_>) -> Result<Vec<Record>, Error> {
        let octets = event.octets(now.as_ns() / 1_000);
        self.socket.write_all(&octets).map_err(|source| self.failed(source, now))?;
        self.answer(now)
    }

    fn answer(&mut self, now: Instant) -> Result<Vec<Record>, Error> {
        let broken = |what| Error::Broken { node: self.number, at: now, what };
        let mut have = 0;
        let mut expected = LENGTH;
        // One read for nearly every batch: a call costs more than the copy.
        self.batch.resize(self.batch.len().max(1 << 16), 0);
        while have < expected {
            match self.socket.read(&mut self.batch[have..]) {
                Ok(0) => return Err(broken("its process ended")),
                Ok(count) => have += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(source) => return Err(self.failed(source, now)),
            }
            if expected == LENGTH
                && let Some(length) = self.batch[..have].first_chunk::<LENGTH>()
            {
                let length = u32::from_le_bytes(*length) as usize;
                if length > MAX_BATCH {
                    return Err(broken("it said more than any node says"));
                }
                expected = LENGTH + length;
                if expected > self.batch.len() {
                    self.batch.resize(expected, 0);
                }
            }
        }
        if have > expected {
            return Err(broken("it spoke out of turn"));
        }
        wire::records(&self.batch[LENGTH..expected]).ok_or_else(|| broken("it said no records"))
    }

    fn failed(&self, source: io::Error, at: Instant) -> Error {
        match source.kind() {
            io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset => {
                Error::Broken { node: self.number, at, what: "its process ended" }
            }
            _ => Error::Process { node: self.number, source },
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
