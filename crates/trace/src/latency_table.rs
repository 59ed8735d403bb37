//! A table of latencies that someone else measured: reader.
//!
//! ```text
//! # one number a line, seconds      seq;rtt (ms);node
//! 0.00063                           1;0.63;a
//! 0.00128                           2;1.28;a
//! ```
//!
//! Columns are separated by comma, semicolon or tab; `#` starts a comment. A header line, if there
//! is one, names the columns and, by `ms`, `(ms)`, `[ms]` or `_ms` at the end of a name, their
//! units. Where columns are separated by something else, a comma may be the decimal point.

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
/// What a latency takes: kept, and sorted, ranked and compared by those who look at it.
const LATENCY_BYTES: usize = 96;

/// The unit of the numbers in a table.
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
    /// The unit a text such as `ms` names.
    ///
    /// # Errors
    /// [`Problem::BadUnit`] when it names none.
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

    /// Power of ten from this unit to nanoseconds.
    fn shift(self) -> i32 {
        match self {
            Self::Seconds => 9,
            Self::Milliseconds => 6,
            Self::Microseconds => 3,
            Self::Nanoseconds => 0,
        }
    }
}

/// How to read a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableOptions {
    /// Column by name, else by position counted from 0; without one, the first whose name looks
    /// like a latency, else the first with a number in it.
    pub column: Option<String>,
    /// Unit where the header tells none; without one, seconds.
    pub unit: Option<TableUnit>,
    /// What it may cost.
    pub memory: MemoryLimit,
}

/// Latencies without the edges they came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LatencyTable {
    /// Name of the column; `latency` where the table has no header.
    pub name: String,
    /// Unit of the numbers in the file.
    pub unit: TableUnit,
    /// In file order, ns.
    pub latencies_ns: Vec<i64>,
}

/// Whether the first bytes of a file are those of a table of latencies. A capture as CSV, with time
/// stamps and levels, is none.
#[must_use]
pub fn looks_like(head: &[u8]) -> bool {
    let mut lines = head.split(|&b| b == b'\n').map(line_text);
    let mut content = lines.by_ref().flatten().filter(|line| !line.is_empty());
    let Some(first) = content.next() else { return false };
    let second = content.next();
    Layout::looks_like_table(first, second)
}

/// A line without its comment, line end and surrounding blanks; `None` if it is no text.
fn line_text(line: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(line.strip_prefix(BOM).unwrap_or(line)).ok()?;
    if text.contains('\0') {
        return None;
    }
    // A tab at an end is an empty column, not a blank.
    Some(text.split('#').next().unwrap_or_default().trim_matches([' ', '\r']))
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Reads a table.
///
/// # Errors
/// With the line at fault: a number that is negative or none, a row that lacks the column, text
/// that is binary, a line over 64 KiB; also a column that is not there, or no numbers at all.
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
            let (found, expected) = ("none".to_owned(), "one latency a line".to_owned());
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
