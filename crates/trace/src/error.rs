//! Errors of capture files: a closed list, each with the expected content.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::memory::{Bytes, MemoryLimit};

/// Location of a problem in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line of text, counted from 1.
    Line(u64),
    /// An offset into a binary file, counted from 0.
    Byte(u64),
    /// A member of an archive, with an optional offset.
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

/// A problem with a capture file. The text names the expected content.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// An error of the operating system.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// An empty file.
    #[error("the file is empty; expected a capture")]
    Empty,
    /// An unknown format.
    #[error(
        "unknown capture format; expected Logic 2 CSV, .sal, Saleae binary export, sigrok .sr, VCD, pcapng, pcap, Parquet or a table of latencies"
    )]
    Unrecognized,
    /// A truncated file.
    #[error("the file ends inside {what}; it is truncated; export it again")]
    Truncated {
        /// Part of the file that was being read.
        what: &'static str,
    },
    /// An invalid header.
    #[error("bad header: {found}; expected {expected}")]
    BadHeader {
        /// Header found.
        found: String,
        /// Header expected.
        expected: &'static str,
    },
    /// An unsupported version.
    #[error("{what} version {found} is unknown; airlag reads {supported}")]
    UnknownVersion {
        /// Format or member with the version.
        what: &'static str,
        /// The version found.
        found: String,
        /// Supported versions.
        supported: &'static str,
    },
    /// Analogue or other data instead of digital edges.
    #[error("the file contains {found}; expected digital edges")]
    NotDigital {
        /// Contents of the file.
        found: &'static str,
    },
    /// A line that is too long for a capture.
    #[error("line longer than {limit} bytes; expected one timestamp and one level per channel")]
    LineTooLong {
        /// The longest line accepted, bytes.
        limit: usize,
    },
    /// A header without an end.
    #[error("the header is longer than {limit} bytes; expected $enddefinitions $end before that")]
    HeaderTooLong {
        /// Longest header accepted, bytes.
        limit: u64,
    },
    /// Binary data instead of text.
    #[error("binary data where text is expected; expected a line such as {example:?}")]
    NotText {
        /// An example of a valid line.
        example: &'static str,
    },
    /// A row with a wrong number of fields.
    #[error(
        "{found} columns where the header names {expected}; every row needs a time and one level per channel"
    )]
    ColumnCount {
        /// Fields in the row.
        found: usize,
        /// Fields in the header.
        expected: usize,
    },
    /// An invalid timestamp.
    #[error(
        "bad timestamp {found:?}; expected ISO 8601 such as 2024-01-02T03:04:05.678901234+00:00, or seconds such as 0.001234567"
    )]
    BadTime {
        /// The text found.
        found: String,
    },
    /// A timestamp beyond the range of 64-bit nanoseconds.
    #[error(
        "time {found} is outside the 292 years that 64-bit nanoseconds can represent; check its unit"
    )]
    TimeRange {
        /// The text found.
        found: String,
    },
    /// An unknown unit, or one that is not permitted here.
    #[error("unit {found:?} is unknown; expected {expected}")]
    BadUnit {
        /// The unit found.
        found: String,
        /// Valid units.
        expected: &'static str,
    },
    /// A level that is neither high, low nor missing.
    #[error("bad level {found:?}; expected 0, 1 or X")]
    BadLevel {
        /// The text found.
        found: String,
    },
    /// An invalid number.
    #[error("bad number {found:?}; expected {expected}")]
    BadNumber {
        /// The text found.
        found: String,
        /// Description of a valid number.
        expected: &'static str,
    },
    /// A timestamp before the previous one.
    #[error("time goes back from {previous_ns} ns to {at_ns} ns; rows must be in time order")]
    NotMonotonic {
        /// Previous time, ns.
        previous_ns: i64,
        /// Time found, ns.
        at_ns: i64,
    },
    /// A field with an invalid value.
    #[error("{what} is {found}; expected {expected}")]
    BadField {
        /// Name of the field.
        what: &'static str,
        /// Value found.
        found: String,
        /// Description of a valid value.
        expected: String,
    },
    /// An unknown channel.
    #[error("no channel {channel:?}; the file has {present}")]
    NoSuchChannel {
        /// Requested name or index.
        channel: String,
        /// Names of the channels in the file.
        present: String,
    },
    /// The same channel for trigger and completion.
    #[error("trigger and completion are both channel {channel}; choose two channels")]
    SameChannel {
        /// Name of the channel.
        channel: String,
    },
    /// A channel to invert that is neither the trigger nor the completion.
    #[error(
        "cannot invert channel {channel}: it is neither the trigger ({}) nor the completion ({})",
        paired[0],
        paired[1]
    )]
    InvertedStranger {
        /// Requested name or index.
        channel: String,
        /// Names of the trigger and the completion.
        paired: Box<[String; 2]>,
    },
    /// Too few channels.
    #[error("{found} channel(s); pairing needs a trigger and a completion")]
    TooFewChannels {
        /// Channels in the file.
        found: usize,
    },
    /// Too many channels.
    #[error("{found} channels; airlag reads at most 64; select some by name or index")]
    TooManyChannels {
        /// Number of selected channels.
        found: usize,
    },
    /// A channel without edges.
    #[error(
        "channel {channel:?} never changes; check the wiring, the threshold or the selected channel"
    )]
    NoEdges {
        /// Name of the channel.
        channel: String,
    },
    /// An archive with an implausible compression ratio.
    #[error(
        "contents unpack to {} or more; expected at most {} with a memory limit of {memory}; raise it with --memory {}",
        Bytes(*.found), Bytes(*.allowed), .memory.raised(*.found, *.allowed)
    )]
    TooLarge {
        /// Declared or actual size, bytes.
        found: u64,
        /// Permitted size, bytes.
        allowed: u64,
        /// Memory limit from which the permitted size follows.
        memory: MemoryLimit,
    },
    /// Transfers or edges that exceed the memory limit.
    #[error(
        "the capture needs more than the memory limit of {limit}; raise it with --memory {}", .limit.raised(3, 2)
    )]
    OverMemory {
        /// Memory limit.
        limit: MemoryLimit,
    },
    /// Allocation refused by the operating system.
    #[error("out of memory after {}; use a computer with more memory, or select fewer channels", Bytes(*.held))]
    OutOfMemory {
        /// Bytes allocated before the refusal.
        held: u64,
    },
    /// An archive without a required member.
    #[error("the archive has no {member}; expected {expected}")]
    MissingMember {
        /// Name of the member.
        member: String,
        /// Description of a valid archive.
        expected: &'static str,
    },
    /// A damaged archive.
    #[error("the archive is damaged ({cause}); export it again")]
    BadArchive {
        /// Error of the unpacker.
        cause: String,
    },
    /// A folder without the files of a capture.
    #[error("the folder has no digital_0.bin; expected a Logic 2 binary export; or specify a file")]
    NoCaptureInFolder,
    /// A file of another kind than expected.
    #[error("the file contains {found}; expected {expected}")]
    WrongKind {
        /// Contents of the file.
        found: &'static str,
        /// Expected contents.
        expected: &'static str,
    },
    /// A damaged block of a recording of packets.
    #[error("the block is damaged; expected a pcapng block or a pcap packet; record it again")]
    DamagedBlock,
    /// A block of packets that is too long.
    #[error("block longer than {} MiB; expected one packet of a radio", .limit >> 20)]
    BlockTooLong {
        /// The longest block accepted, bytes.
        limit: usize,
    },
    /// Packets of other link types only.
    #[error(
        "link type {found} is not supported; expected Bluetooth LE (251, 256, 272), IEEE 802.15.4 (195, 230, 283) or IEEE 802.11 (105, 127)"
    )]
    LinkType {
        /// Link type of the first packet.
        found: u16,
    },
    /// A recording without packets of a radio.
    #[error(
        "the file has no {what}; expected packets of a Bluetooth LE, IEEE 802.15.4 or IEEE 802.11 radio"
    )]
    NoPackets {
        /// Missing content.
        what: &'static str,
    },
    /// A file that is not Parquet.
    #[error("not a Parquet file; expected a run saved by airlag")]
    NotParquet,
    /// A Parquet file of another program.
    #[error("a Parquet file, but not a run; expected one saved by airlag (-o FILE.parquet)")]
    NotARun,
    /// An inconsistent saved run.
    #[error("the Parquet file is damaged or cut short; save the run again")]
    DamagedRun,
    /// A saved run with invalid metadata.
    #[error("metadata airlag: {why}; save the run again")]
    BadRun {
        /// The invalid entry, and a description of valid values.
        why: String,
    },
    /// A saved run with a missing column, or one with another type.
    #[error("column {column} is {found}; expected {expected}")]
    RunColumn {
        /// Name of the column.
        column: &'static str,
        /// Type found.
        found: String,
        /// Type expected.
        expected: &'static str,
    },
    /// A saved run with an unsupported compression.
    #[error(
        "column {column} is compressed as {found}; expected Zstandard, Snappy, gzip, LZ4_RAW or none"
    )]
    RunCompression {
        /// Name of the column.
        column: &'static str,
        /// Name of the codec.
        found: String,
    },
    /// A saved run that exceeds the memory limit.
    #[error(
        "its {values} values need about {} MiB, more than the memory limit of {} MiB; raise it with --memory {}MiB",
        .needed_bytes >> 20, .limit.bytes() >> 20, (.needed_bytes >> 20) + 1
    )]
    RunTooLarge {
        /// Declared number of values.
        values: u64,
        /// Memory that these values need, bytes.
        needed_bytes: u64,
        /// Memory limit.
        limit: MemoryLimit,
    },
    /// A format that needs random access, from a pipe.
    #[error("{what} cannot be read from a pipe, because it is read from its end; specify its file")]
    NotSeekable {
        /// Format.
        what: &'static str,
    },
    /// A second read from a pipe.
    #[error("a pipe can be read only once; specify a file")]
    ReadAlready,
    /// A file name without a known output format.
    #[error("{found:?} is not an output format; expected a name that ends in {expected}")]
    UnknownWriteFormat {
        /// File name.
        found: String,
        /// Supported extensions.
        expected: &'static str,
    },
    /// An output format that cannot represent the trace.
    #[error("{format} cannot represent {what}; {instead}")]
    CannotHold {
        /// Output format.
        format: &'static str,
        /// Property of the trace.
        what: String,
        /// Alternative.
        instead: &'static str,
    },
}

impl Problem {
    /// Returns the problem that a reader of this crate wrapped in an I/O error, or else the I/O
    /// error.
    pub(crate) fn from_read(error: io::Error) -> Self {
        error.downcast::<Self>().unwrap_or_else(Self::Io)
    }

    /// Adds a location. [`At::of`] adds the path.
    #[must_use]
    pub fn at(self, place: Place) -> At {
        At { place, problem: self }
    }
}

/// A problem with its location inside the file.
#[derive(Debug)]
pub struct At {
    /// Location.
    pub place: Place,
    /// Problem.
    pub problem: Problem,
}

impl At {
    /// Adds the path of the file.
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

/// A problem with a capture file. Its text is one line with file, location, problem and expected content.
#[derive(Debug, thiserror::Error)]
#[error("{}: {place}{problem}", path.display())]
pub struct Error {
    /// The file.
    pub path: PathBuf,
    /// Location.
    pub place: Place,
    /// Problem.
    #[source]
    pub problem: Problem,
}
