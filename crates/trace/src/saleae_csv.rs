//! Reader of Saleae Logic 2 CSV exports of digital channels.
//!
//! ```text
//! Time [s],Channel 0,Channel 1
//! 2024-01-02T03:04:05.000000000+00:00,0,0
//! 2024-01-02T03:04:05.012345670+00:00,1,0
//! ```
//!
//! The first row contains the initial levels of the channels. Each further row contains the time of a change
//! of at least one channel, and the levels after the change. The last row is an exception: it contains the
//! time of the end of the observation, and repeats the levels. The time of a row is an ISO 8601 timestamp or
//! seconds from the start. `X` marks a channel that was not observed (Saleae support article "Binary and CSV
//! export formats, 2025 update").
//!
//! Successive rows of a capture differ in few bytes: the nine decimals of the time, the levels, and, once
//! per second, the part of the time before the decimal point. [`Layout`] stores the bytes that do not
//! change. Parsing a row therefore takes one masked comparison and the conversion of one 9-digit number. If
//! a row does not match the layout, the general parser parses the row and stores a new layout.

mod layout;
mod parallel;

use std::io::Read;
use std::num::NonZero;
use std::thread;

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use self::layout::Layout;

use crate::decimal::seconds_to_ns;
use crate::error::{At, Place, Problem};
use crate::format::ReadOptions;
use crate::lines::{Block, Lines};
use crate::select::Resolved;
use crate::sink::{Header, Row, Sink};

/// Longest line, bytes. 64 channels need less than 200.
const LINE_LIMIT: usize = 64 * 1024;
const EXAMPLE: &str = "0.001234567,1,0";

/// Whether the first bytes of a file are a Logic 2 CSV header with rows of digital levels.
#[must_use]
pub fn looks_like(head: &[u8]) -> bool {
    let head = head.strip_prefix(BOM).unwrap_or(head);
    let first = head.split(|&b| b == b'\n').next().unwrap_or(head);
    let first = first.strip_prefix(b"\"").unwrap_or(first);
    first.get(..4).is_some_and(|t| t.eq_ignore_ascii_case(b"time")) && first.contains(&b',')
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Streams a Logic 2 CSV into `sink`.
///
/// # Errors
/// Returns an error, with the line number, for an invalid header, a row with another number of columns than
/// the header, an invalid timestamp or level, a time earlier than the time of the previous row, binary data,
/// a line over 64 KiB, or an incomplete last row.
pub fn read<R: Read, S: Sink>(input: R, options: &ReadOptions, sink: &mut S) -> Result<(), At> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    read_on(cores, input, options, sink)
}

/// Like [`read`], on this many cores.
fn read_on<R: Read, S: Sink>(
    cores: usize,
    input: R,
    options: &ReadOptions,
    sink: &mut S,
) -> Result<(), At> {
    let mut lines = Lines::new(input, LINE_LIMIT);
    let mut block = Block::new();
    lines.fill(&mut block)?;
    let Some((header, rows)) = split_line(block.lines()) else {
        return Err(Problem::Truncated { what: "the header line" }.into());
    };
    let columns = Columns::parse(header, options)?;
    let mut parser = Parser::at_line(1);
    let Some((first, rows)) = split_line(rows).or((!rows.is_empty()).then_some((rows, &[]))) else {
        return Err(Problem::Truncated { what: "the header: there is no row" }.into());
    };
    // The first row determines the kind of timestamps, which all other rows depend on.
    let first = parser.patient(first, &columns)?;
    sink.header(Header {
        names: columns.names.clone(),
        epoch_unix_ns: parser.clock.epoch_unix_ns(),
        sample_rate_hz: None,
    });
    sink.row(first);
    parser.rows(rows, &columns, |row| sink.row(row))?;

    let mut more = lines.fill(&mut block)?;
    if more && cores > 1 {
        parser = parallel::rows(cores - 1, lines, block, &columns, parser, sink)?;
    } else {
        while more {
            parser.rows(block.lines(), &columns, |row| sink.row(row))?;
            if let Some(refusal) = sink.refusal() {
                return Err(refusal.at(Place::Line(parser.line)));
            }
            more = lines.fill(&mut block)?;
        }
    }
    sink.end(parser.last_ns);
    sink.refusal().map_or(Ok(()), |refusal| Err(refusal.into()))
}

/// Splits off the first line, without its line end.
fn split_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|&b| b == b'\n')?;
    let line = &bytes[..end];
    Some((line.strip_suffix(b"\r").unwrap_or(line), &bytes[end + 1..]))
}

/// Columns in the header line.
struct Columns {
    /// Number of levels per row.
    count: usize,
    resolved: Resolved,
    names: Vec<String>,
}

impl Columns {
    fn parse(line: &[u8], options: &ReadOptions) -> Result<Self, At> {
        let at = |problem: Problem| problem.at(Place::Line(1));
        let line = line.strip_prefix(BOM).unwrap_or(line);
        let text = std::str::from_utf8(line)
            .map_err(|_| at(Problem::NotText { example: "Time [s],Channel 0,Channel 1" }))?;
        let fields = split_fields(text);
        let unit = fields[0].to_ascii_lowercase();
        if let Some(open) = unit.find('[')
            && &unit[open..] != "[s]"
        {
            let found = fields[0][open..].trim_matches(['[', ']']).to_owned();
            return Err(at(Problem::BadUnit { found, expected: "Time [s]" }));
        }
        let all: Vec<String> = fields.into_iter().skip(1).collect();
        if all.is_empty() {
            return Err(at(Problem::TooFewChannels { found: 0 }));
        }
        let resolved = options.selection.resolve(&all).map_err(at)?;
        let names = resolved.positions.iter().map(|&p| all[p].clone()).collect();
        Ok(Self { count: all.len(), resolved, names })
    }
}

/// Fields of a header line; names may be quoted, with `""` for a quote.
fn split_fields(text: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let (mut quoted, mut chars) = (false, text.chars().peekable());
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                fields.last_mut().into_iter().for_each(|f| f.push('"'));
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().into_iter().for_each(|f| f.push(c)),
        }
    }
    fields
}

/// Reference of the timestamps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Clock {
    /// Not yet known.
    #[default]
    Unknown,
    /// Seconds from an arbitrary origin.
    Seconds,
    /// ISO 8601. Contains the instant of the first row, ns since 1970.
    Wall(i64),
}

impl Clock {
    fn epoch_unix_ns(self) -> Option<i64> {
        if let Self::Wall(epoch) = self { Some(epoch) } else { None }
    }
}

/// Converts lines to rows.
#[derive(Default)]
struct Parser {
    layout: Layout,
    /// Number of the last line, counted from 1.
    line: u64,
    clock: Clock,
    /// Time of the last row. Before the first row, the smallest value.
    last_ns: i64,
}

impl Parser {
    /// A parser after `line`.
    fn at_line(line: u64) -> Self {
        Self { line, last_ns: i64::MIN, ..Self::default() }
    }

    /// A parser for later lines of the same file with unknown numbers.
    fn ahead(&self) -> Self {
        Self { clock: self.clock, ..Self::at_line(0) }
    }

    /// Parses complete lines.
    #[inline]
    fn rows(
        &mut self,
        bytes: &[u8],
        columns: &Columns,
        mut each: impl FnMut(Row),
    ) -> Result<(), At> {
        let mut rest = bytes;
        loop {
            let invert = columns.resolved.invert;
            let (behind, count, last_ns) = self.layout.rows(rest, self.last_ns, invert, &mut each);
            self.line += count;
            self.last_ns = last_ns;
            if behind.is_empty() {
                return Ok(());
            }
            rest = behind;
            let (line, behind) = split_line(rest).unwrap_or((rest, &[]));
            each(self.patient(line, columns)?);
            self.layout.learn(&rest[..rest.len() - behind.len()], self.last_ns, columns);
            rest = behind;
        }
    }

    /// Parses any row, without the layout.
    fn patient(&mut self, line: &[u8], columns: &Columns) -> Result<Row, At> {
        self.line += 1;
        let row = self.parse(line, columns).map_err(|p| p.at(Place::Line(self.line)))?;
        self.last_ns = row.at_ns;
        Ok(row)
    }

    fn parse(&mut self, line: &[u8], columns: &Columns) -> Result<Row, Problem> {
        let text = text_of(line)?;
        let mut fields = text.split(',');
        let stamp = fields.next().unwrap_or_default().trim();
        let found = fields.clone().count();
        if found != columns.count {
            return Err(Problem::ColumnCount { found: found + 1, expected: columns.count + 1 });
        }
        let at_ns = self.stamp_ns(stamp)?;
        if at_ns < self.last_ns {
            return Err(Problem::NotMonotonic { previous_ns: self.last_ns, at_ns });
        }
        levels_of(fields, at_ns, columns)
    }

    /// Time on the clock of the trace: relative to the first timestamp for ISO 8601, unchanged for seconds.
    fn stamp_ns(&mut self, stamp: &str) -> Result<i64, Problem> {
        let bad = || Problem::BadTime { found: shorten(stamp) };
        let out_of_range = || Problem::TimeRange { found: shorten(stamp) };
        let iso = stamp.as_bytes().get(10).is_some_and(|c| matches!(c, b'T' | b't' | b' '));
        let unix_ns = if iso {
            let when = OffsetDateTime::parse(stamp, &Rfc3339).map_err(|_| bad())?;
            Some(i64::try_from(when.unix_timestamp_nanos()).map_err(|_| out_of_range())?)
        } else {
            None
        };
        if self.clock == Clock::Unknown {
            self.clock = unix_ns.map_or(Clock::Seconds, Clock::Wall);
        }
        match (self.clock, unix_ns) {
            (Clock::Wall(epoch), Some(unix_ns)) => {
                unix_ns.checked_sub(epoch).ok_or_else(out_of_range)
            }
            (Clock::Seconds, None) => seconds_to_ns(stamp).map_err(|e| e.describe(stamp)),
            // A file must not mix kinds of timestamps.
            _ => Err(bad()),
        }
    }
}

/// Levels of any row, with `X` for an unobserved channel.
fn levels_of<'a>(
    fields: impl Iterator<Item = &'a str>,
    at_ns: i64,
    columns: &Columns,
) -> Result<Row, Problem> {
    let fields: Vec<&str> = fields.map(str::trim).collect();
    let mut row = Row { at_ns, levels: 0, known: 0 };
    for (position, field) in fields.iter().enumerate() {
        let level = match *field {
            "0" => Some(false),
            "1" => Some(true),
            "X" | "x" => None,
            other if other.parse::<f64>().is_ok() && other.contains('.') => {
                return Err(Problem::NotDigital { found: "analogue samples" });
            }
            other => return Err(Problem::BadLevel { found: shorten(other) }),
        };
        let Some(level) = level else { continue };
        for (bit, &selected) in columns.resolved.positions.iter().enumerate() {
            if selected == position {
                row.known |= 1 << bit;
                row.levels |= u64::from(level) << bit;
            }
        }
    }
    row.levels = (row.levels ^ columns.resolved.invert) & row.known;
    Ok(row)
}

fn text_of(line: &[u8]) -> Result<&str, Problem> {
    match std::str::from_utf8(line) {
        Ok(text) if !text.contains('\0') => Ok(text),
        _ => Err(Problem::NotText { example: EXAMPLE }),
    }
}

/// Shortens an invalid field for an error message.
fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests;
