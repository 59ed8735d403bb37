//! What can be wrong with a capture file: a closed list, each with what would be right.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::memory::{Bytes, MemoryLimit};

/// Where in the file the problem is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line of text, counted from 1.
    Line(u64),
    /// An offset into a binary file, counted from 0.
    Byte(u64),
    /// A member of an archive and, where it helps, an offset into it.
    Member(Box<str>, Option<u64>),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => Ok(()),
            Self::Line(line) => write!(f, "line {line}: "),
            Self::Byte(byte) => write!(f, "byte {byte}: "),
            Self::Member(name, None) => write!(f, "member {name}: "),
            Self::Member(name, Some(byte)) => write!(f, "member {name}, byte {byte}: "),
        }
    }
}

/// What is wrong, and what would be right.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The operating system refused.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Nothing in it.
    #[error("the file is empty; expected a capture")]
    Empty,
    /// No reader knows it.
    #[error(
        "not a capture format airlag knows; expected Logic 2 CSV, .sal, Saleae binary export, sigrok .sr, VCD, Parquet or a table of latencies"
    )]
    Unrecognized,
    /// It stops in the middle.
    #[error("the file ends inside {what}; it is truncated, export it again")]
    Truncated {
        /// What was being read.
        what: &'static str,
    },
    /// A header that is not what the format prescribes.
    #[error("bad header: {found}; expected {expected}")]
    BadHeader {
        /// What stands there.
        found: String,
        /// What should.
        expected: &'static str,
    },
    /// A version no reader was written for.
    #[error("{what} version {found} is unknown; airlag reads {supported}")]
    UnknownVersion {
        /// What carries the version.
        what: &'static str,
        /// The version found.
        found: String,
        /// The versions read.
        supported: &'static str,
    },
    /// Analogue or other data where digital was expected.
    #[error("the file holds {found}; expected digital edges")]
    NotDigital {
        /// What it holds.
        found: &'static str,
    },
    /// A line no capture has.
    #[error("line longer than {limit} bytes; expected one time stamp and one level a channel")]
    LineTooLong {
        /// The longest line accepted, bytes.
        limit: usize,
    },
    /// Declarations without end.
    #[error("the header is longer than {limit} bytes; expected $enddefinitions $end before")]
    HeaderTooLong {
        /// Bytes accepted.
        limit: u64,
    },
    /// Bytes that are no text.
    #[error("binary data where text is expected; expected a line such as {example:?}")]
    NotText {
        /// A line that would be right.
        example: &'static str,
    },
    /// A row with too few or too many fields.
    #[error(
        "{found} columns where the header names {expected}; every row needs a time and one level a channel"
    )]
    ColumnCount {
        /// Fields in the row.
        found: usize,
        /// Fields in the header.
        expected: usize,
    },
    /// A time stamp that is none.
    #[error(
        "bad time stamp {found:?}; expected ISO 8601 such as 2024-01-02T03:04:05.678901234+00:00, or seconds such as 0.001234567"
    )]
    BadTime {
        /// The text found.
        found: String,
    },
    /// A time stamp outside what 64-bit nanoseconds hold.
    #[error("time {found} is outside the 292 years that integer nanoseconds hold; check its unit")]
    TimeRange {
        /// The text found.
        found: String,
    },
    /// A unit the format does not have, or not here.
    #[error("unit {found:?} is not understood; expected {expected}")]
    BadUnit {
        /// The unit found.
        found: String,
        /// The units read.
        expected: &'static str,
    },
    /// A level that is neither high, low nor missing.
    #[error("bad level {found:?}; expected 0, 1 or X")]
    BadLevel {
        /// The text found.
        found: String,
    },
    /// A number that is none.
    #[error("bad number {found:?}; expected {expected}")]
    BadNumber {
        /// The text found.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// Time runs backwards.
    #[error("time goes back from {previous_ns} ns to {at_ns} ns; rows must be in time order")]
    NotMonotonic {
        /// The time before.
        previous_ns: i64,
        /// The time that is earlier.
        at_ns: i64,
    },
    /// A field with a value the format rules out.
    #[error("{what} is {found}; expected {expected}")]
    BadField {
        /// Which field.
        what: &'static str,
        /// Its value.
        found: String,
        /// What the format prescribes.
        expected: String,
    },
    /// A channel asked for that is not there.
    #[error("no channel {channel:?}; the file has {present}")]
    NoSuchChannel {
        /// The name or number asked for.
        channel: String,
        /// The names present.
        present: String,
    },
    /// Trigger and completion are one channel.
    #[error("trigger and completion are both channel {channel}; choose two channels")]
    SameChannel {
        /// Which.
        channel: String,
    },
    /// A channel is to be inverted that is not paired.
    #[error(
        "cannot invert channel {channel}: it is neither the trigger ({}) nor the completion ({})",
        paired[0],
        paired[1]
    )]
    InvertedStranger {
        /// The name or number asked for.
        channel: String,
        /// The names of trigger and completion.
        paired: Box<[String; 2]>,
    },
    /// Fewer channels than the work needs.
    #[error("{found} channel(s); pairing needs a trigger and a completion")]
    TooFewChannels {
        /// Channels in the file.
        found: usize,
    },
    /// More channels than a row carries.
    #[error("{found} channels; airlag reads at most 64 at once, choose some by name or number")]
    TooManyChannels {
        /// Channels selected.
        found: usize,
    },
    /// A channel without one edge.
    #[error(
        "channel {channel:?} never changes; check the wiring, the threshold or the channel choice"
    )]
    NoEdges {
        /// Its name.
        channel: String,
    },
    /// An archive whose contents are out of all proportion.
    #[error(
        "contents unpack to {} or more; expected at most {}, as a memory limit of {memory} allows: raise it with --memory {}",
        Bytes(*.found), Bytes(*.allowed), .memory.raised(*.found, *.allowed)
    )]
    TooLarge {
        /// Bytes declared or reached.
        found: u64,
        /// Bytes accepted.
        allowed: u64,
        /// What they follow from.
        memory: MemoryLimit,
    },
    /// More transfers or edges than the caller gives memory for.
    #[error(
        "it takes more than the memory limit of {limit}; raise it with --memory {}", .limit.raised(3, 2)
    )]
    OverMemory {
        /// Memory that may be taken.
        limit: MemoryLimit,
    },
    /// The operating system gave no more memory.
    #[error("the system gives no more memory than the {} taken so far; read it where there is more, or choose fewer channels", Bytes(*.held))]
    OutOfMemory {
        /// Bytes counted until then.
        held: u64,
    },
    /// An archive without a member the format requires.
    #[error("the archive has no {member}; expected {expected}")]
    MissingMember {
        /// The member.
        member: String,
        /// What the format prescribes.
        expected: &'static str,
    },
    /// An archive that does not unpack.
    #[error("the archive is damaged ({cause}); export it again")]
    BadArchive {
        /// What the unpacker says.
        cause: String,
    },
    /// A folder without the files a capture consists of.
    #[error("the folder has no digital_0.bin; expected a Logic 2 binary export, or name a file")]
    NoCaptureInFolder,
    /// A file that is something else than was asked for.
    #[error("the file holds {found}; expected {expected}")]
    WrongKind {
        /// What it holds.
        found: &'static str,
        /// What was asked for.
        expected: &'static str,
    },
    /// Something else where a saved run was expected.
    #[error("not a Parquet file; expected a run saved by airlag")]
    NotParquet,
    /// Parquet of another program.
    #[error("a Parquet file, but not a run; expected one saved by airlag (-o FILE.parquet)")]
    NotARun,
    /// A saved run that contradicts itself.
    #[error("the Parquet file is damaged or cut short; save the run again")]
    DamagedRun,
    /// A saved run whose metadata is not what airlag writes.
    #[error("metadata airlag: {why}; save the run again")]
    BadRun {
        /// Which entry, and what would be right.
        why: String,
    },
    /// A saved run without a column, or with one of another type.
    #[error("column {column} is {found}; expected {expected}")]
    RunColumn {
        /// Its name.
        column: &'static str,
        /// What it is.
        found: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A saved run that another program compressed in its own way.
    #[error(
        "column {column} is compressed as {found}; expected Zstandard, Snappy, gzip, LZ4_RAW or none"
    )]
    RunCompression {
        /// The column.
        column: &'static str,
        /// The name of the codec.
        found: String,
    },
    /// A saved run that unpacks to more than the caller gives memory for.
    #[error(
        "its {values} values take about {} MiB, more than the memory limit of {} MiB; raise it with --memory {}MiB",
        .needed_bytes >> 20, .limit.bytes() >> 20, (.needed_bytes >> 20) + 1
    )]
    RunTooLarge {
        /// Values that the pages claim to hold.
        values: u64,
        /// Memory that they take.
        needed_bytes: u64,
        /// Memory that may be taken.
        limit: MemoryLimit,
    },
    /// A pipe cannot be read from its end.
    #[error("{what} cannot come through a pipe, because it is read from its end; name its file")]
    NotSeekable {
        /// What it is.
        what: &'static str,
    },
    /// What came through a pipe is gone.
    #[error("it came through a pipe and can be read only once; name a file")]
    ReadAlready,
    /// A name that tells no format to write.
    #[error("{found:?} names no format airlag writes; expected a name that ends in {expected}")]
    UnknownWriteFormat {
        /// The file name asked for.
        found: String,
        /// The endings known.
        expected: &'static str,
    },
    /// A format that cannot hold this trace.
    #[error("{format} cannot hold {what}; {instead}")]
    CannotHold {
        /// The format asked for.
        format: &'static str,
        /// What it cannot hold.
        what: String,
        /// What can.
        instead: &'static str,
    },
}

impl Problem {
    /// The problem a reader of ours put into an I/O error, or that error itself.
    pub(crate) fn from_read(error: io::Error) -> Self {
        error.downcast::<Self>().unwrap_or_else(Self::Io)
    }

    /// Pins the problem to a place; the path follows in [`At::of`].
    #[must_use]
    pub fn at(self, place: Place) -> At {
        At { place, problem: self }
    }
}

/// A problem with its place inside the file.
#[derive(Debug)]
pub struct At {
    /// Where.
    pub place: Place,
    /// What.
    pub problem: Problem,
}

impl At {
    /// Adds the file's path.
    #[must_use]
    pub fn of(self, path: &Path) -> Error {
        Error { path: path.to_owned(), place: self.place, problem: self.problem }
    }
}

impl<P: Into<Problem>> From<P> for At {
    fn from(problem: P) -> Self {
        At { place: Place::File, problem: problem.into() }
    }
}

/// A problem with a capture file: one line that says which file, where, what, and what would be
/// right.
#[derive(Debug, thiserror::Error)]
#[error("{}: {place}{problem}", path.display())]
pub struct Error {
    /// The file.
    pub path: PathBuf,
    /// Where in it.
    pub place: Place,
    /// What is wrong.
    #[source]
    pub problem: Problem,
}
