//! sigrok session files, `.sr`: reader of versions 1 and 2, writer of version 2.
//!
//! A zip archive (sigrok wiki, "File format:Sigrok/v1" and "File format:Sigrok/v2"):
//!
//! ```text
//! version                   "2"
//! metadata                  INI text: capturefile, samplerate, unitsize, probe1, probe2 ...
//! logic-1                   samples of all channels, unitsize bytes each, probe1 in bit 0
//! logic-1-1, logic-1-2 ...  the same, split into pieces
//! ```
//!
//! Version 1 has no pieces.
//!
//! Most samples equal the sample before them. The reader decompresses samples into a small buffer and
//! compares them eight bytes at a time, so that most of the run time is decompression. The first sample is
//! instant 0, because the format has no wall-clock time. The observation ends one sample period after the
//! last sample.

mod metadata;
mod samples;
mod writer;

use std::io::{Read, Seek};

use crate::archive::{Archive, Member, fill};
use crate::error::{At, Place, Problem};
use crate::format::ReadOptions;
use crate::sink::{Header, Sink};

use self::metadata::Metadata;
use self::samples::Samples;

pub use self::writer::{MAX_SAMPLE_BYTES, write};

const VERSION: &str = "version";
const METADATA: &str = "metadata";
const BUFFER_BYTES: usize = 128 * 1024;

/// Whether an archive with these members is a sigrok session.
pub(crate) fn looks_like<'a>(names: impl Iterator<Item = &'a str>) -> bool {
    let mut seen = [false; 2];
    for name in names {
        seen[0] |= name == VERSION;
        seen[1] |= name == METADATA;
    }
    seen == [true; 2]
}

/// Streams a `.sr` into `sink`.
///
/// # Errors
/// With the member: a damaged or too large archive, an unknown version, incomplete metadata, a missing piece,
/// or a truncated sample.
pub fn read<R: Read + Seek, S: Sink>(
    input: R,
    options: &ReadOptions,
    sink: &mut S,
) -> Result<(), At> {
    let archive = Archive::open(input, options.memory)?;
    let version = archive.whole(VERSION, "a sigrok session")?;
    if !matches!(version.trim_ascii(), b"1" | b"2") {
        let found = String::from_utf8_lossy(&version[..version.len().min(40)]).into_owned();
        let (what, supported) = ("sigrok session", "1 and 2; save it again with another sigrok");
        let place = Place::Member(VERSION.into(), None);
        return Err(Problem::UnknownVersion { what, found, supported }.at(place));
    }
    let metadata = archive.whole(METADATA, "a sigrok session")?;
    let in_metadata = |problem: Problem| problem.at(Place::Member(METADATA.into(), None));
    let metadata = Metadata::parse(&metadata).map_err(in_metadata)?;
    let names: Vec<&str> = metadata.probes.iter().map(|(_, name)| name.as_str()).collect();
    let resolved = options.selection.resolve(&names)?;
    let bits = resolved.positions.iter().map(|&p| metadata.probes[p].0).collect();
    let pieces = pieces(&archive, &metadata.capture_file)?;
    sink.header(Header {
        names: resolved.positions.iter().map(|&p| names[p].to_owned()).collect(),
        epoch_unix_ns: None,
        sample_rate_hz: Some(metadata.grid.rate_hz() as f64),
    });
    let mut samples = Samples::new(metadata.grid, metadata.unit_bytes, bits, resolved.invert, sink);
    let mut buffer = vec![0; BUFFER_BYTES];
    // Bytes of a sample that spans two pieces.
    let mut kept = 0;
    for piece in &pieces {
        let place = || Place::Member(piece.name.as_str().into(), None);
        let mut input = archive.unpack(piece)?;
        loop {
            let got = fill(&mut input, &mut buffer[kept..])
                .map_err(|e| Problem::from_read(e).at(place()))?;
            if got == 0 {
                break;
            }
            let filled = kept + got;
            let whole = filled - filled % metadata.unit_bytes;
            samples.feed(&buffer[..whole]).map_err(|problem| problem.at(place()))?;
            if let Some(refusal) = samples.refusal() {
                return Err(refusal.at(place()));
            }
            buffer.copy_within(whole..filled, 0);
            kept = filled - whole;
        }
    }
    if kept > 0 {
        let last = pieces.last().map_or("", |piece| piece.name.as_str());
        return Err(Problem::Truncated { what: "a sample" }.at(Place::Member(last.into(), None)));
    }
    samples.finish()
}

/// Members with samples, in order.
fn pieces<R: Read + Seek>(archive: &Archive<R>, stem: &str) -> Result<Vec<Member>, At> {
    if let Some(whole) = archive.member(stem) {
        return Ok(vec![whole.clone()]);
    }
    let number = |member: &Member| -> Option<usize> {
        member.name.strip_prefix(stem)?.strip_prefix('-')?.parse().ok()
    };
    let mut pieces: Vec<(usize, &Member)> =
        archive.members().iter().filter_map(|m| Some((number(m)?, m))).collect();
    pieces.sort_by_key(|&(number, _)| number);
    let absent = (1..).zip(&pieces).find(|&(expected, &(number, _))| expected != number);
    if let Some(absent) = absent.map(|(expected, _)| expected).or(pieces.is_empty().then_some(1)) {
        let member = format!("{stem}-{absent}");
        return Err(Problem::MissingMember { member, expected: "pieces without a gap" }.into());
    }
    Ok(pieces.into_iter().map(|(_, member)| member.clone()).collect())
}

#[cfg(test)]
mod tests;
