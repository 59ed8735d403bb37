//! `digital-N.bin`, version 1: the samples of one channel as runs of constant level.
//!
//! Little-endian, packed:
//!
//! ```text
//! "<SALEAE>"  u32 version = 1  u32 type = 100  u8 = 1 (meaning unknown)
//! f64 samples per second  u64 start, Unix ms  f64 fraction of that ms
//! u8 flag (+ u64 first sample shown)  u8 flag (+ u64 last sample shown)
//! u64 chunks, then each:
//!   u64 first sample  u64 sample after the last  u64 samples  u64 samples per second
//!   u64 = 1 (meaning unknown)  u64 bytes, then that many: runs
//!   u64 index entries, then each: u64 sample in the chunk  u64 byte in the runs  u32 level
//! ```
//!
//! A run is a series of consecutive samples with the same level. Each run is stored as a number: its length
//! in samples minus one. The number has 6 bits in its first byte and 7 bits in each further byte, most
//! significant bits first. Bit 6 of the first byte and bit 7 of each further byte indicate that another byte
//! follows. The level alternates from run to run. The level of the first run of a chunk is in entry 0 of the
//! chunk's index. This level also reveals an edge between two chunks.

use std::io::{Read, Seek};

use crate::archive::Unpacked;
use crate::error::{At, Problem};
use crate::fields::Fields;
use crate::grid::Grid;
use crate::wires::{BATCH, Step, Wire};

const VERSION: u32 = 1;
const TYPE: u32 = 100;
/// Largest number of samples per chunk. Logic 2 has chunks of 33 ms, with 16.7 million samples at its highest
/// rate. A run has at least one sample per byte, so this also limits the memory.
const CHUNK_LIMIT: u64 = 32 << 20;
/// Bytes of a run that counts up to [`CHUNK_LIMIT`], with a margin.
const RUN_BYTES_LIMIT: usize = 8;

/// Decoder of one channel.
pub(super) struct Digital<'a, R: Read + Seek> {
    fields: Fields<Unpacked<'a, R>>,
    grid: Grid,
    start_unix_ns: i64,
    origin_ns: i64,
    /// First sample shown.
    first: u64,
    /// Sample after the last one shown, if the capture was trimmed.
    cut: Option<u64>,
    chunks_left: u64,
    chunk: Chunk,
    most_bytes: u64,
    runs: Vec<u8>,
    /// Number of decoded bytes of `runs`.
    decoded: usize,
    /// Sample at which the current run starts.
    sample: u64,
    /// Level of the current run.
    level: bool,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The header of the first chunk was read, but not its runs.
    Opened,
    /// In a chunk before the first sample shown.
    Before,
    Shown,
    Ended,
}

#[derive(Clone, Copy, Default)]
struct Chunk {
    begin: u64,
    end: u64,
    run_bytes: u64,
}

fn unlike(what: &'static str, found: impl ToString, expected: impl ToString) -> Problem {
    Problem::BadField { what, found: found.to_string(), expected: expected.to_string() }
}

impl<'a, R: Read + Seek> Digital<'a, R> {
    /// Reads up to the runs of the first chunk. At most `most_bytes` of each chunk are stored.
    pub fn open(input: Unpacked<'a, R>, member: &str, most_bytes: u64) -> Result<Self, At> {
        let mut fields = Fields::new(input, Some(member.into()));
        let what = "the header of a channel";
        if fields.tag(what)? != *b"<SALEAE>" {
            let found = "another identifier".to_owned();
            return Err(fields.at(Problem::BadHeader { found, expected: "<SALEAE>" }));
        }
        let version = fields.u32(what)?;
        if version != VERSION {
            let (what, found) = ("digital-N.bin", version.to_string());
            let supported = "1; export the capture as CSV or binary instead";
            return Err(fields.at(Problem::UnknownVersion { what, found, supported }));
        }
        let kind = fields.u32(what)?;
        if kind != TYPE {
            return Err(fields.at(unlike("the type", kind, "100, digital")));
        }
        let constant = fields.u8(what)?;
        if constant != 1 {
            return Err(fields.at(unlike("the byte after the type", constant, 1)));
        }
        let rate = fields.f64(what)?;
        // A rate with a fraction would not survive a round-trip conversion.
        let grid = Grid::new(rate as u64).filter(|grid| grid.rate_hz() as f64 == rate);
        let grid = grid.ok_or_else(|| {
            fields.at(unlike("the sample rate", rate, "a whole number from 1 to 1e9"))
        })?;
        let unix_ms = fields.u64(what)?;
        let unix_ns = i64::try_from(unix_ms).ok().and_then(|ms| ms.checked_mul(1_000_000));
        let unix_ns = unix_ns.ok_or_else(|| {
            fields.at(Problem::TimeRange { found: format!("{unix_ms} ms since 1970") })
        })?;
        let fraction = fields.f64(what)?;
        if !(0.0..1.0).contains(&fraction) {
            return Err(fields.at(unlike("the fraction of a millisecond", fraction, "0 to 1")));
        }
        let start_unix_ns = unix_ns + (fraction * 1e6).round() as i64;
        let first_shown = Self::optional(&mut fields)?;
        let last_shown = Self::optional(&mut fields)?;
        let chunks_left = fields.u64(what)?;
        if chunks_left == 0 {
            return Err(fields.at(unlike("the number of chunks", 0, "at least 1")));
        }
        let mut digital = Self {
            fields,
            grid,
            start_unix_ns,
            origin_ns: 0,
            first: 0,
            cut: None,
            chunks_left,
            chunk: Chunk::default(),
            most_bytes,
            runs: Vec::new(),
            decoded: 0,
            sample: 0,
            level: false,
            state: State::Opened,
        };
        digital.chunk = digital.chunk_header()?;
        digital.first = first_shown.unwrap_or(0).max(digital.chunk.begin);
        digital.cut = last_shown.map(|last| last.saturating_add(1));
        if digital.cut.is_some_and(|cut| cut <= digital.first) {
            let (last, first) = (last_shown.unwrap_or(0), digital.first);
            let problem = unlike("the last sample shown", last, format!("at least {first}"));
            return Err(digital.fields.at(problem));
        }
        digital.instant_checked(digital.first)?;
        Ok(digital)
    }

    /// Reads a flag and, if set, a number.
    fn optional(fields: &mut Fields<Unpacked<'a, R>>) -> Result<Option<u64>, At> {
        let what = "the header of a channel";
        match fields.u8(what)? {
            0 => Ok(None),
            1 => Ok(Some(fields.u64(what)?)),
            other => Err(fields.at(unlike("a trim flag", other, "0 or 1"))),
        }
    }

    /// Time of the first sample shown, ns from the start of the capture.
    pub fn begin_ns(&self) -> i64 {
        self.grid.instant(self.first)
    }

    pub fn sample_rate_hz(&self) -> f64 {
        self.grid.rate_hz() as f64
    }

    /// Sets instant 0 to `origin_ns`. Returns its wall-clock time, which must equal `expected`.
    pub fn start_at(&mut self, origin_ns: i64, expected: Option<i64>) -> Result<i64, At> {
        self.origin_ns = origin_ns;
        let epoch = self.start_unix_ns.checked_add(origin_ns).ok_or_else(|| {
            let found = format!("{origin_ns} ns after the start");
            self.fields.at(Problem::TimeRange { found })
        })?;
        match expected {
            Some(expected) if expected != epoch => {
                let what = "the start of the capture, in ns since 1970,";
                Err(self.fields.at(unlike(what, epoch, format!("{expected} as in other channels"))))
            }
            _ => Ok(epoch),
        }
    }

    fn instant_checked(&self, sample: u64) -> Result<i64, At> {
        self.grid.checked(sample).map_err(|problem| self.fields.at(problem))
    }

    fn chunk_header(&mut self) -> Result<Chunk, At> {
        let what = "a chunk header";
        let begin = self.fields.u64(what)?;
        if self.state != State::Opened && begin != self.chunk.end {
            let problem = unlike("the first sample of a chunk", begin, self.chunk.end);
            return Err(self.fields.at(problem));
        }
        let end = self.fields.u64(what)?;
        if end <= begin || end - begin > CHUNK_LIMIT {
            let expected = format!("up to {CHUNK_LIMIT} more than the first, {begin}");
            return Err(self.fields.at(unlike("the end of a chunk", end, expected)));
        }
        self.instant_checked(end)?;
        let length = self.fields.u64(what)?;
        if length != end - begin {
            let problem = unlike("the length of a chunk", length, end - begin);
            return Err(self.fields.at(problem));
        }
        let rate = self.fields.u64(what)?;
        if rate != self.grid.rate_hz() {
            let problem = unlike("the sample rate of a chunk", rate, self.grid.rate_hz());
            return Err(self.fields.at(problem));
        }
        let constant = self.fields.u64(what)?;
        if constant != 1 {
            return Err(self.fields.at(unlike("the number after the rate", constant, 1)));
        }
        let run_bytes = self.fields.u64(what)?;
        if run_bytes > length {
            let expected = format!("at most one a sample, {length}");
            return Err(self.fields.at(unlike("the bytes of a chunk", run_bytes, expected)));
        }
        if run_bytes > self.most_bytes {
            let expected = format!("at most {}; raise --memory", self.most_bytes);
            return Err(self.fields.at(unlike("the bytes of a chunk", run_bytes, expected)));
        }
        self.chunks_left -= 1;
        Ok(Chunk { begin, end, run_bytes })
    }

    /// Reads the runs of the current chunk. Returns its initial level.
    fn load(&mut self) -> Result<bool, At> {
        self.fields.copy(&mut self.runs, self.chunk.run_bytes, "the runs of a chunk")?;
        let what = "the index of a chunk";
        let entries = self.fields.u64(what)?;
        if entries == 0 {
            return Err(self.fields.at(unlike("the number of index entries", 0, "at least 1")));
        }
        let (sample, byte) = (self.fields.u64(what)?, self.fields.u64(what)?);
        if (sample, byte) != (0, 0) {
            let found = format!("sample {sample}, byte {byte}");
            return Err(self.fields.at(unlike("index entry 0", found, "sample 0, byte 0")));
        }
        let level = self.fields.u32(what)?;
        if level > 1 {
            return Err(self.fields.at(unlike("the level of a chunk", level, "0 or 1")));
        }
        self.fields.skip((entries - 1).saturating_mul(20), what)?;
        (self.decoded, self.sample) = (0, self.chunk.begin);
        Ok(level == 1)
    }

    /// Length of the run at `decoded`, and the position of the next one.
    #[inline]
    fn run(&self) -> Option<(u64, usize)> {
        let first = *self.runs.get(self.decoded)?;
        let mut value = u64::from(first & 0x3f);
        let mut next = self.decoded + 1;
        if first & 0x40 != 0 {
            loop {
                let byte = *self.runs.get(next)?;
                next += 1;
                value = value << 7 | u64::from(byte & 0x7f);
                if byte & 0x80 == 0 {
                    break;
                }
                if next - self.decoded >= RUN_BYTES_LIMIT {
                    return None;
                }
            }
        }
        (first & 0x80 == 0).then_some((value + 1, next))
    }

    fn bad_runs(&self, found: impl ToString, expected: impl ToString) -> At {
        self.fields.at(unlike("the runs of a chunk", found, expected))
    }

    /// Decodes runs of the chunk until the batch is full or only the last run is left. Returns
    /// whether only the last one is left.
    fn decode(&mut self, edges: &mut Vec<i64>) -> Result<bool, At> {
        let shown = self.cut.unwrap_or(u64::MAX);
        let full = edges.len() + BATCH;
        while edges.len() < full {
            let Some((run, next)) = self.run() else {
                let found = format!("broken off or malformed at byte {}", self.decoded);
                return Err(self.bad_runs(found, "whole runs"));
            };
            let end = self.sample.saturating_add(run);
            if next == self.runs.len() || end >= self.chunk.end {
                if end != self.chunk.end || next != self.runs.len() {
                    let found = format!("{} samples, {} bytes", end - self.chunk.begin, next);
                    let Chunk { begin, end, run_bytes } = self.chunk;
                    let expected = format!("{} samples, {run_bytes} bytes", end - begin);
                    return Err(self.bad_runs(found, expected));
                }
                return Ok(true);
            }
            if self.state == State::Before && end > self.first {
                // The caller reports the level first, and then decodes this run again.
                return Ok(false);
            }
            (self.sample, self.decoded) = (end, next);
            self.level = !self.level;
            if self.state == State::Shown && end < shown {
                edges.push(self.grid.instant(end) - self.origin_ns);
            }
        }
        Ok(false)
    }

    /// Advances to the next chunk. Returns `false` at the end of the file.
    fn next_chunk(&mut self, edges: &mut Vec<i64>) -> Result<bool, At> {
        if self.chunks_left == 0 {
            if !self.fields.available()?.is_empty() {
                let problem = unlike("what follows the last chunk", "more data", "the end");
                return Err(self.fields.at_offset(problem, self.fields.offset()));
            }
            return Ok(false);
        }
        self.chunk = self.chunk_header()?;
        let level = self.load()?;
        let shown = self.chunk.begin < self.cut.unwrap_or(u64::MAX);
        if level != self.level && self.state == State::Shown && shown {
            edges.push(self.grid.instant(self.chunk.begin) - self.origin_ns);
        }
        self.level = level;
        Ok(true)
    }

    fn begin(&mut self) -> Step {
        self.state = State::Shown;
        Step::Begin { at_ns: self.begin_ns() - self.origin_ns, level: self.level }
    }

    fn end(&mut self) -> Result<Step, At> {
        if self.state == State::Before {
            let expected = format!("beyond the first sample shown, {}", self.first);
            return Err(self.bad_runs(format!("over at sample {}", self.chunk.end), expected));
        }
        self.state = State::Ended;
        let end = self.chunk.end.min(self.cut.unwrap_or(u64::MAX));
        Ok(Step::End { at_ns: self.grid.instant(end) - self.origin_ns })
    }
}

impl<R: Read + Seek> Wire for Digital<'_, R> {
    fn step(&mut self, edges: &mut Vec<i64>) -> Result<Step, At> {
        match self.state {
            State::Ended => return Ok(Step::Done),
            State::Opened => {
                self.level = self.load()?;
                self.state = State::Before;
            }
            State::Before | State::Shown => {}
        }
        let before = edges.len();
        loop {
            let at_last_run = self.decode(edges)?;
            if self.state == State::Before && (!at_last_run || self.chunk.end > self.first) {
                return Ok(self.begin());
            }
            if at_last_run && !self.next_chunk(edges)? {
                if edges.len() > before {
                    // The next call reports the end.
                    return Ok(Step::Edges);
                }
                return self.end();
            }
            if edges.len() - before >= BATCH {
                return Ok(Step::Edges);
            }
        }
    }
}
