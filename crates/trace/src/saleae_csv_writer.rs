//! Writer of Saleae Logic 2 CSV exports of digital channels.
//!
//! [`saleae_csv`](crate::saleae_csv), the reader, documents the layout. Timestamps are ISO 8601 if the trace
//! has a wall-clock time, else seconds. The format has no sample rate.

use std::io::Write;

use crate::error::Problem;
use crate::pieces::Pieces;
use crate::sink::{Header, Row, Sink};
use crate::stamp::{Stamps, append_seconds};
use crate::trace::Trace;
use crate::wires::replay;

/// Writes a trace.
///
/// # Errors
/// Returns the errors of `output`.
pub fn write<W: Write>(output: W, trace: &Trace) -> Result<(), Problem> {
    let mut sink = CsvSink::new(output);
    replay(trace, &mut sink);
    sink.finish()
}

/// Writes rows as a stream.
pub struct CsvSink<W> {
    pieces: Pieces<W>,
    stamps: Stamps,
    epoch_unix_ns: Option<i64>,
    channels: usize,
    /// Levels and observed channels of the last row.
    last: Option<(u64, u64)>,
}

impl<W: Write> CsvSink<W> {
    /// Creates a sink that writes to `output` through a buffer.
    pub fn new(output: W) -> Self {
        Self {
            pieces: Pieces::new(output),
            stamps: Stamps::default(),
            epoch_unix_ns: None,
            channels: 0,
            last: None,
        }
    }

    /// Writes the buffered rows.
    ///
    /// # Errors
    /// The first output error, including errors of earlier writes.
    pub fn finish(self) -> Result<(), Problem> {
        self.pieces.finish()
    }

    fn line(&mut self, at_ns: i64, levels: u64, known: u64) {
        match self.epoch_unix_ns {
            Some(epoch) => {
                self.stamps.append(i128::from(epoch) + i128::from(at_ns), &mut self.pieces.text);
            }
            None => append_seconds(at_ns, &mut self.pieces.text),
        }
        for channel in 0..self.channels {
            let bit = 1u64 << channel;
            let level = match (known & bit != 0, levels & bit != 0) {
                (false, _) => b'X',
                (true, false) => b'0',
                (true, true) => b'1',
            };
            self.pieces.text.extend_from_slice(&[b',', level]);
        }
        self.pieces.text.push(b'\n');
        self.pieces.line_done();
    }
}

/// Appends a name, quoted if it contains a separator. A line end within a name becomes a space.
fn append_name(name: &str, into: &mut Vec<u8>) {
    let quoted = name.contains(['"', ',']);
    if quoted {
        into.push(b'"');
    }
    for byte in name.bytes() {
        match byte {
            b'"' => into.extend_from_slice(b"\"\""),
            b'\r' | b'\n' => into.push(b' '),
            byte => into.push(byte),
        }
    }
    if quoted {
        into.push(b'"');
    }
}

impl<W: Write> Sink for CsvSink<W> {
    fn header(&mut self, header: Header) {
        self.epoch_unix_ns = header.epoch_unix_ns;
        self.channels = header.names.len();
        self.last = None;
        self.pieces.text.extend_from_slice(b"Time [s]");
        for name in &header.names {
            self.pieces.text.push(b',');
            append_name(name, &mut self.pieces.text);
        }
        self.pieces.text.push(b'\n');
    }

    fn row(&mut self, row: Row) {
        let Row { at_ns, levels, known } = row;
        if self.last != Some((levels, known)) {
            self.last = Some((levels, known));
            self.line(at_ns, levels, known);
        }
    }

    fn end(&mut self, at_ns: i64) {
        let (levels, known) = self.last.unwrap_or((0, 0));
        self.line(at_ns, levels, known);
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::trace::{Channel, Segment};

    fn text(trace: &Trace) -> String {
        let mut bytes = Vec::new();
        write(&mut bytes, trace).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    fn segment(begin_ns: i64, end_ns: i64, initial: bool, edges_ns: &[i64]) -> Segment {
        Segment { begin_ns, end_ns, initial, edges_ns: edges_ns.to_vec() }
    }

    #[test]
    fn simultaneous_edges_share_a_row_and_the_last_row_repeats_the_state() {
        let trace = Trace {
            epoch_unix_ns: Some(1_704_164_645_999_999_990),
            channels: vec![
                Channel { name: "a".into(), segments: vec![segment(0, 100, false, &[10, 30])] },
                Channel { name: "b, \"c\"".into(), segments: vec![segment(0, 100, true, &[30])] },
            ],
            ..Trace::default()
        };
        assert_eq!(
            text(&trace),
            "Time [s],a,\"b, \"\"c\"\"\"\n\
             2024-01-02T03:04:05.999999990+00:00,0,1\n\
             2024-01-02T03:04:06.000000000+00:00,1,1\n\
             2024-01-02T03:04:06.000000020+00:00,0,0\n\
             2024-01-02T03:04:06.000000090+00:00,0,0\n"
        );
    }

    #[test]
    fn gaps_are_x_and_a_trace_without_a_date_counts_seconds() {
        let trace = Trace {
            channels: vec![
                Channel {
                    name: "a".into(),
                    segments: vec![segment(-5, 20, true, &[]), segment(40, 60, false, &[60])],
                },
                Channel { name: "b".into(), segments: vec![segment(20, 60, false, &[])] },
            ],
            ..Trace::default()
        };
        assert_eq!(
            text(&trace),
            "Time [s],a,b\n\
             -0.000000005,1,X\n\
             0.000000020,1,0\n\
             0.000000020,X,0\n\
             0.000000040,0,0\n\
             0.000000060,1,0\n\
             0.000000060,1,0\n"
        );
    }

    #[test]
    fn a_full_disk_is_reported() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let refused = write(Full, &Trace::default()).unwrap_err();
        assert!(matches!(refused, Problem::Io(_)), "{refused}");
    }
}
