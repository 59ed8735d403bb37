//! Packets of one direction, written to disk during the emulation. Memory use does not grow with the number of
//! packets, and an emulation that is killed loses at most the last second.
//!
//! ```text
//!  file    | magic 8 | block | block | …
//!  block   | length 4 | CRC-32 4 | kind 1 | content |        length and CRC are of kind and content
//!  kind 0  JSON: the emulation's parameters, as given by the caller
//!  kind 1  events of 16 bytes: | what 8 | at 8 |             what: packet number; bit 63: it arrived
//!  kind 2  JSON: the [`Tally`]; the last one is valid
//! ```
//!
//! Numbers in the file are little-endian. Times are in ns since the bench was ready. Packets are numbered from
//! 0 in the order in which they were offered to the link. A reader stops at the first truncated or damaged
//! block; all blocks before that block are intact.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::Path;
use std::time::{Duration as Wall, Instant as WallInstant};

use airlag_sim::Duration;
use serde::{Deserialize, Serialize};

use crate::late::Lateness;

/// Magic number of every journal.
pub const MAGIC: &[u8; 8] = b"airlagJ1";
/// Interval of writes to the file.
const INTERVAL: Wall = Wall::from_millis(250);
/// Size of the event buffer, bytes.
const ROOM: usize = 1 << 16;
/// Maximum length of a block, bytes.
const LONGEST: u32 = 1 << 20;
/// Flag in the number of an event: the packet arrived.
const ARRIVED: u64 = 1 << 63;
/// Packets that have not arrived this long after they left their queue are lost, ns.
pub(crate) const LOST_AFTER_NS: u64 = 20_000_000_000;
/// Arrival time of a packet that has not arrived.
pub const NONE: i64 = i64::MIN;

/// Kinds of blocks.
const ABOUT: u8 = 0;
const EVENTS: u8 = 1;
const TALLY: u8 = 2;

/// Scheduling delay of the emulator.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Late {
    /// Packets delivered.
    pub n: u64,
    /// Median, ns.
    pub p50: u64,
    /// 99th percentile, ns.
    pub p99: u64,
    /// Maximum, ns.
    pub max: u64,
    /// Packets delivered later than [`crate::late::MARKED_NS`].
    pub marked: u64,
}

impl Late {
    fn of(late: &Lateness) -> Self {
        Self {
            n: late.count(),
            p50: late.quantile_ns(0.5),
            p99: late.quantile_ns(0.99),
            max: late.most_ns(),
            marked: late.marked(),
        }
    }
}

/// Counts of one direction, and of the whole emulation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Elapsed virtual time, ns.
    pub elapsed_ns: u64,
    /// Drain time: further virtual time without new packets, ns.
    pub drained_ns: u64,
    /// Packets waiting for the link at the end.
    pub waiting: u64,
    /// Packets dropped because the queue was full or the packet too long.
    pub refused: u64,
    /// Bytes offered, and bytes delivered.
    pub bytes: [u64; 2],
    /// Scheduling delay, both directions together.
    pub late: Late,
    /// Named events of the link with counts, both directions together.
    pub incidents: BTreeMap<String, u32>,
}

impl Tally {
    pub(crate) fn with_late(self, late: &Lateness) -> Self {
        Self { late: Late::of(late), ..self }
    }
}

/// Outcome of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The packet arrived.
    Arrived,
    /// The packet was lost.
    Lost,
    /// The packet was waiting or in transit at the end.
    InFlight,
}

/// Packets of one direction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OneWay {
    /// Parameters of the emulation, as the caller wrote them.
    pub about: String,
    /// Time at which each packet was offered, in order, ns. Empty for byte streams.
    pub offered_ns: Vec<i64>,
    /// Time at which each packet arrived, ns, or [`NONE`].
    pub arrived_ns: Vec<i64>,
    /// Counts.
    pub tally: Tally,
}

impl OneWay {
    /// Outcome of each packet. A packet that arrived after the end counts as in flight.
    pub fn outcomes(&self) -> impl Iterator<Item = Outcome> + '_ {
        let Tally { elapsed_ns, drained_ns, waiting, .. } = self.tally;
        let count = self.offered_ns.len();
        let in_time = move |&at: &i64| at != NONE && at <= elapsed_ns as i64;
        let open_from = self.arrived_ns.iter().rposition(in_time).map_or(0, |last| last + 1);
        let waits_from = count.saturating_sub(waiting as usize);
        let until = (elapsed_ns + drained_ns) as i64;
        let pairs = self.offered_ns.iter().zip(&self.arrived_ns).enumerate();
        pairs.map(move |(nth, (offered, arrived))| match arrived {
            at if in_time(at) => Outcome::Arrived,
            &NONE if nth < open_from => Outcome::Lost,
            &NONE if nth < waits_from && until - offered >= LOST_AFTER_NS as i64 => Outcome::Lost,
            _ => Outcome::InFlight,
        })
    }

    fn event(&mut self, what: u64, at: u64) {
        let Ok(at) = i64::try_from(at) else { return };
        if what & ARRIVED == 0 {
            self.offered_ns.push(at);
            self.arrived_ns.push(NONE);
        } else if let Some(arrived) = self.arrived_ns.get_mut((what & !ARRIVED) as usize) {
            *arrived = at;
        }
    }
}

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    file: File,
    events: Vec<u8>,
    offered: u64,
    written: WallInstant,
}

impl Journal {
    /// Creates the file. An existing file is replaced only if `force` is set.
    ///
    /// # Errors
    ///
    /// File system errors. [`io::ErrorKind::AlreadyExists`] if the file exists.
    pub fn create(path: &Path, about: &str, force: bool) -> io::Result<Self> {
        Self::begin(open(path, force)?, about)
    }

    /// Creates an unnamed journal in the folder for temporary files. The file is removed when the process
    /// ends.
    ///
    /// # Errors
    ///
    /// File system errors.
    pub fn scratch(about: &str) -> io::Result<Self> {
        Self::begin(tempfile::tempfile()?, about)
    }

    fn begin(mut file: File, about: &str) -> io::Result<Self> {
        file.write_all(MAGIC)?;
        file.write_all(&block(ABOUT, about.as_bytes()))?;
        let events = Vec::with_capacity(ROOM);
        Ok(Self { file, events, offered: 0, written: WallInstant::now() })
    }

    /// Number of packets offered so far.
    #[must_use]
    pub const fn offered_so_far(&self) -> u64 {
        self.offered
    }

    /// Records that the next packet was offered.
    ///
    /// # Errors
    ///
    /// File system errors.
    pub fn offered(&mut self, at: Duration) -> io::Result<()> {
        let nth = self.offered;
        self.offered += 1;
        self.event(nth, at)
    }

    /// Records that packet `nth` arrived.
    ///
    /// # Errors
    ///
    /// File system errors.
    pub fn arrived(&mut self, nth: u64, at: Duration) -> io::Result<()> {
        self.event(nth | ARRIVED, at)
    }

    fn event(&mut self, what: u64, at: Duration) -> io::Result<()> {
        self.events.extend_from_slice(&what.to_le_bytes());
        self.events.extend_from_slice(&at.as_ns().to_le_bytes());
        if self.events.len() >= ROOM { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.events.is_empty() {
            self.file.write_all(&block(EVENTS, &self.events))?;
            self.events.clear();
        }
        Ok(())
    }

    /// Whether a [`Self::tally`] is due.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.written.elapsed() >= INTERVAL
    }

    /// Writes the buffered events and the counts so far.
    ///
    /// # Errors
    ///
    /// File system errors.
    pub fn tally(&mut self, tally: &Tally) -> io::Result<()> {
        self.flush()?;
        self.written = WallInstant::now();
        let text = serde_json::to_vec(tally)?;
        self.file.write_all(&block(TALLY, &text))
    }

    /// Writes the final counts and reads the journal back.
    ///
    /// # Errors
    ///
    /// File system errors.
    pub fn finish(mut self, tally: &Tally) -> io::Result<OneWay> {
        self.tally(tally)?;
        self.file.rewind()?;
        read(self.file)
    }
}

/// Creates a file to write and read back. An existing file is replaced only if `force` is set.
pub(crate) fn open(path: &Path, force: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    if force {
        options.create(true).truncate(true)
    } else {
        options.create_new(true)
    };
    options.open(path)
}

pub(crate) fn block(kind: u8, content: &[u8]) -> Vec<u8> {
    let mut block = Vec::with_capacity(9 + content.len());
    let mut crc = crc32fast::Hasher::new();
    crc.update(&[kind]);
    crc.update(content);
    block.extend_from_slice(&(content.len() as u32 + 1).to_le_bytes());
    block.extend_from_slice(&crc.finalize().to_le_bytes());
    block.push(kind);
    block.extend_from_slice(content);
    block
}

/// Reads the next block, with its kind. Returns `false` at the end, or if the block is truncated or damaged.
pub(crate) fn next(from: &mut impl Read, block: &mut Vec<u8>) -> io::Result<bool> {
    block.clear();
    from.take(8).read_to_end(block)?;
    let Some((&[a, b, c, d, crc @ ..], _)) = block.split_first_chunk::<8>() else {
        return Ok(false);
    };
    let length = u32::from_le_bytes([a, b, c, d]);
    if !(1..=LONGEST).contains(&length) {
        return Ok(false);
    }
    block.clear();
    from.take(length.into()).read_to_end(block)?;
    Ok(block.len() == length as usize && crc32fast::hash(block) == u32::from_le_bytes(crc))
}

/// Reads the intact part of a journal.
///
/// # Errors
///
/// File system errors, and [`io::ErrorKind::InvalidData`] if the file is not a journal.
pub fn read(from: impl Read) -> io::Result<OneWay> {
    let (mut from, mut one_way) = (BufReader::new(from), OneWay::default());
    let no_journal = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let mut magic = Vec::new();
    from.by_ref().take(8).read_to_end(&mut magic)?;
    if magic != MAGIC {
        return Err(no_journal("not a journal of airlag emulate"));
    }
    let mut block = Vec::new();
    while next(&mut from, &mut block)? {
        match block.split_first() {
            Some((&ABOUT, about)) => one_way.about = String::from_utf8_lossy(about).into_owned(),
            Some((&EVENTS, events)) => {
                let (events, _) = events.as_chunks::<16>();
                for event in events {
                    let ([what, at], _) = event.as_chunks::<8>() else { continue };
                    one_way.event(u64::from_le_bytes(*what), u64::from_le_bytes(*at));
                }
            }
            Some((&TALLY, text)) => {
                let Ok(tally) = serde_json::from_slice(text) else { break };
                one_way.tally = tally;
            }
            _ => break,
        }
    }
    if one_way.about.is_empty() {
        return Err(no_journal("the first block of the journal is missing"));
    }
    // Events after the last counts are valid, too.
    let ns = |at: &i64| u64::try_from(*at).unwrap_or(0);
    let last = one_way.offered_ns.last().map_or(0, ns);
    one_way.tally.elapsed_ns = one_way.tally.elapsed_ns.max(last).min(i64::MAX as u64 / 2);
    one_way.tally.drained_ns = one_way.tally.drained_ns.min(i64::MAX as u64 / 2);
    Ok(one_way)
}

#[cfg(test)]
mod tests;
