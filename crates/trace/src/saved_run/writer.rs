//! Writer of runs for all tools that read Parquet.
//!
//! Columns of ascending instants are stored as differences (`DELTA_BINARY_PACKED`). The spread of the
//! differences determines their size in the file. Columns of repeated codes are encoded with a dictionary.
//! Data pages have version 1 of the page format and Snappy compression. Every Parquet reader supports this
//! version and this compression.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, Encoding};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

use super::{KEY, NONE};
use crate::trace::Trace;

/// Columns of every run.
const SCHEMA: &str = "
  optional int64 trigger_ns;
  optional int64 completion_ns;
  optional binary outcome (STRING);
  optional group edge_channel (LIST) {
    repeated group list { optional int32 element (INTEGER(8, false)); }
  }
  optional group edge_ns (LIST) {
    repeated group list { optional int64 element; }
  }";
/// Additional columns of a run with a measured current.
const CURRENT_SCHEMA: &str = "
  optional group charge_at_ns (LIST) {
    repeated group list { optional int64 element; }
  }
  optional group charge_fc (LIST) {
    repeated group list { optional int64 element; }
  }";
/// Columns with ascending or nearly ascending values.
const ASCENDING: [&[&str]; 5] = [
    &["trigger_ns"],
    &["completion_ns"],
    &["edge_ns", "list", "element"],
    &["charge_at_ns", "list", "element"],
    &["charge_fc", "list", "element"],
];
/// Number of rows per row group, which readers can process separately.
const GROUP_ROWS: usize = 1 << 18;
/// Levels of a value in a list: an empty list, and an element.
const EMPTY: i16 = 1;
const ELEMENT: i16 = 3;

/// Transfers of a run, one per row.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// Trigger instants, ns, ascending. `None` for a table of latencies.
    pub trigger_ns: Option<&'a [i64]>,
    /// Completion instants, or the latencies, ns. [`NONE`] if missing.
    pub completion_ns: &'a [i64],
    /// Codes of the outcomes.
    pub outcome: &'a [u8],
    /// Name of each code.
    pub outcomes: &'a [&'a str],
}

/// Writes a run with the edges of its trace and its metadata as JSON.
///
/// Each row contains the edges from its trigger until the next. The first row also contains the earlier
/// edges. A trace without a trigger has one row of nulls.
///
/// # Errors
/// An error of the file system. [`io::ErrorKind::InvalidInput`] if columns differ in length or an outcome has
/// no name.
pub fn write<W: Write + Send>(
    into: W,
    rows: &Rows<'_>,
    trace: Option<&Trace>,
    metadata: &str,
) -> io::Result<()> {
    let count = rows.completion_ns.len();
    let misfit = rows.outcome.len() != count
        || rows.trigger_ns.is_some_and(|triggers| triggers.len() != count)
        || rows.outcome.iter().any(|&code| usize::from(code) >= rows.outcomes.len());
    if misfit {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    write_rows(into, rows, trace, metadata).map_err(io_error)
}

/// The underlying error of the operating system, if any.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

/// Instant and channel of every edge, by time and then by channel.
fn edges(trace: &Trace) -> Vec<(i64, u8)> {
    let count = trace.channels.iter().map(|channel| channel.edge_count()).sum();
    let mut edges = Vec::with_capacity(count);
    for (index, channel) in (0..=u8::MAX).zip(&trace.channels) {
        let instants = channel.segments.iter().flat_map(|segment| &segment.edges_ns);
        edges.extend(instants.map(|&at_ns| (at_ns, index)));
    }
    // The sort is stable, and is fast for long sorted stretches.
    edges.sort_by_key(|&(at_ns, _)| at_ns);
    edges
}

/// Time and charge of every knot, in time order. `None` without a measured current.
fn knots(trace: &Trace) -> Option<Vec<(i64, i64)>> {
    let stretches = trace.current.as_ref()?.stretches.iter();
    let of = stretches.flat_map(|of| of.at_ns.iter().copied().zip(of.charge_fc.iter().copied()));
    Some(of.collect())
}

fn properties(metadata: &str) -> WriterProperties {
    let about = KeyValue { key: KEY.into(), value: Some(metadata.into()) };
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("airlag ", env!("CARGO_PKG_VERSION")).into())
        .set_compression(Compression::SNAPPY)
        .set_key_value_metadata(Some(vec![about]));
    for column in ASCENDING {
        let column = ColumnPath::new(column.iter().map(|&part| part.into()).collect());
        properties = properties
            .set_column_dictionary_enabled(column.clone(), false)
            .set_column_encoding(column, Encoding::DELTA_BINARY_PACKED);
    }
    properties.build()
}

fn write_rows<W: Write + Send>(
    into: W,
    rows: &Rows<'_>,
    trace: Option<&Trace>,
    metadata: &str,
) -> Result<(), ParquetError> {
    let (edges, knots) = (trace.map(edges).unwrap_or_default(), trace.and_then(knots));
    let more = if knots.is_some() { CURRENT_SCHEMA } else { "" };
    let schema = parse_message_type(&format!("message root {{{SCHEMA}{more}\n}}"))?;
    let schema = Arc::new(schema);
    let mut file = SerializedFileWriter::new(into, schema, Arc::new(properties(metadata)))?;
    let names: Vec<ByteArray> = rows.outcomes.iter().map(|&name| name.into()).collect();
    let count = rows.completion_ns.len();
    let (mut edges, mut knots) = (&edges[..], knots.as_deref());
    for begin in (0..count).step_by(GROUP_ROWS) {
        let end = count.min(begin + GROUP_ROWS);
        let triggers = rows.trigger_ns.map(|triggers| &triggers[begin..end]);
        let mut group = file.next_row_group()?;
        let filler = vec![NONE; end - begin];
        optional::<Int64Type, _>(&mut group, triggers.unwrap_or(&filler), |&ns| {
            (ns != NONE).then_some(ns)
        })?;
        optional::<Int64Type, _>(&mut group, &rows.completion_ns[begin..end], |&ns| {
            (ns != NONE).then_some(ns)
        })?;
        optional::<ByteArrayType, _>(&mut group, &rows.outcome[begin..end], |&code| {
            names.get(usize::from(code)).cloned()
        })?;
        let next_ns = rows.trigger_ns.and_then(|triggers| triggers.get(end)).copied();
        let own = before(&mut edges, next_ns);
        let triggers = triggers.unwrap_or(&filler);
        lists::<Int32Type, _>(&mut group, triggers, own, |&(_, channel)| channel.into())?;
        lists::<Int64Type, _>(&mut group, triggers, own, |&(at_ns, _)| at_ns)?;
        if let Some(knots) = &mut knots {
            charges(&mut group, triggers, before(knots, next_ns))?;
        }
        group.close()?;
    }
    if count == 0 && trace.is_some() {
        let mut group = file.next_row_group()?;
        optional::<Int64Type, _>(&mut group, &[()], |()| None)?;
        optional::<Int64Type, _>(&mut group, &[()], |()| None)?;
        optional::<ByteArrayType, _>(&mut group, &[()], |()| None)?;
        lists::<Int32Type, _>(&mut group, &[NONE], edges, |&(_, channel)| channel.into())?;
        lists::<Int64Type, _>(&mut group, &[NONE], edges, |&(at_ns, _)| at_ns)?;
        if let Some(knots) = knots {
            charges(&mut group, &[NONE], knots)?;
        }
        group.close()?;
    }
    file.close().map(drop)
}

/// Writes the next column with optional values.
fn optional<T: DataType, S>(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    rows: &[S],
    value: impl Fn(&S) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let mut levels = Vec::with_capacity(rows.len());
    let mut values = Vec::with_capacity(rows.len());
    for found in rows.iter().map(value) {
        levels.push(i16::from(found.is_some()));
        values.extend(found);
    }
    column::<T>(group, &values, &levels, None)
}

/// Removes and returns the entries before an instant from a list in time order, or all of them for
/// `None`.
fn before<'a, P>(list: &mut &'a [(i64, P)], ns: Option<i64>) -> &'a [(i64, P)] {
    let own = ns.map_or(list.len(), |ns| list.partition_point(|entry| entry.0 < ns));
    let (own, others) = list.split_at(own);
    *list = others;
    own
}

fn charges(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    triggers: &[i64],
    knots: &[(i64, i64)],
) -> Result<(), ParquetError> {
    lists::<Int64Type, _>(group, triggers, knots, |&(at_ns, _)| at_ns)?;
    lists::<Int64Type, _>(group, triggers, knots, |&(_, charge_fc)| charge_fc)
}

/// Writes one value of each entry, in the row of the last trigger before it.
fn lists<T: DataType, P>(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    triggers: &[i64],
    entries: &[(i64, P)],
    value: impl Fn(&(i64, P)) -> T::T,
) -> Result<(), ParquetError> {
    let (mut depths, mut repeats) = (Vec::new(), Vec::new());
    let mut rest = entries;
    for row in 0..triggers.len() {
        let until = triggers.get(row + 1);
        let own = until.and_then(|ns| rest.iter().position(|(at_ns, _)| at_ns >= ns));
        let own = own.unwrap_or(rest.len());
        rest = &rest[own..];
        depths.extend(std::iter::repeat_n(if own == 0 { EMPTY } else { ELEMENT }, own.max(1)));
        repeats.extend((0..own.max(1)).map(|index| i16::from(index > 0)));
    }
    let values: Vec<T::T> = entries.iter().map(value).collect();
    column::<T>(group, &values, &depths, Some(&repeats))
}

fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    values: &[T::T],
    depths: &[i16],
    repeats: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let missing = || ParquetError::General("more columns than the schema has".into());
    let mut column = group.next_column()?.ok_or_else(missing)?;
    column.typed::<T>().write_batch(values, Some(depths), repeats)?;
    column.close()
}
