//! A serial port: a pseudo terminal that a program opens by its path.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

use crate::port::{LONGEST, Port, nonblocking};

/// Bytes per read: at most one packet of a link.
const PIECE: usize = 256;

/// A pseudo terminal in raw mode.
pub struct Pty {
    controller: OwnedFd,
    /// Held open, so that reading does not end when a program closes its side.
    _terminal: OwnedFd,
    path: PathBuf,
}

impl Pty {
    /// Opens a new pseudo terminal.
    ///
    /// # Errors
    ///
    /// Errors of the operating system.
    pub fn open() -> io::Result<Self> {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let controller = openpt(flags)?;
        grantpt(&controller)?;
        unlockpt(&controller)?;
        let name = ptsname(&controller, Vec::new())?;
        let path = PathBuf::from(name.to_string_lossy().into_owned());
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let terminal = open(&path, flags, Mode::empty())?;
        let mut modes = tcgetattr(&terminal)?;
        modes.make_raw();
        tcsetattr(&terminal, OptionalActions::Now, &modes)?;
        let now = rustix::fs::fcntl_getfl(&controller)?;
        rustix::fs::fcntl_setfl(&controller, now | OFlags::NONBLOCK)?;
        Ok(Self { controller, _terminal: terminal, path })
    }

    /// Path that a program opens.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Port for Pty {
    fn descriptors(&self) -> Vec<BorrowedFd<'_>> {
        vec![self.controller.as_fd()]
    }

    fn read(&mut self, into: &mut [u8; LONGEST]) -> io::Result<Option<(usize, u32)>> {
        let got = rustix::io::read(&self.controller, &mut into[..PIECE]);
        let got = nonblocking(got.map_err(io::Error::from))?;
        Ok(got.filter(|&len| len > 0).map(|len| (len, 0)))
    }

    fn write(&mut self, packet: &[u8], _: u32) -> io::Result<()> {
        nonblocking(rustix::io::write(&self.controller, packet).map_err(io::Error::from))
            .map(|_| ())
    }

    fn has_flow_control(&self) -> bool {
        true
    }
}
