//! Framed messages on a byte stream: a connection or a serial line.

use std::fs::File;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use airlag_link::framing::{Deframer, frame, framed_len};
use airlag_link::probe;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

use super::near::{Clock, TURN};
use super::wire::{Ask, Halves, Hear, Heard};

/// Maximum message length, bytes. No link supports longer messages.
pub(super) const LONGEST: usize = crate::port::LONGEST;
/// Maximum bytes per read.
const PIECE: usize = 4_096;

/// Connects to a reflector at `host`.
pub(super) fn connect(host: &str, size: usize, clock: Clock) -> io::Result<Halves> {
    let connection = TcpStream::connect(host)?;
    prepare(&connection)?;
    let hears = Hears::new(connection.try_clone()?, clock);
    Ok((Box::new(Asks::new(connection, size)), Box::new(hears)))
}

/// Opens a serial line.
pub(super) fn serial(path: &Path, baud: u32, size: usize, clock: Clock) -> io::Result<Halves> {
    let line = open_line(path, baud)?;
    let hears = Hears::new(Line(line.try_clone()?), clock);
    Ok((Box::new(Asks::new(line, size)), Box::new(hears)))
}

/// Prepares a connection: disables Nagle's algorithm, and limits a read to one turn.
pub(super) fn prepare(connection: &TcpStream) -> io::Result<()> {
    connection.set_nodelay(true)?;
    connection.set_read_timeout(Some(TURN))
}

/// A serial line with a read timeout of one turn, like a prepared connection. It polls before each read, which
/// is one more system call than for a connection.
pub(super) struct Line(pub File);

impl Read for Line {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if is_readable(self.0.as_fd())? {
            self.0.read(into)
        } else {
            Err(io::ErrorKind::WouldBlock.into())
        }
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Reads what arrives within one turn. Returns `None` if nothing does, and 0 bytes at the end of the stream.
pub(super) fn read(stream: &mut impl Read, into: &mut [u8]) -> io::Result<Option<usize>> {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    match stream.read(into) {
        Err(error) if matches!(error.kind(), WouldBlock | TimedOut | Interrupted) => Ok(None),
        read => read.map(Some),
    }
}

/// Returns a remedy to suggest if [`open_line`] fails.
pub(crate) fn remedy(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::ResourceBusy => "end that program first",
        _ => "expected a serial device",
    }
}

/// Opens a serial device in raw mode, 8N1, without flow control.
pub(crate) fn open_line(path: &Path, baud: u32) -> io::Result<File> {
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    let line = rustix::fs::open(path, flags, Mode::empty())?;
    let mut modes = tcgetattr(&line)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "not a serial device"))?;
    // Two readers of one line would each receive a part of what a board sends.
    rustix::fs::flock(&line, FlockOperation::NonBlockingLockExclusive).map_err(
        |errno| match errno {
            Errno::WOULDBLOCK => {
                io::Error::new(io::ErrorKind::ResourceBusy, "in use by another program")
            }
            other => other.into(),
        },
    )?;
    modes.make_raw();
    modes.set_speed(baud)?;
    tcsetattr(&line, OptionalActions::Flush, &modes)?;
    Ok(line.into())
}

/// Waits up to one turn until a descriptor is readable.
pub(crate) fn is_readable(descriptor: BorrowedFd<'_>) -> io::Result<bool> {
    let turn = Timespec { tv_sec: 0, tv_nsec: TURN.as_nanos() as _ };
    match poll(&mut [PollFd::from_borrowed_fd(descriptor, PollFlags::IN)], Some(&turn)) {
        Ok(ready) => Ok(ready > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

struct Asks<W> {
    stream: W,
    message: Vec<u8>,
    framed: Vec<u8>,
}

impl<W> Asks<W> {
    fn new(stream: W, size: usize) -> Self {
        Self { stream, message: vec![0; size], framed: vec![0; framed_len(size)] }
    }
}

impl<W: Write + Send> Ask for Asks<W> {
    fn ask(&mut self, sequence: u32, _sent_ns: i64) -> io::Result<()> {
        let fits = probe::ask(&mut self.message, sequence as u16);
        let framed = frame(&self.message, &mut self.framed).filter(|_| fits);
        let framed = framed.ok_or(io::ErrorKind::InvalidInput)?;
        self.stream.write_all(&self.framed[..framed])
    }
}

/// Frames received on a stream.
pub(super) struct Frames<R> {
    pub stream: R,
    clock: Clock,
    deframer: Deframer<LONGEST>,
    piece: Box<[u8; PIECE]>,
    /// Unprocessed part of the buffer, and the time when it was read.
    rest: std::ops::Range<usize>,
    read_ns: i64,
}

struct Hears<R> {
    frames: Frames<R>,
    answers: Answers,
}

/// Unwraps the timestamps of responses.
#[derive(Default)]
pub(super) struct Answers {
    /// Near and far time of the previous response.
    before: Option<(i64, i64)>,
}

impl Answers {
    pub fn heard(&mut self, answer: probe::Answer, arrived_ns: i64) -> Heard {
        // Only the first timestamp shows whether the far clock is set to the time of day or started with its
        // board. From then on it advances with the near clock.
        let (near, far) = self.before.unwrap_or((arrived_ns, arrived_ns));
        let received_ns = probe::unwrap(answer.received_ns, far + (arrived_ns - near));
        self.before = Some((arrived_ns, received_ns));
        Heard {
            sequence: u32::from(answer.sequence),
            sequences: 1 << 16,
            count: u32::from(answer.count),
            counts: 1 << 8,
            received_ns,
            answered_ns: received_ns + answer.residence_ns as i64,
            arrived_ns,
            error_ns: None,
        }
    }
}

impl<R: Read> Frames<R> {
    pub fn new(stream: R, clock: Clock) -> Self {
        Self {
            stream,
            clock,
            deframer: Deframer::new(),
            piece: Box::new([0; PIECE]),
            rest: 0..0,
            read_ns: 0,
        }
    }

    /// Waits up to [`TURN`](super::near::TURN) for the next message for which `accept` returns a value.
    /// `accept` receives the message and the time when it was read.
    pub fn next<T>(
        &mut self,
        mut accept: impl FnMut(&[u8], i64) -> Option<T>,
    ) -> io::Result<Option<T>> {
        if self.rest.is_empty() {
            let Some(read) = read(&mut self.stream, &mut self.piece[..])? else { return Ok(None) };
            self.read_ns = self.clock.now_ns();
            if read == 0 {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "closed by the far end"));
            }
            self.rest = 0..read;
        }
        for at in self.rest.by_ref() {
            let message = self.deframer.feed(self.piece[at]);
            if let Some(accepted) = message.and_then(|message| accept(message, self.read_ns)) {
                return Ok(Some(accepted));
            }
        }
        Ok(None)
    }
}

impl<R: Read> Hears<R> {
    fn new(stream: R, clock: Clock) -> Self {
        Self { frames: Frames::new(stream, clock), answers: Answers::default() }
    }
}

impl<R: Read + Send> Hear for Hears<R> {
    fn hear(&mut self) -> io::Result<Option<Heard>> {
        let Self { frames, answers } = self;
        frames.next(|message, at_ns| Some(answers.heard(probe::read(message)?, at_ns)))
    }
}
