//! Writer of sigrok sessions.

use std::io::{Seek, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::error::Problem;
use crate::sink::{Header, Row, Sink};
use crate::trace::Trace;
use crate::wires::replay;

use super::metadata::{escape, rate_text};
use super::{METADATA, VERSION};

/// Largest size of the samples before compression, bytes. A capture of minutes with edges on a grid of 10 ns
/// exceeds it, and such a file would be impractical.
pub const MAX_SAMPLE_BYTES: u64 = 4 << 30;
/// Size of the samples per member before compression, bytes. sigrok also splits its files.
const PIECE_BYTES: usize = 4 << 20;
const NS_PER_S: u64 = 1_000_000_000;
const FORMAT: &str = "a sigrok session";
const INSTEAD: &str = "write VCD instead";

/// Writes a trace at the lowest rate that has a sample at each of its edges.
///
/// Samples have neither gaps nor a wall-clock time, and the first is instant 0. An edge at the end of the
/// trace needs one more sample, so that the file ends one period later.
///
/// # Errors
/// Returns [`Problem::CannotHold`] for a trace that has gaps, has no channels, or needs more than
/// [`MAX_SAMPLE_BYTES`] of samples. Returns an error of `output` if writing fails.
pub fn write<W: Write + Seek>(output: W, trace: &Trace) -> Result<(), Problem> {
    let plan = Plan::of(trace)?;
    let mut zip = ZipWriter::new(output);
    let packed = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(3));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    zip.start_file(VERSION, stored).map_err(refused)?;
    zip.write_all(b"2")?;
    zip.start_file(METADATA, packed).map_err(refused)?;
    zip.write_all(plan.metadata(trace).as_bytes())?;
    let mut pieces = Pieces {
        zip,
        packed,
        plan,
        buffer: Vec::with_capacity(PIECE_BYTES),
        written: 0,
        levels: 0,
        samples: 0,
        failed: None,
    };
    replay(trace, &mut pieces);
    pieces.finish()
}

fn refused(error: zip::result::ZipError) -> Problem {
    Problem::Io(error.into())
}

fn cannot(what: String) -> Problem {
    Problem::CannotHold { format: FORMAT, what, instead: INSTEAD }
}

/// Parameters of the samples of a trace.
#[derive(Clone, Copy, Debug)]
struct Plan {
    begin_ns: i64,
    period_ns: u64,
    samples: u64,
    unit_bytes: usize,
}

impl Plan {
    fn of(trace: &Trace) -> Result<Self, Problem> {
        if trace.channels.is_empty() {
            return Err(cannot("a trace without channels".to_owned()));
        }
        let (begin_ns, end_ns) = (trace.begin_ns(), trace.end_ns());
        let length_ns = end_ns.abs_diff(begin_ns);
        // The period must divide one second, and all distances from the first sample.
        let mut period_ns = gcd(NS_PER_S, length_ns);
        let mut edge_at_end = false;
        for channel in &trace.channels {
            let [segment] = &channel.segments[..] else {
                return Err(cannot(format!("gaps, which channel {:?} has", channel.name)));
            };
            if (segment.begin_ns, segment.end_ns) != (begin_ns, end_ns) {
                return Err(cannot(format!("gaps, which channel {:?} has", channel.name)));
            }
            for edge_ns in &segment.edges_ns {
                let from_begin = edge_ns.abs_diff(begin_ns);
                if from_begin % period_ns != 0 {
                    period_ns = gcd(period_ns, from_begin);
                }
            }
            edge_at_end |= segment.edges_ns.last() == Some(&end_ns);
        }
        if length_ns == 0 {
            period_ns = 1;
        }
        let samples = length_ns / period_ns + u64::from(edge_at_end || length_ns == 0);
        let unit_bytes = trace.channels.len().div_ceil(8);
        if samples > MAX_SAMPLE_BYTES / unit_bytes as u64 {
            let rate = rate_text(NS_PER_S / period_ns);
            let most = MAX_SAMPLE_BYTES >> 30;
            return Err(cannot(format!("{samples} samples at {rate}, which exceed {most} GiB")));
        }
        Ok(Self { begin_ns, period_ns, samples, unit_bytes })
    }

    fn metadata(&self, trace: &Trace) -> String {
        let mut text = String::from("[global]\nsigrok version=0.5.2\n\n[device 1]\n");
        text += "capturefile=logic-1\n";
        text += &format!("total probes={}\n", trace.channels.len());
        text += &format!("samplerate={}\n", rate_text(NS_PER_S / self.period_ns));
        text += "total analog=0\n";
        for (number, channel) in (1..).zip(&trace.channels) {
            text += &format!("probe{number}={}\n", escape(&channel.name));
        }
        text + &format!("unitsize={}\n", self.unit_bytes)
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Writes samples in pieces.
struct Pieces<W: Write + Seek> {
    zip: ZipWriter<W>,
    packed: SimpleFileOptions,
    plan: Plan,
    buffer: Vec<u8>,
    /// Number of pieces written.
    written: u64,
    levels: u64,
    /// Number of samples in the pieces and the buffer.
    samples: u64,
    failed: Option<Problem>,
}

impl<W: Write + Seek> Pieces<W> {
    /// Repeats the current levels up to, but not including, sample `until`.
    fn fill(&mut self, until: u64) {
        let unit = self.plan.unit_bytes;
        let piece = PIECE_BYTES - PIECE_BYTES % unit;
        let sample = self.levels.to_le_bytes();
        while self.samples < until && self.failed.is_none() {
            let room = ((piece - self.buffer.len()) / unit) as u64;
            let count = room.min(until - self.samples);
            let from = self.buffer.len();
            let bytes = count as usize * unit;
            // The filled part is doubled repeatedly, so that long runs need few calls.
            self.buffer.extend_from_slice(&sample[..unit.min(bytes)]);
            while self.buffer.len() < from + bytes {
                let done = self.buffer.len() - from;
                let again = from..from + done.min(bytes - done);
                self.buffer.extend_from_within(again);
            }
            self.samples += count;
            if self.buffer.len() == piece {
                self.flush();
            }
        }
    }

    fn flush(&mut self) {
        if self.failed.is_some() || self.buffer.is_empty() {
            return;
        }
        self.written += 1;
        let name = format!("logic-1-{}", self.written);
        let started = self.zip.start_file(name, self.packed).map_err(refused);
        let written = started.and_then(|()| Ok(self.zip.write_all(&self.buffer)?));
        self.failed = written.err();
        self.buffer.clear();
    }

    fn finish(mut self) -> Result<(), Problem> {
        self.flush();
        if let Some(problem) = self.failed {
            return Err(problem);
        }
        self.zip.finish().map_err(refused)?.flush()?;
        Ok(())
    }
}

impl<W: Write + Seek> Sink for Pieces<W> {
    fn header(&mut self, _: Header) {}

    fn row(&mut self, row: Row) {
        self.fill(row.at_ns.abs_diff(self.plan.begin_ns) / self.plan.period_ns);
        self.levels = row.levels;
    }

    fn end(&mut self, _: i64) {
        self.fill(self.plan.samples);
    }
}
