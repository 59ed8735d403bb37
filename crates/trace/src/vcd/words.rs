//! Reader of words separated by white space, with a small reused buffer.

use std::io::{ErrorKind, Read};

use crate::error::{At, Place, Problem};

const BUFFER_BYTES: usize = 256 * 1024;
/// Longest word, bytes.
const WORD_LIMIT: usize = 64 * 1024;
/// Largest header before `$enddefinitions`, bytes. A dump of a whole chip has some megabytes.
const HEADER_LIMIT: u64 = 64 << 20;

/// Splits a text into complete words.
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

    /// Adds the line of a byte to a problem. `offset` counts from the first unconsumed byte.
    pub fn at_offset(&self, problem: Problem, offset: usize) -> At {
        let before = &self.buffer[..(self.used + offset).min(self.filled)];
        problem.at(Place::Line(self.line + memchr::memchr_iter(b'\n', before).count() as u64))
    }

    /// Adds the line of the last word to a problem.
    pub fn at(&self, problem: Problem) -> At {
        // White space follows the word, perhaps the end of its line.
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

    /// Length of the unconsumed bytes that are complete words.
    fn complete_bytes(&self) -> usize {
        let unused = &self.buffer[self.used..self.filled];
        if self.ended {
            return unused.len();
        }
        unused.iter().rposition(u8::is_ascii_whitespace).map_or(0, |last| last + 1)
    }

    /// Returns the buffered complete words, and whether they are the last.
    pub fn complete(&mut self) -> Result<(&[u8], bool), At> {
        self.refill()?;
        let count = self.complete_bytes();
        if self.filled - count > WORD_LIMIT {
            let problem = Problem::LineTooLong { limit: WORD_LIMIT };
            return Err(self.at_offset(problem, count));
        }
        Ok((&self.buffer[..count], self.ended))
    }

    /// Consumes bytes that [`complete`](Self::complete) returned.
    pub fn consume(&mut self, count: usize) {
        self.used += count;
    }

    /// Next word of the header. Returns `None` at the end of the file.
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
