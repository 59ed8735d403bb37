//! Words of a text file, separated by any white space, through one small reused buffer.

use std::io::{ErrorKind, Read};

use crate::error::{At, Place, Problem};

const BUFFER_BYTES: usize = 256 * 1024;
/// Longest word accepted, bytes.
const WORD_LIMIT: usize = 64 * 1024;
/// Most bytes before `$enddefinitions`; a dump of a whole chip has some megabytes.
const HEADER_LIMIT: u64 = 64 << 20;

/// Hands out a text in complete words.
pub struct Words<R> {
    input: R,
    buffer: Box<[u8]>,
    used: usize,
    filled: usize,
    /// Line of the buffer's first byte.
    line: u64,
    /// Offset of the buffer's first byte.
    offset: u64,
    ended: bool,
}

impl<R: Read> Words<R> {
    pub fn new(input: R) -> Self {
        let buffer = vec![0; BUFFER_BYTES].into_boxed_slice();
        Self { input, buffer, used: 0, filled: 0, line: 1, offset: 0, ended: false }
    }

    /// Pins a problem to the line of a byte, counted from the first unused one.
    pub fn at_offset(&self, problem: Problem, offset: usize) -> At {
        let before = &self.buffer[..(self.used + offset).min(self.filled)];
        problem.at(Place::Line(self.line + memchr::memchr_iter(b'\n', before).count() as u64))
    }

    /// Pins a problem to the line of the word read last.
    pub fn at(&self, problem: Problem) -> At {
        // Behind the word stands white space, perhaps the end of its line.
        self.at_offset(problem, 0)
    }

    fn refill(&mut self) -> Result<(), At> {
        let used = &self.buffer[..self.used];
        self.line += memchr::memchr_iter(b'\n', used).count() as u64;
        self.offset += self.used as u64;
        self.buffer.copy_within(self.used..self.filled, 0);
        (self.filled, self.used) = (self.filled - self.used, 0);
        while !self.ended && self.filled < self.buffer.len() {
            match self.input.read(&mut self.buffer[self.filled..]) {
                Ok(0) => self.ended = true,
                Ok(got) => self.filled += got,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(self.at_offset(Problem::Io(e), 0)),
            }
        }
        Ok(())
    }

    /// Length of the unused bytes that are complete words.
    fn complete_bytes(&self) -> usize {
        let unused = &self.buffer[self.used..self.filled];
        if self.ended {
            return unused.len();
        }
        unused.iter().rposition(u8::is_ascii_whitespace).map_or(0, |last| last + 1)
    }

    /// Complete words, as many as are buffered, and whether they are the last.
    pub fn complete(&mut self) -> Result<(&[u8], bool), At> {
        self.refill()?;
        let count = self.complete_bytes();
        if self.filled - count > WORD_LIMIT {
            let problem = Problem::LineTooLong { limit: WORD_LIMIT };
            return Err(self.at_offset(problem, count));
        }
        Ok((&self.buffer[..count], self.ended))
    }

    /// Takes bytes that [`complete`](Self::complete) showed.
    pub fn consume(&mut self, count: usize) {
        self.used += count;
    }

    /// The next word of the header; `None` at the end of the file.
    pub fn next(&mut self) -> Result<Option<&[u8]>, At> {
        loop {
            let unused = &self.buffer[self.used..self.filled];
            let blank = unused.iter().position(|b| !b.is_ascii_whitespace());
            self.used += blank.unwrap_or(unused.len());
            let unused = &self.buffer[self.used..self.filled];
            let length = unused.iter().position(u8::is_ascii_whitespace);
            let length = length.or((self.ended && !unused.is_empty()).then_some(unused.len()));
            if let Some(length) = length {
                if length > WORD_LIMIT {
                    return Err(self.at(Problem::LineTooLong { limit: WORD_LIMIT }));
                }
                let from = self.used;
                self.used += length;
                return Ok(Some(&self.buffer[from..from + length]));
            }
            if self.ended {
                return Ok(None);
            }
            if unused.len() > WORD_LIMIT {
                return Err(self.at(Problem::LineTooLong { limit: WORD_LIMIT }));
            }
            let read = self.offset + self.used as u64;
            if read > HEADER_LIMIT {
                let limit = HEADER_LIMIT;
                return Err(self.at(Problem::HeaderTooLong { limit }));
            }
            self.refill()?;
        }
    }
}
