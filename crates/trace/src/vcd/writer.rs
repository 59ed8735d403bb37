//! Writer of value change dumps for viewers and sigrok. The reader restores the same trace.

use std::collections::HashSet;
use std::io::Write;

use crate::error::Problem;
use crate::pieces::Pieces;
use crate::sink::{Header, Row, Sink};
use crate::stamp::{Stamps, append_number};
use crate::trace::Trace;
use crate::wires::replay;

/// Writes a trace, with a time scale of 1 ns and gaps as `x`.
///
/// # Errors
/// Returns the errors of `output`.
pub fn write<W: Write>(output: W, trace: &Trace) -> Result<(), Problem> {
    let mut sink = VcdSink::new(output);
    replay(trace, &mut sink);
    sink.finish()
}

/// Writes rows as a stream.
pub struct VcdSink<W> {
    pieces: Pieces<W>,
    header: Option<Header>,
    channels: usize,
    /// Instant of timestamp 0, ns, because timestamps have no sign.
    origin_ns: i64,
    /// Levels, observed channels and instant of the last row.
    last: Option<(u64, u64)>,
    last_ns: i64,
}

impl<W: Write> VcdSink<W> {
    /// Creates a sink that writes to `output` through a buffer.
    pub fn new(output: W) -> Self {
        Self {
            pieces: Pieces::new(output),
            header: None,
            channels: 0,
            origin_ns: 0,
            last: None,
            last_ns: 0,
        }
    }

    /// Writes the buffered changes.
    ///
    /// # Errors
    /// The first output error, including errors of earlier writes.
    pub fn finish(self) -> Result<(), Problem> {
        self.pieces.finish()
    }

    /// Writes the declarations. They wait for the first row, which determines whether time starts below 0.
    fn declare(&mut self, header: &Header, begin_ns: i64) {
        self.origin_ns = begin_ns.min(0);
        let mut lines = String::new();
        if let Some(epoch) = header.epoch_unix_ns {
            let mut stamp = Vec::new();
            Stamps::default().append(i128::from(epoch), &mut stamp);
            let stamp = String::from_utf8_lossy(&stamp);
            lines += &format!("$date {stamp} $end\n$comment airlag epoch {stamp} $end\n");
        }
        lines += concat!("$version airlag ", env!("CARGO_PKG_VERSION"), " $end\n");
        if let Some(rate) = header.sample_rate_hz {
            lines += &format!("$comment airlag sample_rate_hz {rate} $end\n");
        }
        if self.origin_ns < 0 {
            lines += &format!("$comment airlag origin_ns {} $end\n", self.origin_ns);
        }
        let mut variables = String::new();
        let mut taken = HashSet::new();
        for (channel, name) in header.names.iter().enumerate() {
            let code = char::from(code(channel));
            let mut plain = plain(name);
            while !taken.insert(plain.clone()) {
                plain.push('_');
            }
            if plain != *name {
                lines += &format!("$comment airlag name {code} {} $end\n", escape(name));
            }
            variables += &format!("$var wire 1 {code} {plain} $end\n");
        }
        lines += "$timescale 1 ns $end\n$scope module capture $end\n";
        lines += &variables;
        lines += "$upscope $end\n$enddefinitions $end\n";
        self.pieces.text.extend_from_slice(lines.as_bytes());
    }

    fn stamp(&mut self, at_ns: i64) {
        self.last_ns = at_ns;
        self.pieces.text.push(b'#');
        append_number(at_ns.abs_diff(self.origin_ns), &mut self.pieces.text);
        self.pieces.text.push(b'\n');
    }

    /// Writes one line per channel in `changed`.
    fn values(&mut self, mut changed: u64, levels: u64, known: u64) {
        while changed != 0 {
            let channel = changed.trailing_zeros() as usize;
            let bit = changed & changed.wrapping_neg();
            changed ^= bit;
            let value = match (known & bit != 0, levels & bit != 0) {
                (false, _) => b'x',
                (true, false) => b'0',
                (true, true) => b'1',
            };
            self.pieces.text.extend_from_slice(&[value, code(channel), b'\n']);
        }
    }
}

/// Identifier code of one of at most 64 channels.
fn code(channel: usize) -> u8 {
    b'!' + channel as u8
}

/// A name as one word that does not start with `$`, which would be a keyword.
fn plain(name: &str) -> String {
    let blank = |c: char| c.is_whitespace() || c.is_control();
    let plain: String = name.chars().map(|c| if blank(c) { '_' } else { c }).collect();
    if plain.is_empty() || plain.starts_with('$') { format!("_{plain}") } else { plain }
}

/// A name as one word, with `%XX` for `%`, `$` and everything except printable ASCII.
fn escape(name: &str) -> String {
    name.bytes().fold(String::new(), |word, byte| match byte {
        b'%' | b'$' => word + &format!("%{byte:02X}"),
        b'!'..=b'~' => word + &char::from(byte).to_string(),
        _ => word + &format!("%{byte:02X}"),
    })
}

impl<W: Write> Sink for VcdSink<W> {
    fn header(&mut self, header: Header) {
        self.channels = header.names.len();
        self.header = Some(header);
        self.last = None;
    }

    fn row(&mut self, row: Row) {
        let Row { at_ns, levels, known } = row;
        if let Some(header) = self.header.take() {
            self.declare(&header, at_ns);
            self.stamp(at_ns);
            self.pieces.text.extend_from_slice(b"$dumpvars\n");
            let all = if self.channels < 64 { (1 << self.channels) - 1 } else { u64::MAX };
            self.values(all, levels, known);
            self.pieces.text.extend_from_slice(b"$end\n");
        } else if let Some((levels_before, known_before)) = self.last
            && (levels_before, known_before) != (levels, known)
        {
            // Rows of one instant share a timestamp.
            if at_ns != self.last_ns {
                self.stamp(at_ns);
            }
            self.values((levels ^ levels_before) | (known ^ known_before), levels, known);
        }
        self.last = Some((levels, known));
        self.pieces.line_done();
    }

    fn end(&mut self, at_ns: i64) {
        if self.header.is_some() {
            // Nothing was observed.
            self.row(Row { at_ns, levels: 0, known: 0 });
        }
        if at_ns != self.last_ns {
            self.stamp(at_ns);
        }
    }
}
