//! Zip archives from untrusted sources: several members unpacked in parallel, in bounded memory.
//!
//! The zip crate reads the directory. This module inflates the members, because the crate provides only one
//! reader at a time. Merging the channels of a `.sal` by time needs one reader per channel.

use std::cell::{Cell, RefCell};
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use flate2::bufread::DeflateDecoder;
use zip::{CompressionMethod, ZipArchive};

use crate::error::{At, Place, Problem};
use crate::memory::MemoryLimit;

/// Number of compressed bytes fetched at a time, per member.
const FETCH_BYTES: usize = 64 * 1024;

/// One file inside an archive.
#[derive(Clone, Debug)]
pub struct Member {
    /// Path inside the archive.
    pub name: String,
    data_start: u64,
    packed_bytes: u64,
    /// Declared size after unpacking, bytes.
    pub declared_bytes: u64,
    crc32: u32,
    deflated: bool,
}

/// An archive with concurrent readers for its members.
#[derive(Debug)]
pub struct Archive<R> {
    input: RefCell<R>,
    members: Vec<Member>,
    /// Number of bytes that may still be unpacked, for all members together.
    allowance: Cell<u64>,
    memory: MemoryLimit,
}

/// Converts an error of the zip crate.
fn damaged(cause: impl ToString) -> Problem {
    Problem::BadArchive { cause: cause.to_string() }
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the directory of an archive. `memory` limits its unpacked size.
    ///
    /// # Errors
    /// If the input is not an archive or is damaged.
    pub fn open(mut input: R, memory: MemoryLimit) -> Result<Self, At> {
        let mut directory = ZipArchive::new(&mut input).map_err(damaged)?;
        // Without this check, a member whose name is damaged only in the directory would be
        // silently ignored.
        directory.validate_header_consistency().map_err(damaged)?;
        let mut members = Vec::new();
        for index in 0..directory.len() {
            let entry = directory.by_index_raw(index).map_err(damaged)?;
            let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
            let deflated = match entry.compression() {
                CompressionMethod::Stored => false,
                CompressionMethod::Deflated => true,
                other => return Err(damaged(format!("{name:?} is packed as {other}")).into()),
            };
            if entry.encrypted() {
                return Err(damaged(format!("{name:?} is encrypted")).into());
            }
            let data_start = entry.data_start().ok_or_else(|| damaged("a member has no data"))?;
            members.push(Member {
                name,
                data_start,
                packed_bytes: entry.compressed_size(),
                declared_bytes: entry.size(),
                crc32: entry.crc32(),
                deflated,
            });
        }
        let allowance = Cell::new(memory.unpacked_bytes());
        Ok(Self { input: RefCell::new(input), members, allowance, memory })
    }

    /// Returns all members.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Returns the member with this name.
    pub fn member(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|m| m.name == name)
    }

    /// Starts unpacking a member.
    ///
    /// # Errors
    /// [`Problem::TooLarge`] if its declared size exceeds the remaining limit.
    pub fn unpack<'a>(&'a self, member: &'a Member) -> Result<Unpacked<'a, R>, At> {
        if member.declared_bytes > self.allowance.get() {
            let unpacked = self.memory.unpacked_bytes() - self.allowance.get();
            let found = member.declared_bytes.saturating_add(unpacked);
            let place = Place::Member(member.name.as_str().into(), None);
            return Err(self.too_large(found, self.memory.unpacked_bytes()).at(place));
        }
        let window = Window {
            input: &self.input,
            at: member.data_start,
            end: member.data_start.saturating_add(member.packed_bytes),
        };
        let packed = BufReader::with_capacity(FETCH_BYTES, window);
        let bytes = if member.deflated {
            Bytes::Deflated(DeflateDecoder::new(packed))
        } else {
            Bytes::Stored(packed)
        };
        Ok(Unpacked { archive: self, member, bytes, crc: crc32fast::Hasher::new(), unpacked: 0 })
    }

    fn too_large(&self, found: u64, allowed: u64) -> Problem {
        Problem::TooLarge { found, allowed, memory: self.memory }
    }

    /// Reads a small text member completely.
    ///
    /// # Errors
    /// If the member is absent, damaged, or larger than the memory limit permits for a text.
    pub fn whole(&self, name: &str, expected: &'static str) -> Result<Vec<u8>, At> {
        let limit = self.memory.text_bytes();
        let missing = || Problem::MissingMember { member: name.to_owned(), expected };
        let member = self.member(name).ok_or_else(missing)?;
        let place = || Place::Member(name.into(), None);
        let mut bytes = Vec::new();
        let mut unpacked = self.unpack(member)?.take(limit.saturating_add(1));
        unpacked.read_to_end(&mut bytes).map_err(|e| Problem::from_read(e).at(place()))?;
        if bytes.len() as u64 > limit {
            return Err(self.too_large(bytes.len() as u64, limit).at(place()));
        }
        Ok(bytes)
    }
}

/// Compressed bytes of one member, read from the shared file.
struct Window<'a, R> {
    input: &'a RefCell<R>,
    at: u64,
    end: u64,
}

impl<R: Read + Seek> Read for Window<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.end - self.at).unwrap_or(usize::MAX).min(into.len());
        if most == 0 {
            return Ok(0);
        }
        let mut input = self.input.borrow_mut();
        input.seek(SeekFrom::Start(self.at))?;
        let got = input.read(&mut into[..most])?;
        self.at += got as u64;
        Ok(got)
    }
}

enum Bytes<R: Read> {
    Stored(BufReader<R>),
    Deflated(DeflateDecoder<BufReader<R>>),
}

/// Contents of a member. The declared size and checksum are verified at the end.
pub struct Unpacked<'a, R: Read + Seek> {
    archive: &'a Archive<R>,
    member: &'a Member,
    bytes: Bytes<Window<'a, R>>,
    crc: crc32fast::Hasher,
    unpacked: u64,
}

impl<R: Read + Seek> Unpacked<'_, R> {
    /// Checks the number of unpacked bytes against the declared size and the limit.
    fn account(&mut self, got: &[u8]) -> Result<(), Problem> {
        self.unpacked += got.len() as u64;
        let left = self.archive.allowance.get().checked_sub(got.len() as u64);
        let left = left.ok_or_else(|| {
            let allowed = self.archive.memory.unpacked_bytes();
            self.archive.too_large(allowed.saturating_add(1), allowed)
        })?;
        self.archive.allowance.set(left);
        self.crc.update(got);
        let declared = self.member.declared_bytes;
        if self.unpacked > declared {
            return Err(damaged(format!(
                "{} unpacks to more than {declared} bytes",
                self.member.name
            )));
        }
        if got.is_empty() && self.unpacked < declared {
            let Self { unpacked, member, .. } = self;
            return Err(damaged(format!(
                "{} ends after {unpacked} of {declared} bytes",
                member.name
            )));
        }
        if got.is_empty() && self.crc.clone().finalize() != self.member.crc32 {
            return Err(damaged(format!("the checksum of {} does not match", self.member.name)));
        }
        Ok(())
    }
}

impl<R: Read + Seek> Read for Unpacked<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        let got = match &mut self.bytes {
            Bytes::Stored(bytes) => bytes.read(into),
            Bytes::Deflated(bytes) => bytes.read(into),
        };
        let got = got.map_err(|e| match e.kind() {
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                io::Error::other(damaged(format!("{}: {e}", self.member.name)))
            }
            io::ErrorKind::UnexpectedEof => {
                io::Error::other(damaged(format!("{} ends early", self.member.name)))
            }
            _ => e,
        })?;
        self.account(&into[..got]).map_err(io::Error::other)?;
        Ok(got)
    }
}

/// Whether the bytes start like a non-empty zip archive.
#[must_use]
pub fn looks_like(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04")
}

/// Reads until `into` is full or the input ends.
///
/// # Errors
/// Returns the errors of the input.
pub fn fill(input: &mut impl Read, into: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < into.len() {
        match input.read(&mut into[filled..]) {
            Ok(0) => break,
            Ok(got) => filled += got,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(filled)
}
