//! Detection of the format of a capture file, and dispatch to its reader.

use std::fmt;
use std::io::{Read, Seek};
use std::path::Path;

use crate::archive::{self, Archive};
use crate::error::{At, Error, Problem};
use crate::input::Input;
use crate::memory::MemoryLimit;
use crate::select::Selection;
use crate::sink::Sink;
use crate::trace::Trace;
use crate::{latency_table, packets, sal, saleae_binary, saleae_csv, sigrok, vcd};

/// A supported capture format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Saleae Logic 2 CSV export.
    SaleaeCsv,
    /// Saleae Logic 2 native capture, `.sal`.
    Sal,
    /// Saleae Logic 2 binary export: one file, or a folder of them.
    SaleaeBinary,
    /// sigrok session, `.sr`.
    Sigrok,
    /// Value change dump, `.vcd`.
    Vcd,
    /// A table of latencies without edges, read by [`latency_table::read`].
    LatencyTable,
    /// Packets of a sniffer, pcapng, read by [`packets::read`].
    Pcapng,
    /// Packets of a sniffer, pcap, read by [`packets::read`].
    Pcap,
}

/// Number of bytes at the start of a file that [`Format::detect`] needs.
pub const HEAD_BYTES: usize = 4096;

impl Format {
    /// Whether the format contains packets of a sniffer instead of edges.
    #[must_use]
    pub const fn has_packets(self) -> bool {
        matches!(self, Self::Pcapng | Self::Pcap)
    }

    /// Detects a format from the first [`HEAD_BYTES`] of a file. Archives cannot be detected from
    /// their start alone; see [`Format::recognise`].
    #[must_use]
    pub fn detect(head: &[u8]) -> Option<Self> {
        if saleae_binary::looks_like(head) {
            return Some(Self::SaleaeBinary);
        }
        if packets::looks_like_pcapng(head) {
            return Some(Self::Pcapng);
        }
        if packets::looks_like_pcap(head) {
            return Some(Self::Pcap);
        }
        if vcd::looks_like(head) {
            return Some(Self::Vcd);
        }
        if latency_table::looks_like(head) {
            return Some(Self::LatencyTable);
        }
        if saleae_csv::looks_like(head) {
            return Some(Self::SaleaeCsv);
        }
        None
    }

    /// Detects a format and rewinds the input.
    ///
    /// # Errors
    /// If the input cannot be read, is empty, is a damaged archive, or has an unknown format.
    pub fn recognise<R: Read + Seek>(input: &mut R) -> Result<Self, At> {
        let mut head = Vec::with_capacity(HEAD_BYTES);
        input.rewind()?;
        input.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head)?;
        if head.is_empty() {
            return Err(Problem::Empty.into());
        }
        let format = if archive::looks_like(&head) {
            let archive = Archive::open(&mut *input, MemoryLimit::default())?;
            let names = || archive.members().iter().map(|member| member.name.as_str());
            if sigrok::looks_like(names()) {
                Some(Self::Sigrok)
            } else {
                sal::looks_like(names()).then_some(Self::Sal)
            }
        } else {
            Self::detect(&head)
        };
        input.rewind()?;
        format.ok_or_else(|| Problem::Unrecognized.into())
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SaleaeCsv => "saleae-csv",
            Self::Sal => "sal",
            Self::SaleaeBinary => "saleae-binary",
            Self::Sigrok => "sigrok",
            Self::Vcd => "vcd",
            Self::LatencyTable => "latency-table",
            Self::Pcapng => "pcapng",
            Self::Pcap => "pcap",
        })
    }
}

/// Options of a reader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Channels to read.
    pub selection: Selection,
    /// Memory limit.
    pub memory: MemoryLimit,
}

/// Streams an open capture into `sink`. Detects its format. `name` is the channel name if the file contains a
/// single unnamed channel.
///
/// # Errors
/// Returns the errors of [`read_into`].
pub fn read_stream<R: Read + Seek, S: Sink>(
    mut input: R,
    name: &str,
    options: &ReadOptions,
    sink: &mut S,
) -> Result<Format, At> {
    let format = Format::recognise(&mut input)?;
    stream(input, format, name, options, sink)?;
    Ok(format)
}

pub(crate) fn stream<R: Read + Seek, S: Sink>(
    input: R,
    format: Format,
    name: &str,
    options: &ReadOptions,
    sink: &mut S,
) -> Result<(), At> {
    match format {
        Format::Sal => sal::read(input, options, sink),
        Format::Sigrok => sigrok::read(input, options, sink),
        _ => stream_once(input, format, name, options, sink),
    }
}

/// Like [`read_stream`], for an input that cannot be rewound.
pub(crate) fn stream_once<R: Read, S: Sink>(
    input: R,
    format: Format,
    name: &str,
    options: &ReadOptions,
    sink: &mut S,
) -> Result<(), At> {
    match format {
        Format::SaleaeCsv => saleae_csv::read(input, options, sink),
        Format::SaleaeBinary => saleae_binary::read(input, name, options, sink),
        Format::Vcd => vcd::read(input, options, sink),
        Format::Sal | Format::Sigrok => Err(Problem::NotSeekable { what: "an archive" }.into()),
        Format::LatencyTable => Err(Problem::WrongKind {
            found: "a table of latencies",
            expected: "a capture with edges",
        }
        .into()),
        Format::Pcapng | Format::Pcap => Err(Problem::WrongKind {
            found: "packets of a sniffer",
            expected: "a capture with edges; airlag analyze reads it",
        }
        .into()),
    }
}

/// Streams a capture into `sink`. [`Input::open`] documents valid paths.
///
/// # Errors
/// Returns the errors of [`Input::read_into`].
pub fn read_into<S: Sink>(
    path: &Path,
    options: &ReadOptions,
    sink: &mut S,
) -> Result<Format, Error> {
    let mut input = Input::open(path)?;
    input.read_into(options, sink)?;
    Ok(input.format())
}

/// Reads a whole capture.
///
/// # Errors
/// Returns the errors of [`Input::read_into`].
pub fn read(path: &Path, options: &ReadOptions) -> Result<Trace, Error> {
    Input::open(path)?.read(options)
}

/// Reads a table of latencies.
///
/// # Errors
/// The errors of [`latency_table::read`]. An error is also returned if the file cannot be opened.
pub fn read_table(
    path: &Path,
    options: &latency_table::TableOptions,
) -> Result<latency_table::LatencyTable, Error> {
    Input::open(path)?.read_table(options)
}
