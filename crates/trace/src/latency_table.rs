//! Reader of tables of latencies.
//!
//! ```text
//! # one number per line, seconds    seq;rtt (ms);node
//! 0.00063                           1;0.63;a
//! 0.00128                           2;1.28;a
//! ```
//!
//! Columns are separated by comma, semicolon or tab. `#` starts a comment. An optional header line names the
//! columns. The end of a column name may state the unit of the column, for example `ms`, `(ms)`, `[ms]` or
//! `_ms`. If columns are not separated by commas, a comma may be the decimal separator.

mod columns;

use std::io::Read;

use crate::decimal::{self, NotATime};
use crate::error::{At, Place, Problem};
use crate::lines::{Block, Lines};
use crate::memory::{Held, MemoryLimit};

use self::columns::{Layout, fields};

/// Longest line accepted, bytes.
const LINE_LIMIT: usize = 64 * 1024;
const EXAMPLE: &str = "0.00063";
/// Memory per latency, bytes: storage, sorting, ranking and comparison.
const LATENCY_BYTES: usize = 96;

/// Unit of the numbers in a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableUnit {
    /// s
    #[default]
    Seconds,
    /// ms
    Milliseconds,
    /// us
    Microseconds,
    /// ns
    Nanoseconds,
}

impl TableUnit {
    /// Parses a unit such as `ms`.
    ///
    /// # Errors
    /// [`Problem::BadUnit`] for other text.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let expected = "s, ms, us or ns";
        Self::named(text).ok_or_else(|| Problem::BadUnit { found: shorten(text), expected })
    }

    fn named(text: &str) -> Option<Self> {
        Some(match text.to_ascii_lowercase().as_str() {
            "s" | "sec" | "secs" | "second" | "seconds" => Self::Seconds,
            "ms" | "msec" | "msecs" | "millis" | "millisecond" | "milliseconds" => {
                Self::Milliseconds
            }
            "us" | "usec" | "usecs" | "micros" | "microsecond" | "microseconds" | "\u{b5}s"
            | "\u{3bc}s" => Self::Microseconds,
            "ns" | "nsec" | "nsecs" | "nanos" | "nanosecond" | "nanoseconds" => Self::Nanoseconds,
            _ => return None,
        })
    }

    /// Exponent of ten from this unit to nanoseconds.
    fn shift(self) -> i32 {
        match self {
            Self::Seconds => 9,
            Self::Milliseconds => 6,
            Self::Microseconds => 3,
            Self::Nanoseconds => 0,
        }
    }
}

/// Options for reading a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableOptions {
    /// Name of the column, or its index from 0. If `None`, the first column whose name indicates a latency
    /// is used, or else the first one with a number.
    pub column: Option<String>,
    /// Unit of the numbers if the header states none. `None` stands for seconds.
    pub unit: Option<TableUnit>,
    /// Memory limit.
    pub memory: MemoryLimit,
}

/// Latencies without edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LatencyTable {
    /// Name of the column, or `latency` without a header.
    pub name: String,
    /// Unit of the numbers in the file.
    pub unit: TableUnit,
    /// Latencies in file order, ns.
    pub latencies_ns: Vec<i64>,
}

/// Whether the first bytes of a file are those of a table of latencies. Returns `false` for a CSV capture
/// with timestamps and levels.
#[must_use]
pub fn looks_like(head: &[u8]) -> bool {
    let mut lines = head.split(|&b| b == b'\n').map(line_text);
    let mut content = lines.by_ref().flatten().filter(|line| !line.is_empty());
    let Some(first) = content.next() else { return false };
    let second = content.next();
    Layout::looks_like_table(first, second)
}

/// A line without comment, line end and surrounding spaces. `None` for binary data.
fn line_text(line: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(line.strip_prefix(BOM).unwrap_or(line)).ok()?;
    if text.contains('\0') {
        return None;
    }
    // A tab at the end of a line delimits an empty column and is not trimmed as a space.
    Some(text.split('#').next().unwrap_or_default().trim_matches([' ', '\r']))
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Reads a table.
///
/// # Errors
/// Errors with a line number are a negative or invalid number, a row without the column of latencies, binary
/// data, and a line over 64 KiB. Further errors are a selected column that the table does not have, and a
/// table without numbers.
pub fn read<R: Read>(input: R, options: &TableOptions) -> Result<LatencyTable, At> {
    let mut lines = Lines::new(input, LINE_LIMIT);
    let mut block = Block::new();
    let mut layout: Option<Layout> = None;
    let mut latencies_ns = Vec::new();
    let mut held = Held::within(options.memory);
    let mut number = 0;
    while lines.fill(&mut block)? {
        let bytes = block.lines();
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        for line in bytes.split(|&b| b == b'\n') {
            number += 1;
            let at = |problem: Problem| problem.at(Place::Line(number));
            let line = line_text(line).ok_or_else(|| at(Problem::NotText { example: EXAMPLE }))?;
            if line.is_empty() {
                continue;
            }
            match &mut layout {
                Some(layout) => {
                    let latency = latency(line, layout, options).map_err(at)?;
                    keep(latency, &mut latencies_ns, &mut held).map_err(at)?;
                }
                None => {
                    let mut found = Layout::of(line, options).map_err(at)?;
                    if !found.has_header {
                        let latency = latency(line, &mut found, options).map_err(at)?;
                        keep(latency, &mut latencies_ns, &mut held).map_err(at)?;
                    }
                    layout = Some(found);
                }
            }
        }
    }
    match layout {
        Some(layout) if !latencies_ns.is_empty() => {
            let (name, unit) = (layout.name(), layout.unit(options));
            Ok(LatencyTable { name, unit, latencies_ns })
        }
        _ => {
            let (found, expected) = ("none".to_owned(), "one latency per line".to_owned());
            Err(Problem::BadField { what: "the number of latencies", found, expected }.into())
        }
    }
}

fn keep(latency_ns: i64, list: &mut Vec<i64>, held: &mut Held) -> Result<(), Problem> {
    if list.len() == list.capacity() && !held.grow(list, LATENCY_BYTES) {
        return held.refusal().map_or(Ok(()), Err);
    }
    list.push(latency_ns);
    Ok(())
}

fn latency(line: &str, layout: &mut Layout, options: &TableOptions) -> Result<i64, Problem> {
    let row = fields(line, layout.separator);
    let column = layout.column(&row)?;
    let Some(field) = row.get(column) else {
        return Err(Problem::ColumnCount { found: row.len(), expected: layout.names.len() });
    };
    let text = layout.number(field);
    let bad = || Problem::BadNumber {
        found: shorten(field),
        expected: "a latency, zero or more, in decimal notation",
    };
    let negative = text.starts_with('-') && text.contains(|c| matches!(c, '1'..='9'));
    if negative {
        return Err(bad());
    }
    decimal::scaled(&text, layout.unit(options).shift()).map_err(|e| match e {
        NotATime::Syntax => bad(),
        NotATime::Range => Problem::TimeRange { found: shorten(field) },
    })
}

fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests;
