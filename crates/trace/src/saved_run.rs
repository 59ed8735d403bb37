//! Runs as Parquet files, with all transfers, raw edges and metadata.
//!
//! One row is one transfer, in trigger order:
//!
//! | column | type | meaning |
//! |---|---|---|
//! | `trigger_ns` | int64 | trigger instant, ns |
//! | `completion_ns` | int64 | completion instant, ns; null if there is none |
//! | `outcome` | string | outcome of the transfer |
//! | `edge_channel` | list of uint8 | channel of each edge from this trigger until the next |
//! | `edge_ns` | list of int64 | instants of the edges in `edge_channel`, ns, ascending |
//! | `charge_at_ns` | list of int64 | if a current was measured: times of the charge values from this trigger until the next, ns |
//! | `charge_fc` | list of int64 | at each time in `charge_at_ns`: charge since the last gap in the record of the current, fC |
//!
//! The first row also contains the edges before the first trigger. A run without a trigger has a single row,
//! which contains the edges of the run and is null in the other columns. If the run was read from a latency
//! table, which has no clock, `trigger_ns` is null, `completion_ns` is the latency, and the lists are empty.
//!
//! The metadata that is needed to repeat the run is JSON under the key `airlag` in the metadata of the file.
//! [`layout`] reads the description of the edges from this JSON. When airlag reads a run with edges, it uses
//! only the edges and the charge. When airlag reads a run of a latency table, it uses only the latencies. The
//! other columns are for other tools.
//!
//! The crate `parquet` decodes the values, but this module finds, counts and unpacks the pages ([`pages`]).
//! No size that a file declares is allocated before it was checked against the memory limit.

mod integers;
mod layout;
mod pages;
mod thrift;
mod unpack;
mod writer;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex};

use parquet::basic::{ConvertedType, LogicalType, Type};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::schema::types::ColumnDescriptor;

use self::layout::Layout;
use self::pages::{Levels, Pages, Shared};
use self::thrift::Structure;
pub use self::writer::{Rows, write};
use crate::current::Current;
use crate::error::{At, Error, Problem};
use crate::memory::MemoryLimit;
use crate::trace::Trace;

/// Key of the JSON in the file's metadata.
pub const KEY: &str = "airlag";
/// Value of the entry `format` in that JSON. Incremented if older readers would misinterpret the file.
pub const FORMAT: u64 = 1;
/// Value of a missing completion.
pub const NONE: i64 = i64::MIN;

const MAGIC: &[u8] = b"PAR1";
/// Length of the footer, and [`MAGIC`], at the end of the file.
const TAIL_BYTES: u64 = 8;
/// Longest accepted footer, bytes. A footer that airlag writes has 2 kB plus the channels and gaps of a run.
const LONGEST_FOOTER: u64 = 64 << 20;
/// Memory per edge or latency for reading and evaluating a run, bytes.
const BYTES_PER_VALUE: u64 = 32;
/// Number of rows decoded at once.
const BATCH_ROWS: usize = 4096;
/// Error for edges whose number, order or channel contradicts the metadata.
const MISFIT: &str = "does not describe the edges in the file";

/// Errors of pages.
#[derive(Debug, thiserror::Error)]
enum Damage {
    /// An error of the operating system.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Parts of the file that contradict each other.
    #[error("the file contradicts itself")]
    Contradiction,
    /// A number of pages whose list exceeds the memory limit.
    #[error("too many pages")]
    Pages,
}

impl From<ParquetError> for Damage {
    fn from(error: ParquetError) -> Self {
        match error {
            ParquetError::External(cause) => {
                cause.downcast::<Self>().map_or(Self::Contradiction, |damage| *damage)
            }
            _ => Self::Contradiction,
        }
    }
}

impl Damage {
    fn problem(self, memory: MemoryLimit) -> Problem {
        match self {
            Self::Io(error) => Problem::Io(error),
            Self::Contradiction => Problem::DamagedRun,
            Self::Pages => Problem::OverMemory { limit: memory },
        }
    }
}

/// Contents of a saved run.
#[derive(Clone, Debug, PartialEq)]
pub enum Kept {
    /// Raw edges of every channel.
    Edges(Trace),
    /// A table of latencies, ns.
    Latencies(Vec<i64>),
}

/// An opened file whose footer was read.
#[derive(Debug)]
pub struct SavedRun<R> {
    source: Shared<R>,
    length: u64,
    footer: ParquetMetaData,
    metadata: String,
}

impl SavedRun<File> {
    /// Opens a file by its path.
    ///
    /// # Errors
    /// Returns the errors of [`SavedRun::new`].
    pub fn open(path: &Path) -> Result<Self, Error> {
        File::open(path).map_err(At::from).and_then(Self::new).map_err(|at| at.of(path))
    }
}

impl<R: Read + Seek + Send + 'static> SavedRun<R> {
    /// Reads the footer.
    ///
    /// # Errors
    /// If it is not a Parquet file, is damaged, or is not a run.
    pub fn new(mut source: R) -> Result<Self, At> {
        let length = source.seek(SeekFrom::End(0))?;
        source.rewind()?;
        let mut head = Vec::new();
        source.by_ref().take(MAGIC.len() as u64).read_to_end(&mut head)?;
        if head != MAGIC {
            return Err(Problem::NotParquet.into());
        }
        let source = Arc::new(Mutex::new(source));
        let footer = footer(&source, length).map_err(|it| it.problem(MemoryLimit::default()))?;
        let entries = footer.file_metadata().key_value_metadata();
        let about = entries.into_iter().flatten().find(|entry| entry.key == KEY);
        let metadata = about.and_then(|entry| entry.value.clone()).ok_or(Problem::NotARun)?;
        Ok(Self { source, length, footer, metadata })
    }

    /// Metadata of the run as JSON. It is not trusted.
    #[must_use]
    pub fn metadata(&self) -> &str {
        &self.metadata
    }

    /// Reads the edges or the latencies.
    ///
    /// # Errors
    /// If the file is damaged, has another format or exceeds the limit, or if its edges contradict its
    /// metadata.
    pub fn read(&self, memory: MemoryLimit) -> Result<Kept, At> {
        let (found, allowed) = (self.metadata.len() as u64, memory.text_bytes());
        if found > allowed {
            return Err(Problem::TooLarge { found, allowed, memory }.into());
        }
        let bad = |why: String| Problem::BadRun { why };
        let layout = Layout::read(&self.metadata).map_err(bad)?;
        let Some(layout) = layout else {
            let found = self.pages(&[COMPLETION], memory)?;
            let latencies = self.latencies(found).map_err(|it| it.problem(memory))?;
            let missing = || bad("declares a table of latencies, but a latency is missing".into());
            return Ok(Kept::Latencies(latencies.ok_or_else(missing)?));
        };
        let found = self.pages(&[EDGE_CHANNEL, EDGE], memory)?;
        let most = found.last().map_or(0, Found::values);
        let misfit = || bad(MISFIT.into());
        if layout.edges() > most {
            return Err(misfit().into());
        }
        let current = match layout.knots() {
            Some(knots) => Some(self.current(&layout, knots, memory)?.ok_or_else(misfit)?),
            None => None,
        };
        let trace = self.trace(layout, found).map_err(|it| it.problem(memory))?;
        Ok(Kept::Edges(Trace { current, ..trace.ok_or_else(misfit)? }))
    }

    /// Reads the current that the metadata describe. Returns `None` if the columns do not match.
    fn current(
        &self,
        layout: &Layout,
        knots: u64,
        memory: MemoryLimit,
    ) -> Result<Option<Current>, At> {
        let found = self.pages(&[CHARGE_AT, CHARGE], memory)?;
        if found.iter().any(|column| column.values() < knots) {
            return Ok(None);
        }
        let mut read = Vec::new();
        for column in found {
            let values = self.numbers(vec![column]).map_err(|it| it.problem(memory))?;
            read.push(values.0);
        }
        let columns = <[Vec<i64>; 2]>::try_from(read).ok();
        Ok(columns.and_then(|[at_ns, charge_fc]| layout.current(&at_ns, &charge_fc)))
    }

    /// Finds the pages of these columns, and checks their declared sizes against the limit.
    fn pages(&self, columns: &[Expected], memory: MemoryLimit) -> Result<Vec<Found>, At> {
        let schema = self.footer.file_metadata().schema_descr();
        let (mut values, mut pages, mut unpacked_bytes) = (0, 0, 0);
        let (mut largest_bytes, mut found) = (0, Vec::new());
        for expected in columns {
            let index = expected.find(schema.columns())?;
            let mut groups = Vec::new();
            for group in self.footer.row_groups() {
                let chunk = group.columns().get(index).ok_or(Problem::DamagedRun)?;
                if !unpack::is_known(chunk.compression()) {
                    return Err(Problem::RunCompression {
                        column: expected.name,
                        found: format!("{:?}", chunk.compression()),
                    }
                    .into());
                }
                let most = memory.bytes() / Pages::BYTES_EACH - pages;
                let walked = Pages::walk(&self.source, self.length, chunk, most)
                    .map_err(|damage| damage.problem(memory))?;
                values += walked.values();
                pages += walked.count();
                unpacked_bytes += walked.unpacked_bytes();
                largest_bytes = walked.largest_bytes().max(largest_bytes);
                groups.push(walked);
            }
            found.push(Found { index, groups });
        }
        let needed_bytes = values * BYTES_PER_VALUE + pages * Pages::BYTES_EACH;
        let needed_bytes = needed_bytes.max(largest_bytes);
        if needed_bytes > memory.bytes() {
            return Err(Problem::RunTooLarge { values, needed_bytes, limit: memory }.into());
        }
        let allowed = memory.unpacked_bytes();
        if unpacked_bytes > allowed {
            return Err(Problem::TooLarge { found: unpacked_bytes, allowed, memory }.into());
        }
        Ok(found)
    }

    fn trace(&self, layout: Layout, found: Vec<Found>) -> Result<Option<Trace>, Damage> {
        let mut filling = layout.filling();
        let Ok([channels, instants]) = <[Found; 2]>::try_from(found) else { return Ok(None) };
        let (channel, instant) = (channels.index, instants.index);
        for (channels, instants) in channels.groups.into_iter().zip(instants.groups) {
            let mut channels = self.values::<Int32Type>(channel, channels);
            let mut instants = self.values::<Int64Type>(instant, instants);
            loop {
                let count = channels.fill()?.min(instants.fill()?);
                if count == 0 {
                    break;
                }
                for (&channel, &at_ns) in channels.left().iter().zip(instants.left()) {
                    if filling.push(channel, at_ns).is_none() {
                        return Ok(None);
                    }
                }
                channels.taken += count;
                instants.taken += count;
            }
            if !(channels.left().is_empty() && instants.left().is_empty()) {
                return Ok(None);
            }
        }
        Ok(filling.finish())
    }

    /// Returns `None` if a latency is missing.
    fn latencies(&self, found: Vec<Found>) -> Result<Option<Vec<i64>>, Damage> {
        let (latencies, has_nulls) = self.numbers(found)?;
        Ok((!has_nulls).then_some(latencies))
    }

    /// Reads the non-null values of these columns, and whether there are nulls.
    fn numbers(&self, found: Vec<Found>) -> Result<(Vec<i64>, bool), Damage> {
        let (mut numbers, mut has_nulls) = (Vec::new(), false);
        for Found { index, groups } in found {
            for pages in groups {
                let mut values = self.values::<Int64Type>(index, pages);
                while values.fill()? > 0 {
                    numbers.extend_from_slice(values.left());
                    values.taken += values.left().len();
                }
                has_nulls |= values.nulls;
            }
        }
        Ok((numbers, has_nulls))
    }

    fn values<T: DataType>(&self, column: usize, pages: Pages) -> Values<T> {
        let schema = self.footer.file_metadata().schema_descr();
        let column = schema.column(column);
        let levels = [column.max_rep_level(), column.max_def_level()].map(Levels::up_to);
        let reader = pages.reader(Arc::clone(&self.source), size_of::<T::T>(), levels);
        let reader = ColumnReaderImpl::new(column, Box::new(reader));
        let (values, depths, repeats) = Default::default();
        Values { reader, values, depths, repeats, taken: 0, nulls: false }
    }
}

fn footer<R: Read + Seek>(source: &Mutex<R>, length: u64) -> Result<ParquetMetaData, Damage> {
    let tail = length.checked_sub(TAIL_BYTES).ok_or(Damage::Contradiction)?;
    let bytes = pages::fetch(source, tail, TAIL_BYTES)?;
    let Some((&size, MAGIC)) = bytes.split_first_chunk() else {
        return Err(Damage::Contradiction);
    };
    let size = u64::from(u32::from_le_bytes(size));
    let begin = tail.checked_sub(size).filter(|begin| *begin >= MAGIC.len() as u64);
    let begin = begin.filter(|_| size <= LONGEST_FOOTER).ok_or(Damage::Contradiction)?;
    let footer = pages::fetch(source, begin, size)?;
    // The crate iterates over the declared length of a list, even without bytes for it.
    if !Structure::is_whole(&footer) {
        return Err(Damage::Contradiction);
    }
    Ok(ParquetMetaDataReader::decode_metadata(&footer)?)
}

/// A column to read.
struct Expected {
    name: &'static str,
    /// Type in words.
    kind: &'static str,
    physical: Type,
    repeats: i16,
}

const COMPLETION: Expected =
    Expected { name: "completion_ns", kind: "int64", physical: Type::INT64, repeats: 0 };
const EDGE_CHANNEL: Expected =
    Expected { name: "edge_channel", kind: "a list of uint8", physical: Type::INT32, repeats: 1 };
const EDGE: Expected =
    Expected { name: "edge_ns", kind: "a list of int64", physical: Type::INT64, repeats: 1 };
const CHARGE_AT: Expected = Expected { name: "charge_at_ns", ..EDGE };
const CHARGE: Expected = Expected { name: "charge_fc", ..EDGE };

impl Expected {
    /// Index among the columns of a file.
    fn find(&self, columns: &[Arc<ColumnDescriptor>]) -> Result<usize, Problem> {
        let wrong = |found: &str| Problem::RunColumn {
            column: self.name,
            found: found.into(),
            expected: self.kind,
        };
        let mut named = columns
            .iter()
            .enumerate()
            .filter(|(_, column)| column.path().parts().first().is_some_and(|n| n == self.name));
        let (index, column) = named.next().ok_or_else(|| wrong("missing"))?;
        if named.next().is_some() {
            return Err(wrong("of several parts"));
        }
        let integer = match (column.logical_type_ref(), self.physical) {
            (Some(LogicalType::Integer(_)), Type::INT32) | (None, _) => match self.physical {
                Type::INT32 => column.converted_type() == ConvertedType::UINT_8,
                _ => matches!(column.converted_type(), ConvertedType::NONE | ConvertedType::INT_64),
            },
            (Some(LogicalType::Integer(_)), _) => column.converted_type() == ConvertedType::INT_64,
            _ => false,
        };
        if column.physical_type() != self.physical
            || column.max_rep_level() != self.repeats
            || !integer
        {
            return Err(wrong("of another type"));
        }
        Ok(index)
    }
}

/// A column that was found.
struct Found {
    index: usize,
    groups: Vec<Pages>,
}

impl Found {
    /// Number of values in all its pages.
    fn values(&self) -> u64 {
        self.groups.iter().map(Pages::values).sum()
    }
}

/// Values of a column in a row group, in batches, without nulls and without the lists that contain them.
struct Values<T: DataType> {
    reader: ColumnReaderImpl<T>,
    values: Vec<T::T>,
    depths: Vec<i16>,
    repeats: Vec<i16>,
    /// Number of consumed values of the batch.
    taken: usize,
    /// Whether a null was read.
    nulls: bool,
}

impl<T: DataType> Values<T> {
    /// Values that are not consumed.
    fn left(&self) -> &[T::T] {
        &self.values[self.taken..]
    }

    /// Reads the next batch if all values are consumed. Returns the number of available values, 0 at the end.
    fn fill(&mut self) -> Result<usize, Damage> {
        while self.left().is_empty() {
            self.values.clear();
            self.depths.clear();
            self.repeats.clear();
            self.taken = 0;
            let (depths, repeats) = (Some(&mut self.depths), Some(&mut self.repeats));
            let (rows, values, levels) =
                self.reader.read_records(BATCH_ROWS, depths, repeats, &mut self.values)?;
            self.nulls |= values != levels;
            if rows == 0 {
                break;
            }
        }
        Ok(self.left().len())
    }
}

/// Description of the edges of a trace as JSON, for the metadata entry `trace`.
#[must_use]
pub fn layout(trace: &Trace) -> String {
    // Serialisation cannot fail: there are no maps, and rates are finite.
    serde_json::to_string(&Layout::of(trace)).unwrap_or_default()
}

#[cfg(test)]
mod tests;
