//! Pages of a column. Their declared sizes are added up before any page is unpacked.
//!
//! A series of equal values takes a few bytes in the file, but eight bytes per value in memory, so a file of
//! 300 KB may need 2 GB of memory. The number of values that the footer of the file states is not trusted.
//! The header of each page contains the number of values and the unpacked length of the page. A page that
//! does not unpack to exactly this length is rejected. The decoder of a page also rejects a page whose data
//! ends before all of its values are decoded.
//!
//! Layout: Apache Parquet format 2.10, `parquet.thrift`, `PageHeader`.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};
use std::vec::IntoIter;

use parquet::basic::{Compression, Encoding};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;

use super::thrift::Structure;
use super::unpack::unpack;
use super::{Damage, integers};

/// Longest accepted header of a page, bytes. A header that airlag writes has 100.
const LONGEST_HEADER: u64 = 64 << 10;
/// Smallest number of bytes read at once, enough for most headers.
const USUAL_HEADER: u64 = 1 << 10;

/// A file that several columns read in turn.
pub(super) type Shared<R> = Arc<Mutex<R>>;

/// Reads up to `length` bytes from an offset.
pub(super) fn fetch<R: Read + Seek>(
    source: &Mutex<R>,
    at: u64,
    length: u64,
) -> io::Result<Vec<u8>> {
    let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
    source.seek(SeekFrom::Start(at))?;
    // The callers have checked that the file is long enough.
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    source.by_ref().take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Kind of a page, from its header.
#[derive(Clone, Copy)]
enum Kind {
    Dictionary { values: u32 },
    Data { values: u32, levels: [Encoding; 2] },
    DataV2 { values: u32, nulls: u32, rows: u32, levels_bytes: [u32; 2], packed: bool },
}

/// Header of an unread page.
#[derive(Clone, Copy)]
struct Header {
    kind: Kind,
    encoding: Encoding,
    /// Offset and length of its content.
    at: u64,
    packed_bytes: u64,
    unpacked_bytes: usize,
}

/// Pages of one column chunk.
pub(super) struct Pages {
    headers: Vec<Header>,
    compression: Compression,
}

impl Pages {
    /// Memory per page in this list, bytes.
    pub const BYTES_EACH: u64 = size_of::<Header>() as u64;

    /// Reads the header of every page of a chunk in a file of `length` bytes.
    pub fn walk<R: Read + Seek>(
        source: &Mutex<R>,
        length: u64,
        chunk: &ColumnChunkMetaData,
        most: u64,
    ) -> Result<Self, Damage> {
        let data = chunk.data_page_offset();
        // Some writers store 0 instead of no offset.
        let begin = chunk.dictionary_page_offset().filter(|at| *at > 0).unwrap_or(data).min(data);
        let begin = u64::try_from(begin).map_err(|_| Damage::Contradiction)?;
        let packed_bytes = u64::try_from(chunk.compressed_size()).ok();
        let end = packed_bytes.and_then(|bytes| begin.checked_add(bytes));
        let end = end.filter(|end| *end <= length).ok_or(Damage::Contradiction)?;
        let (mut at, mut headers) = (begin, Vec::new());
        while at < end {
            if headers.len() as u64 >= most {
                return Err(Damage::Pages);
            }
            let (structure, taken) = Self::header(source, at, end)?;
            at += taken;
            let packed_bytes = structure.whole(3).ok_or(Damage::Contradiction)?;
            if packed_bytes > end - at {
                return Err(Damage::Contradiction);
            }
            if let Some(header) = Header::of(&structure, at, packed_bytes)? {
                headers.push(header);
            }
            at += packed_bytes;
        }
        Ok(Self { headers, compression: chunk.compression() })
    }

    fn header<R: Read + Seek>(
        source: &Mutex<R>,
        at: u64,
        end: u64,
    ) -> Result<(Structure, u64), Damage> {
        for most in [USUAL_HEADER, LONGEST_HEADER] {
            let bytes = fetch(source, at, most.min(end - at))?;
            if let Some((structure, taken)) = Structure::read(&bytes) {
                return Ok((structure, taken as u64));
            }
        }
        Err(Damage::Contradiction)
    }

    /// Number of values in all pages, including those in lists.
    pub fn values(&self) -> u64 {
        self.headers.iter().map(|header| u64::from(header.values())).sum()
    }

    /// Number of pages.
    pub fn count(&self) -> u64 {
        self.headers.len() as u64
    }

    /// Unpacked length of the largest page.
    pub fn largest_bytes(&self) -> u64 {
        self.headers.iter().map(|header| header.unpacked_bytes as u64).max().unwrap_or(0)
    }

    /// Unpacked length of all pages. Several pages may refer to the same bytes of the file.
    pub fn unpacked_bytes(&self) -> u64 {
        self.headers.iter().map(|header| header.unpacked_bytes as u64).sum()
    }

    /// Reads and unpacks the pages one by one. Values have `width` bytes. A page starts with the levels of
    /// repetition and of definition.
    pub fn reader<R>(self, source: Shared<R>, width: usize, levels: [Levels; 2]) -> Reader<R> {
        let headers = self.headers.into_iter();
        Reader { source, headers, compression: self.compression, width, levels }
    }
}

impl Header {
    /// Returns `None` for an index page, which has no values.
    fn of(page: &Structure, at: u64, packed_bytes: u64) -> Result<Option<Self>, Damage> {
        let unpacked_bytes = whole(page, 2)? as usize;
        let (kind, encoding) = if let Some(data) = page.structure(5) {
            let levels = [encoding(data, 3)?, encoding(data, 4)?];
            (Kind::Data { values: whole(data, 1)?, levels }, encoding(data, 2)?)
        } else if let Some(data) = page.structure(8) {
            let kind = Kind::DataV2 {
                values: whole(data, 1)?,
                nulls: whole(data, 2)?,
                rows: whole(data, 3)?,
                levels_bytes: [whole(data, 5)?, whole(data, 6)?],
                packed: data.flag(7).unwrap_or(true),
            };
            (kind, encoding(data, 4)?)
        } else if let Some(dictionary) = page.structure(7) {
            (Kind::Dictionary { values: whole(dictionary, 1)? }, encoding(dictionary, 2)?)
        } else {
            return Ok(None);
        };
        Ok(Some(Self { kind, encoding, at, packed_bytes, unpacked_bytes }))
    }

    /// Number of values of the column, without those of a dictionary.
    fn values(&self) -> u32 {
        match self.kind {
            Kind::Dictionary { .. } => 0,
            Kind::Data { values, .. } | Kind::DataV2 { values, .. } => values,
        }
    }
}

fn whole(structure: &Structure, number: i64) -> Result<u32, Damage> {
    let value = structure.whole(number).and_then(|value| i32::try_from(value).ok());
    value.map(i32::cast_unsigned).ok_or(Damage::Contradiction)
}

/// Supported encodings of integers and levels. Pages with others are rejected.
fn encoding(structure: &Structure, number: i64) -> Result<Encoding, Damage> {
    match structure.whole(number) {
        Some(0) => Ok(Encoding::PLAIN),
        Some(2) => Ok(Encoding::PLAIN_DICTIONARY),
        Some(3) => Ok(Encoding::RLE),
        Some(5) => Ok(Encoding::DELTA_BINARY_PACKED),
        Some(8) => Ok(Encoding::RLE_DICTIONARY),
        Some(9) => Ok(Encoding::BYTE_STREAM_SPLIT),
        _ => Err(Damage::Contradiction),
    }
}

/// Passes pages to the decoder of a column.
pub(super) struct Reader<R> {
    source: Shared<R>,
    headers: IntoIter<Header>,
    compression: Compression,
    width: usize,
    levels: [Levels; 2],
}

/// Levels of one kind in a column: how deep a value repeats, or is defined.
#[derive(Clone, Copy)]
pub(super) struct Levels {
    width_bits: u32,
}

impl Levels {
    /// Creates a reader of levels from 0 to `largest`. If `largest` is 0, a page contains no
    /// levels.
    pub fn up_to(largest: i16) -> Self {
        let largest = largest.max(0).cast_unsigned();
        Self { width_bits: u16::BITS - largest.leading_zeros() }
    }
}

impl<R: Read + Seek> Reader<R> {
    /// Checks the levels of a data page, and returns the offset of its values. Returns `None` for a page that
    /// is too short, and for levels that the decoder cannot read.
    fn values_at(&self, header: Header, page: &[u8]) -> Option<usize> {
        let mut at = 0;
        for (nth, Levels { width_bits }) in self.levels.into_iter().enumerate() {
            let length = match header.kind {
                // The lengths in the header begin with the definition levels, while the page begins
                // with the repetition levels.
                Kind::DataV2 { levels_bytes, .. } => levels_bytes[1 - nth],
                _ if width_bits == 0 => 0,
                _ => {
                    let length = page.get(at..)?.first_chunk().copied().map(u32::from_le_bytes)?;
                    at += 4;
                    length
                }
            };
            let levels = page.get(at..)?.get(..length as usize)?;
            let declared = header.values().into();
            if width_bits > 0 && !integers::runs(levels, width_bits.into(), declared) {
                return None;
            }
            at += levels.len();
        }
        Some(at)
    }

    /// Checks that the decoder can read the values of a page. Returns the page with its encoding for the
    /// decoder.
    fn checked(&self, header: Header, mut page: Vec<u8>) -> Result<(Encoding, Vec<u8>), Damage> {
        let Header { kind, encoding, .. } = header;
        if matches!(kind, Kind::Dictionary { .. }) {
            // A dictionary is encoded plainly, whatever encoding its header names.
            let is_plain = encoding != Encoding::DELTA_BINARY_PACKED;
            return if is_plain { Ok((encoding, page)) } else { Err(Damage::Contradiction) };
        }
        let at = self.values_at(header, &page).ok_or(Damage::Contradiction)?;
        let values = &page[at..];
        match encoding {
            Encoding::DELTA_BINARY_PACKED => {
                let found = integers::differences(values).ok_or(Damage::Contradiction)?;
                if found == 0 {
                    // The decoder of differences would underflow if the levels declared values.
                    page.truncate(at);
                    return Ok((Encoding::PLAIN, page));
                }
            }
            Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY => {
                // The first byte is the bit width of the indices that follow.
                if let Some((&width_bits, indices)) = values.split_first()
                    && !integers::runs(indices, width_bits.into(), header.values().into())
                {
                    return Err(Damage::Contradiction);
                }
            }
            _ => {}
        }
        Ok((encoding, page))
    }

    fn read(&self, header: Header) -> Result<Page, Damage> {
        let Header { kind, at, packed_bytes, unpacked_bytes, .. } = header;
        let content = fetch(&self.source, at, packed_bytes)?;
        if content.len() as u64 != packed_bytes {
            return Err(Damage::Contradiction);
        }
        // In the second version, levels come first and are never compressed.
        let (plain, packed) = match kind {
            Kind::DataV2 { levels_bytes: [one, other], packed, .. } => {
                (one as usize + other as usize, packed)
            }
            _ => (0, true),
        };
        let buf = if packed && self.compression != Compression::UNCOMPRESSED {
            let rest = unpacked_bytes.checked_sub(plain).ok_or(Damage::Contradiction)?;
            let (levels, values) = content.split_at_checked(plain).ok_or(Damage::Contradiction)?;
            let unpacked = match (rest, values.len()) {
                // The page contains only nulls. Some writers do not compress an empty page.
                (0, _) => Vec::new(),
                _ => unpack(self.compression, values, rest).ok_or(Damage::Contradiction)?,
            };
            if plain == 0 { unpacked } else { [levels, &unpacked].concat() }
        } else {
            content
        };
        if buf.len() != unpacked_bytes || plain > unpacked_bytes {
            return Err(Damage::Contradiction);
        }
        let (encoding, buf) = self.checked(header, buf)?;
        let (length, buf, statistics) = (buf.len(), buf.into(), None);
        Ok(match kind {
            // The decoder allocates the declared number.
            Kind::Dictionary { values } if values as usize > length / self.width => {
                return Err(Damage::Contradiction);
            }
            Kind::Dictionary { values: num_values } => {
                Page::DictionaryPage { buf, num_values, encoding, is_sorted: false }
            }
            Kind::Data { values, levels: [def_level_encoding, rep_level_encoding] } => {
                Page::DataPage {
                    buf,
                    num_values: values,
                    encoding,
                    def_level_encoding,
                    rep_level_encoding,
                    statistics,
                }
            }
            Kind::DataV2 { values, nulls, rows, levels_bytes: [def, rep], packed } => {
                Page::DataPageV2 {
                    buf,
                    num_values: values,
                    encoding,
                    num_nulls: nulls,
                    num_rows: rows,
                    def_levels_byte_len: def,
                    rep_levels_byte_len: rep,
                    is_compressed: packed,
                    statistics,
                }
            }
        })
    }
}

impl<R: Read + Seek + Send> PageReader for Reader<R> {
    fn get_next_page(&mut self) -> Result<Option<Page>, ParquetError> {
        let Some(header) = self.headers.next() else { return Ok(None) };
        self.read(header).map(Some).map_err(|damage| ParquetError::External(Box::new(damage)))
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>, ParquetError> {
        Ok(self.headers.as_slice().first().map(|header| PageMetadata {
            num_rows: match header.kind {
                Kind::DataV2 { rows, .. } => Some(rows as usize),
                _ => None,
            },
            num_levels: Some(header.values() as usize),
            is_dict: matches!(header.kind, Kind::Dictionary { .. }),
        }))
    }

    fn skip_next_page(&mut self) -> Result<(), ParquetError> {
        self.headers.next();
        Ok(())
    }
}

impl<R: Read + Seek + Send> Iterator for Reader<R> {
    type Item = Result<Page, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}
