//! Column and unit of the latencies in a table.

use std::borrow::Cow;

use crate::error::Problem;

use super::{TableOptions, TableUnit, shorten};

/// Words in the names of latency columns, by precedence. `time` is last, because it may be the time of the
/// measurement.
const LATENCY_WORDS: [&str; 7] =
    ["latency", "latenz", "delay", "rtt", "round trip", "duration", "elapsed"];
const TIME_WORD: &str = "time";

/// Layout of a table, from its first line.
#[derive(Debug)]
pub struct Layout {
    pub separator: char,
    /// Names of the columns, or fields of the first row.
    pub names: Vec<String>,
    pub has_header: bool,
    /// Index of the latency column, once known.
    column: Option<usize>,
}

/// Fields of a line, without surrounding spaces and quotes.
pub fn fields(line: &str, separator: char) -> Vec<&str> {
    line.split(separator).map(|field| field.trim().trim_matches('"').trim()).collect()
}

fn separator(line: &str) -> char {
    [';', '\t'].into_iter().find(|&c| line.contains(c)).unwrap_or(',')
}

/// Whether a field is meant to be a number. This includes `nan` and `inf`, which are rejected
/// later.
fn is_number(field: &str, separator: char) -> bool {
    decimal_point(field, separator).parse::<f64>().is_ok()
}

fn decimal_point(field: &str, separator: char) -> Cow<'_, str> {
    if separator != ',' && field.contains(',') {
        Cow::Owned(field.replacen(',', ".", 1))
    } else {
        Cow::Borrowed(field)
    }
}

fn looks_like_latency(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace(['_', '-'], " ");
    LATENCY_WORDS.iter().any(|word| name.contains(word))
}

/// Unit in a column name. `Ok(None)` if there is none.
fn unit_of(name: &str) -> Result<Option<TableUnit>, Problem> {
    let bracketed = |open, close| {
        let inner = name.trim_end().strip_suffix(close)?;
        Some(inner.rsplit_once(open)?.1.trim())
    };
    if let Some(unit) = bracketed('[', ']').or_else(|| bracketed('(', ')')) {
        return TableUnit::parse(unit).map(Some);
    }
    let last = name.rsplit(['_', '-', ' ', '/', '.']).next().filter(|last| *last != name);
    Ok(last.and_then(TableUnit::named))
}

impl Layout {
    /// Whether a file with these first two lines is a table of latencies.
    pub fn looks_like_table(first: &str, second: Option<&str>) -> bool {
        let separator = separator(first);
        let names = fields(first, separator);
        if names.iter().all(|field| is_number(field, separator)) {
            return true;
        }
        let Some(second) = second.map(|line| fields(line, separator)) else { return false };
        let numbers = second.iter().any(|field| is_number(field, separator));
        // "Time [s],latency pin" above levels is the header of a capture, whatever its unit. As a
        // table, its timestamps would be read as latencies.
        let name = names[0].to_ascii_lowercase();
        let stamps = name.split('[').next().is_some_and(|word| word.trim() == "time");
        let levels = second[1..].iter().all(|f| matches!(*f, "0" | "1" | "X" | "x"));
        if stamps && names.len() > 1 {
            return numbers && !levels && names[1..].iter().any(|name| looks_like_latency(name));
        }
        let is_latency = |name: &&str| {
            looks_like_latency(name)
                || name.to_ascii_lowercase().contains(TIME_WORD)
                || matches!(unit_of(name), Ok(Some(_)))
        };
        numbers && names.iter().any(is_latency)
    }

    /// Parses the first line.
    pub fn of(line: &str, options: &TableOptions) -> Result<Self, Problem> {
        let separator = separator(line);
        let names: Vec<String> = fields(line, separator).into_iter().map(str::to_owned).collect();
        let has_header = !names.iter().any(|field| is_number(field, separator));
        let mut layout = Self { separator, names, has_header, column: None };
        layout.column = match &options.column {
            Some(wanted) => Some(layout.find(wanted)?),
            None if has_header => layout.guess(),
            None => None,
        };
        if let Some(column) = layout.column.filter(|_| has_header) {
            unit_of(&layout.names[column])?;
        }
        Ok(layout)
    }

    fn find(&self, wanted: &str) -> Result<usize, Problem> {
        let by_name = self.names.iter().position(|name| name == wanted).filter(|_| self.has_header);
        let by_number = || wanted.parse().ok().filter(|&number| number < self.names.len());
        by_name.or_else(by_number).ok_or_else(|| {
            let present = if self.has_header {
                self.names.join(", ")
            } else {
                format!("{} columns without names", self.names.len())
            };
            Problem::NoSuchChannel { channel: shorten(wanted), present: shorten_list(&present) }
        })
    }

    fn guess(&self) -> Option<usize> {
        let time = |name: &String| name.to_ascii_lowercase().contains(TIME_WORD);
        let unit = |name: &String| matches!(unit_of(name), Ok(Some(_)));
        let latency = self.names.iter().position(|name| looks_like_latency(name));
        let time = || self.names.iter().position(time);
        latency.or_else(time).or_else(|| self.names.iter().position(unit))
    }

    /// Returns the index of the latency column. If no name indicates this column, it is that of the
    /// first number in the first row.
    pub fn column(&mut self, row: &[&str]) -> Result<usize, Problem> {
        if let Some(column) = self.column {
            return Ok(column);
        }
        let number = row.iter().position(|field| is_number(field, self.separator));
        let column = number.ok_or_else(|| Problem::BadNumber {
            found: shorten(row.first().copied().unwrap_or_default()),
            expected: "a latency, zero or more, in decimal notation",
        })?;
        self.column = Some(column);
        Ok(column)
    }

    /// Returns a field with a decimal point instead of a decimal comma.
    pub fn number<'a>(&self, field: &'a str) -> Cow<'a, str> {
        decimal_point(field, self.separator)
    }

    /// Name of the latency column.
    pub fn name(&self) -> String {
        let name = self.column.filter(|_| self.has_header).and_then(|c| self.names.get(c));
        name.cloned().unwrap_or_else(|| "latency".to_owned())
    }

    /// Unit of the latencies.
    pub fn unit(&self, options: &TableOptions) -> TableUnit {
        let name = self.column.filter(|_| self.has_header).and_then(|c| self.names.get(c));
        let named = name.and_then(|name| unit_of(name).ok().flatten());
        named.or(options.unit).unwrap_or_default()
    }
}

fn shorten_list(text: &str) -> String {
    text.chars().take(200).collect()
}
