//! Value change dump (IEEE Std 1364-2005, clause 18): reader and writer.
//!
//! ```text
//! $timescale 1 ns $end
//! $scope module capture $end
//! $var wire 1 ! trigger $end
//! $upscope $end
//! $enddefinitions $end
//! #0 $dumpvars 0! $end
//! #1250 1!
//! ```
//!
//! The words of a VCD file are separated by white space. Every variable of one bit is a channel. Variables
//! that are vectors, reals or events are skipped. The values `x` and `z` mean that the channel was not
//! observed. The observation begins at the first timestamp, or at 0 if values precede the first timestamp.
//! The observation ends at the last timestamp.
//!
//! The VCD format cannot represent the wall-clock time of instant 0, the sample rate, an observation that
//! begins before instant 0, and channel names that contain white space. The [writer](write()) stores this
//! information in comments that start with `airlag`, and the reader parses these comments.

mod changes;
mod header;
mod words;
mod writer;

use std::io::Read;

use crate::error::At;
use crate::format::ReadOptions;
use crate::sink::{Header, Sink};

use self::changes::Changes;
use self::words::Words;

pub use self::writer::{VcdSink, write};

/// Whether the first bytes of a file are those of a value change dump.
#[must_use]
pub fn looks_like(head: &[u8]) -> bool {
    const KEYWORDS: [&[u8]; 7] =
        [b"$date", b"$version", b"$comment", b"$timescale", b"$scope", b"$var", b"$enddefinitions"];
    let word = head.trim_ascii_start();
    KEYWORDS.iter().any(|keyword| {
        word.strip_prefix(*keyword)
            .is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
    })
}

/// Streams a value change dump into `sink`.
///
/// # Errors
/// Each error contains the line number. The errors are a header without a time scale, a header without an
/// end, an invalid value, time or identifier code, a time that is earlier than the previous time, a truncated
/// section, and a word of more than 64 KiB.
pub fn read<R: Read, S: Sink>(input: R, options: &ReadOptions, sink: &mut S) -> Result<(), At> {
    let mut words = Words::new(input);
    let header = header::read(&mut words, options.memory)?;
    let names: Vec<&str> = header.channels.iter().map(|c| c.name.as_str()).collect();
    let resolved = options.selection.resolve(&names)?;
    sink.header(Header {
        names: resolved.positions.iter().map(|&p| names[p].to_owned()).collect(),
        epoch_unix_ns: header.epoch_unix_ns,
        sample_rate_hz: header.sample_rate_hz,
    });
    let mut changes = Changes::new(&header, &resolved, sink);
    loop {
        let (bytes, last) = words.complete()?;
        let count = bytes.len();
        if let Err((offset, problem)) = changes.feed(bytes) {
            return Err(words.at_offset(problem, offset));
        }
        if let Some(refusal) = changes.refusal() {
            return Err(words.at_offset(refusal, count));
        }
        words.consume(count);
        if last {
            return changes.finish().map_err(|problem| words.at_offset(problem, 0));
        }
    }
}

#[cfg(test)]
mod tests;
