//! Reader of Saleae Logic 2 binary exports of digital channels, versions 0 and 1.
//!
//! One file per channel, little-endian and packed (Saleae support articles "Binary export format, Logic 2"
//! and "Binary and CSV export formats, 2025 update"):
//!
//! ```text
//! "<SALEAE>"  i32 version  i32 type = 0
//! version 0:  u32 initial state  f64 begin  f64 end  u64 n  n x f64 transition
//! version 1:  u64 chunks, then each:
//!             u32 initial state  f64 samples per second  f64 begin  f64 end  u64 n  n x f64 transition
//! ```
//!
//! Times are in seconds. The time between two chunks was not observed; chunks at most one sample apart are
//! merged. A capture is a folder with `digital_0.bin`, `digital_1.bin` and so on, which [`Folder`] combines.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::error::{At, Error, Place, Problem};
use crate::fields::Fields;
use crate::format::ReadOptions;
use crate::memory::{Held, MemoryLimit};
use crate::select::Selection;
use crate::sink::{Header, Sink};
use crate::trace::Trace;
use crate::wires::{self, Step, Wire};

mod transitions;

use self::transitions::{instant, instants};

const MAGIC: &[u8; 8] = b"<SALEAE>";

/// Whether the first bytes of a file are those of a Logic 2 binary export.
#[must_use]
pub fn looks_like(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// N of `digital_N.bin`.
fn wire_number(path: &Path) -> Option<u32> {
    path.file_name()?.to_str()?.strip_prefix("digital_")?.strip_suffix(".bin")?.parse().ok()
}

/// Returns the name of the channel in a file. It is derived from the number in the file name, as in
/// Logic 2, or else is the file name.
#[must_use]
pub fn channel_name(path: &Path) -> String {
    match wire_number(path) {
        Some(number) => format!("Channel {number}"),
        None => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
    }
}

/// Streams one file, which contains one channel, into `sink`.
///
/// # Errors
/// Returns an error, with the offset in the file, for an unknown version of the format, a data type other
/// than digital, a time that is invalid or earlier than the previous time, a time outside the range of its
/// chunk, or counts that contradict the contents of the file.
pub fn read<R: Read, S: Sink>(
    input: R,
    name: &str,
    options: &ReadOptions,
    sink: &mut S,
) -> Result<(), At> {
    Files::select(vec![(name.to_owned(), input)], None, &options.selection)?.merge(sink)
}

/// Reads one file, which contains one channel. Faster than [`read`] into a recorder.
///
/// # Errors
/// Returns the errors of [`read`].
pub fn read_trace<R: Read>(input: R, name: &str, options: &ReadOptions) -> Result<Trace, At> {
    Files::select(vec![(name.to_owned(), input)], None, &options.selection)?.record(options.memory)
}

/// The files of one export, with one channel each.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    files: Vec<PathBuf>,
}

impl Folder {
    /// Opens the `digital_N.bin` files of a folder, in the order of their numbers.
    ///
    /// # Errors
    /// If the folder cannot be listed, has no such file, or contains only analogue files.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let fail = |problem: Problem| problem.at(Place::File).of(path);
        let mut numbered = Vec::new();
        let mut analog = false;
        for entry in std::fs::read_dir(path).map_err(|e| fail(e.into()))? {
            let file = entry.map_err(|e| fail(e.into()))?.path();
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            analog |= name.starts_with("analog_") && name.ends_with(".bin");
            if let Some(number) = wire_number(&file) {
                numbered.push((number, file));
            }
        }
        if numbered.is_empty() && analog {
            return Err(fail(Problem::NotDigital { found: "analogue samples only" }));
        }
        if numbered.is_empty() {
            return Err(fail(Problem::NoCaptureInFolder));
        }
        numbered.sort();
        let files = numbered.into_iter().map(|(_, file)| file).collect();
        Ok(Self { path: path.to_owned(), files })
    }

    /// Combines files with one channel each, in the order given. Errors name them by `path`.
    #[must_use]
    pub fn of(path: &Path, files: Vec<PathBuf>) -> Self {
        Self { path: path.to_owned(), files }
    }

    fn select(&self, selection: &Selection) -> Result<Files<File>, At> {
        let names: Vec<String> = self.files.iter().map(|f| channel_name(f)).collect();
        // Only the selected files are opened.
        let resolved = selection.resolve(&names)?;
        let mut inputs = Vec::with_capacity(resolved.positions.len());
        let mut members = Vec::with_capacity(resolved.positions.len());
        for &position in &resolved.positions {
            let path = &self.files[position];
            let member = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
                .into_boxed_str();
            let place = || Place::Member(member.clone(), None);
            let file = File::open(path).map_err(|e| Problem::Io(e).at(place()))?;
            inputs.push((names[position].clone(), file));
            members.push(member);
        }
        let mut files = Files::select(inputs, Some(members), &Selection::All)?;
        files.invert = resolved.invert;
        Ok(files)
    }

    /// Streams all files into `sink`, merged by time.
    ///
    /// # Errors
    /// Returns the errors of [`read`], with the file's name.
    pub fn read<S: Sink>(&self, options: &ReadOptions, sink: &mut S) -> Result<(), Error> {
        self.select(&options.selection)
            .and_then(|files| files.merge(sink))
            .map_err(|at| at.of(&self.path))
    }

    /// Reads all files. Faster than [`Folder::read`] into a recorder.
    ///
    /// # Errors
    /// Returns the errors of [`Folder::read`].
    pub fn read_trace(&self, options: &ReadOptions) -> Result<Trace, Error> {
        self.select(&options.selection)
            .and_then(|files| files.record(options.memory))
            .map_err(|at| at.of(&self.path))
    }
}

/// Files whose headers were read.
struct Files<R> {
    names: Vec<String>,
    wires: Vec<Transitions<R>>,
    invert: u64,
}

impl<R: Read> Files<R> {
    fn select(
        inputs: Vec<(String, R)>,
        members: Option<Vec<Box<str>>>,
        selection: &Selection,
    ) -> Result<Self, At> {
        let (all, mut inputs): (Vec<_>, Vec<_>) =
            inputs.into_iter().map(|(name, input)| (name, Some(input))).unzip();
        let resolved = selection.resolve(&all)?;
        let mut files = Self { names: Vec::new(), wires: Vec::new(), invert: resolved.invert };
        for &position in &resolved.positions {
            let name = all[position].clone();
            // A stream can be read only once, so a second request for its channel fails.
            let input = inputs[position].take().ok_or_else(|| Problem::NoSuchChannel {
                channel: format!("{name} a second time"),
                present: all.join(", "),
            })?;
            let member = members.as_ref().map(|m| m[position].clone());
            files.wires.push(Transitions::open(Fields::new(input, member))?);
            files.names.push(name);
        }
        Ok(files)
    }

    fn header(&self) -> Header {
        let rate = self.wires.first().map_or(0.0, |w| w.sample_rate_hz);
        Header {
            names: self.names.clone(),
            epoch_unix_ns: None,
            sample_rate_hz: (rate > 0.0).then_some(rate),
        }
    }

    fn merge<S: Sink>(self, sink: &mut S) -> Result<(), At> {
        let header = self.header();
        wires::merge(self.wires, header, self.invert, sink)
    }

    fn record(self, memory: MemoryLimit) -> Result<Trace, At> {
        let mut held = Held::within(memory);
        let Header { epoch_unix_ns, sample_rate_hz, .. } = self.header();
        let mut channels = Vec::with_capacity(self.wires.len());
        for (index, (mut wire, name)) in self.wires.into_iter().zip(self.names).enumerate() {
            channels.push(wires::record(
                &mut wire,
                name,
                self.invert & (1 << index) != 0,
                &mut held,
            )?);
        }
        Ok(Trace { epoch_unix_ns, sample_rate_hz, channels, current: None })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// A chunk header was read, and a chunk begins.
    Begin,
    Edges,
    Ended,
}

/// The decoder of one file.
struct Transitions<R> {
    fields: Fields<R>,
    version: u32,
    chunks_left: u64,
    /// Sample rate of the current chunk. 0 if the version has none.
    sample_rate_hz: f64,
    initial: bool,
    begin_ns: i64,
    end_ns: i64,
    /// Number of unread transitions of the current chunk.
    transitions_left: u64,
    /// First transition of the chunk, read together with its header.
    first_ns: Option<i64>,
    /// Last reported transition, or the start of the chunk.
    previous_ns: i64,
    /// Level after it.
    level: bool,
    state: State,
}

impl<R: Read> Transitions<R> {
    /// Reads up to the transitions of the first chunk.
    fn open(mut fields: Fields<R>) -> Result<Self, At> {
        let what = "the file header";
        if &fields.tag(what)? != MAGIC {
            let found = "another identifier".to_owned();
            return Err(fields.at(Problem::BadHeader { found, expected: "<SALEAE>" }));
        }
        let version = fields.u32(what)?;
        if version > 1 {
            let (what, found) = ("Saleae binary export", version.cast_signed().to_string());
            return Err(fields.at(Problem::UnknownVersion { what, found, supported: "0 and 1" }));
        }
        match fields.u32(what)? {
            0 => {}
            1 => return Err(fields.at(Problem::NotDigital { found: "analogue samples" })),
            100 => {
                let found = "100, a channel taken out of a .sal".to_owned();
                let expected = "0; read the .sal itself".to_owned();
                return Err(fields.at(Problem::BadField { what: "the type", found, expected }));
            }
            other => return Err(fields.at(bad("the type", other.cast_signed(), "0, digital"))),
        }
        let chunks_left = if version == 0 { 1 } else { fields.u64("the number of chunks")? };
        if chunks_left == 0 {
            return Err(fields.at(bad("the number of chunks", 0, "at least 1")));
        }
        let mut transitions = Self {
            fields,
            version,
            chunks_left,
            sample_rate_hz: 0.0,
            initial: false,
            begin_ns: 0,
            end_ns: 0,
            transitions_left: 0,
            first_ns: None,
            previous_ns: 0,
            level: false,
            state: State::Begin,
        };
        transitions.chunk_header()?;
        Ok(transitions)
    }

    fn chunk_header(&mut self) -> Result<(), At> {
        let what = "a chunk header";
        self.initial = match self.fields.u32(what)? {
            0 => false,
            1 => true,
            other => return Err(self.fields.at(bad("the initial state", other, "0 or 1"))),
        };
        if self.version == 1 {
            let rate = self.fields.f64(what)?;
            if !(rate > 0.0 && rate.is_finite()) {
                return Err(self.fields.at(bad("the sample rate", rate, "a positive number")));
            }
            self.sample_rate_hz = rate;
        }
        self.begin_ns = self.time(what)?;
        self.end_ns = self.time(what)?;
        if self.end_ns < self.begin_ns {
            let (previous_ns, at_ns) = (self.begin_ns, self.end_ns);
            return Err(self.fields.at(Problem::NotMonotonic { previous_ns, at_ns }));
        }
        self.transitions_left = self.fields.u64(what)?;
        self.chunks_left -= 1;
        self.first_ns = None;
        if self.transitions_left > 0 {
            let first_ns = self.time("the transitions of a chunk")?;
            self.transitions_left -= 1;
            if first_ns < self.begin_ns || first_ns > self.end_ns {
                let what = "the first transition";
                let expected = format!("{} to {} ns", self.begin_ns, self.end_ns);
                let found = format!("at {first_ns} ns");
                return Err(self.fields.at(Problem::BadField { what, found, expected }));
            }
            // The level before the first instant is unknown, so this is not an edge.
            if first_ns == self.begin_ns {
                self.initial = !self.initial;
            } else {
                self.first_ns = Some(first_ns);
            }
        }
        Ok(())
    }

    fn time(&mut self, what: &'static str) -> Result<i64, At> {
        let seconds = self.fields.f64(what)?;
        instant(seconds).map_err(|problem| self.fields.at(problem))
    }

    /// Appends the next transitions of the chunk. Appends none at its end.
    fn transitions(&mut self, edges: &mut Vec<i64>) -> Result<(), At> {
        let from = edges.len();
        if let Some(first_ns) = self.first_ns.take() {
            edges.push(first_ns);
        } else if self.transitions_left > 0 {
            let offset = self.fields.offset();
            let most = usize::try_from(self.transitions_left).unwrap_or(usize::MAX);
            let bytes = self.fields.available()?;
            let count = (bytes.len() / 8).min(most);
            let (previous_ns, end_ns) = (self.previous_ns, self.end_ns);
            let (count, read) = if count > 0 {
                let read = instants(&bytes[..8 * count], previous_ns, end_ns, edges);
                self.fields.consume(8 * count);
                (count, read)
            } else {
                // A transition that crosses the end of the buffer, or is truncated.
                let seconds = self.fields.f64("the transitions of a chunk")?;
                (1, instants(&seconds.to_le_bytes(), previous_ns, end_ns, edges))
            };
            read.map_err(|(index, problem)| {
                self.fields.at_offset(problem, offset + 8 * index as u64)
            })?;
            self.transitions_left -= count as u64;
        }
        if let Some(&last_ns) = edges[from..].last() {
            self.level ^= (edges.len() - from) % 2 == 1;
            self.previous_ns = last_ns;
        }
        Ok(())
    }

    /// Reads the header of the next chunk. Returns `None` at the end of the file, else whether the chunk
    /// continues the previous one.
    fn next_chunk(&mut self) -> Result<Option<bool>, At> {
        if self.chunks_left == 0 {
            if !self.fields.available()?.is_empty() {
                let problem = bad("what follows the last transition", "more data", "the end");
                return Err(self.fields.at_offset(problem, self.fields.offset()));
            }
            return Ok(None);
        }
        let (previous_ns, offset) = (self.end_ns, self.fields.offset());
        self.chunk_header()?;
        if self.begin_ns < previous_ns {
            let at_ns = self.begin_ns;
            let problem = Problem::NotMonotonic { previous_ns, at_ns };
            return Err(self.fields.at_offset(problem, offset));
        }
        let sample_ns = (1e9 / self.sample_rate_hz).ceil().max(1.0);
        Ok(Some((self.begin_ns - previous_ns) as f64 <= sample_ns))
    }

    /// Continues the previous chunk. There is an edge between them if the levels differ.
    fn carry_on(&mut self, edges: &mut Vec<i64>) -> Result<(), At> {
        if self.initial != self.level {
            if self.begin_ns <= self.previous_ns {
                let (previous_ns, at_ns) = (self.previous_ns, self.begin_ns);
                return Err(self.fields.at(Problem::NotMonotonic { previous_ns, at_ns }));
            }
            edges.push(self.begin_ns);
            self.level = self.initial;
        }
        // The last transition of the previous chunk may be at the start of this one.
        self.previous_ns = self.previous_ns.max(self.begin_ns);
        Ok(())
    }
}

impl<R: Read> Wire for Transitions<R> {
    fn step(&mut self, edges: &mut Vec<i64>) -> Result<Step, At> {
        loop {
            match self.state {
                State::Ended => return Ok(Step::Done),
                State::Begin => {
                    self.state = State::Edges;
                    (self.previous_ns, self.level) = (self.begin_ns, self.initial);
                    return Ok(Step::Begin { at_ns: self.begin_ns, level: self.initial });
                }
                State::Edges => {}
            }
            let from = edges.len();
            self.transitions(edges)?;
            if edges.len() > from {
                return Ok(Step::Edges);
            }
            let at_ns = self.end_ns;
            match self.next_chunk()? {
                None => self.state = State::Ended,
                Some(false) => self.state = State::Begin,
                Some(true) => {
                    self.carry_on(edges)?;
                    if edges.len() > from {
                        return Ok(Step::Edges);
                    }
                    continue;
                }
            }
            return Ok(Step::End { at_ns });
        }
    }
}

fn bad(what: &'static str, found: impl ToString, expected: &str) -> Problem {
    Problem::BadField { what, found: found.to_string(), expected: expected.to_owned() }
}

#[cfg(test)]
mod tests;
