//! Sources of a capture: a file, a folder of a binary export, or a pipe.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use crate::error::{At, Error, Place, Problem};
use crate::format::{self, Format, HEAD_BYTES, ReadOptions};
use crate::latency_table::{self, LatencyTable, TableOptions};
use crate::packets::{self, Packet};
use crate::saleae_binary::{self, Folder};
use crate::sink::{Recorder, Sink};
use crate::trace::Trace;
use crate::{archive, sal};

mod stoppable;

use stoppable::{Contents, Stoppable};

/// Path of standard input.
const STANDARD_INPUT: &str = "-";

/// An opened capture with a known format.
#[derive(Debug)]
pub struct Input {
    path: PathBuf,
    format: Format,
    from: From,
}

#[derive(Debug)]
enum From {
    Folder(Folder),
    File(Stoppable),
    /// Bytes that were already read, followed by the rest. `None` after it was read.
    Pipe(Option<io::Chain<Cursor<Vec<u8>>, Stoppable>>),
}

impl Input {
    /// Opens a path and detects the format. `-` is standard input. A folder is a Logic 2 binary export.
    ///
    /// # Errors
    /// If it cannot be opened, is empty, has an unknown format, or is an archive in a pipe.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Self::open_until(path, || false)
    }

    /// Like [`open`](Self::open), with cancellation: reading fails once `stop` returns true. `stop` is
    /// called before each block.
    ///
    /// # Errors
    /// Returns the errors of [`Input::open`].
    pub fn open_until(path: &Path, stop: fn() -> bool) -> Result<Self, Error> {
        let (format, from) = if path.is_dir() {
            (Format::SaleaeBinary, From::Folder(Folder::open(path)?))
        } else {
            Self::recognise(path, stop).map_err(|at| at.of(path))?
        };
        Ok(Self { path: path.to_owned(), format, from })
    }

    /// Like [`open`](Self::open), for a file in memory called `name`. The bytes are not copied.
    ///
    /// # Errors
    /// Returns the errors of [`Input::open`].
    pub fn of_bytes(name: &str, bytes: Vec<u8>) -> Result<Self, Error> {
        let path = PathBuf::from(name);
        let mut file = Stoppable::new(Contents::Bytes(Cursor::new(bytes)), || false);
        match Format::recognise(&mut file) {
            Ok(format) => Ok(Self { path, format, from: From::File(file) }),
            Err(at) => Err(at.of(&path)),
        }
    }

    fn recognise(path: &Path, stop: fn() -> bool) -> Result<(Format, From), At> {
        let file =
            if path.as_os_str() == STANDARD_INPUT { standard_input()? } else { File::open(path)? };
        let is_file = file.metadata()?.is_file();
        let mut file = Stoppable::new(Contents::File(file), stop);
        if is_file {
            return Ok((Format::recognise(&mut file)?, From::File(file)));
        }
        let mut head = Vec::with_capacity(HEAD_BYTES);
        file.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head)?;
        if head.is_empty() {
            return Err(Problem::Empty.into());
        }
        if archive::looks_like(&head) {
            return Err(Problem::NotSeekable { what: "an archive" }.into());
        }
        if head.starts_with(b"PAR1") {
            return Err(Problem::NotSeekable { what: "a saved run" }.into());
        }
        let format = Format::detect(&head).ok_or(Problem::Unrecognized)?;
        Ok((format, From::Pipe(Some(Cursor::new(head).chain(file)))))
    }

    /// Detected format.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// Path by which it was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Streams the capture into `sink`. A pipe can be read only once.
    ///
    /// # Errors
    /// An [`Error`] with file, location and expected content. The sink may have received rows before the
    /// error. The caller has to discard these.
    pub fn read_into<S: Sink>(&mut self, options: &ReadOptions, sink: &mut S) -> Result<(), Error> {
        let name = saleae_binary::channel_name(&self.path);
        let read = match &mut self.from {
            From::Folder(folder) => return folder.read(options, sink),
            From::File(file) => file
                .rewind()
                .map_err(At::from)
                .and_then(|()| format::stream(file, self.format, &name, options, sink)),
            From::Pipe(pipe) => pipe
                .take()
                .ok_or(At::from(Problem::ReadAlready))
                .and_then(|pipe| format::stream_once(pipe, self.format, &name, options, sink)),
        };
        read.map_err(|at| at.of(&self.path))
    }

    /// Reads the whole capture.
    ///
    /// # Errors
    /// Returns the errors of [`Input::read_into`].
    pub fn read(&mut self, options: &ReadOptions) -> Result<Trace, Error> {
        // Formats with separate channels can be stored without merging.
        let read = match (&mut self.from, self.format) {
            (From::Folder(folder), _) => return folder.read_trace(options),
            (From::File(file), Format::Sal) => {
                file.rewind().map_err(At::from).and_then(|()| sal::read_trace(file, options))
            }
            (From::File(file), Format::SaleaeBinary) => {
                let name = saleae_binary::channel_name(&self.path);
                file.rewind()
                    .map_err(At::from)
                    .and_then(|()| saleae_binary::read_trace(file, &name, options))
            }
            _ => {
                let mut recorder = Recorder::within(options.memory);
                return self.read_into(options, &mut recorder).map(|()| recorder.into_trace());
            }
        };
        read.map_err(|at| at.of(&self.path))
    }

    /// Reads a table of latencies.
    ///
    /// # Errors
    /// The errors of [`latency_table::read`]. An error is also returned for a folder, and for a pipe that was
    /// already read.
    pub fn read_table(&mut self, options: &TableOptions) -> Result<LatencyTable, Error> {
        let read = match &mut self.from {
            From::Folder(_) => Err(Problem::WrongKind {
                found: "a Logic 2 binary export",
                expected: "a table of latencies",
            }
            .at(Place::File)),
            From::File(file) => {
                file.rewind().map_err(At::from).and_then(|()| latency_table::read(file, options))
            }
            From::Pipe(pipe) => pipe
                .take()
                .ok_or(At::from(Problem::ReadAlready))
                .and_then(|pipe| latency_table::read(pipe, options)),
        };
        read.map_err(|at| at.of(&self.path))
    }

    /// Passes each packet of a recording to `sink`.
    ///
    /// # Errors
    /// The errors of [`packets::read`]. An error is also returned for another format, and for a pipe that was
    /// already read.
    pub fn read_packets(
        &mut self,
        sink: impl FnMut(&Packet<'_>) -> Result<(), Problem>,
    ) -> Result<(), Error> {
        if !self.format.has_packets() {
            let problem = Problem::WrongKind { found: "edges", expected: "packets of a sniffer" };
            return Err(problem.at(Place::File).of(&self.path));
        }
        let read = match &mut self.from {
            // A folder is a binary export.
            From::Folder(_) => Err(At::from(Problem::Unrecognized)),
            From::File(file) => file
                .rewind()
                .map_err(At::from)
                .and_then(|()| packets::read(file, self.format, sink)),
            From::Pipe(pipe) => pipe
                .take()
                .ok_or(At::from(Problem::ReadAlready))
                .and_then(|pipe| packets::read(pipe, self.format, sink)),
        };
        read.map_err(|at| at.of(&self.path))
    }
}

/// Standard input without the buffer of the standard library, which could retain bytes.
#[cfg(unix)]
fn standard_input() -> io::Result<File> {
    use std::os::fd::AsFd;
    io::stdin().as_fd().try_clone_to_owned().map(File::from)
}

/// Standard input without the buffer of the standard library, which could retain bytes.
#[cfg(windows)]
fn standard_input() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    io::stdin().as_handle().try_clone_to_owned().map(File::from)
}

/// Platforms without file handles have no standard input for captures.
#[cfg(not(any(unix, windows)))]
fn standard_input() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}
