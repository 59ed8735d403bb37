//! Reader of little-endian fields of a binary stream, with a small buffer.

use std::io::Read;

use crate::error::{At, Place, Problem};

const BUFFER_BYTES: usize = 64 * 1024;

/// Reads fields and keeps the position for error messages.
#[derive(Debug)]
pub struct Fields<R> {
    input: R,
    buffer: Box<[u8]>,
    used: usize,
    filled: usize,
    /// Offset of the first byte in the buffer.
    buffer_at: u64,
    /// Offset of the last field.
    field_at: u64,
    /// Name of the file inside an archive or a folder.
    member: Option<Box<str>>,
}

impl<R: Read> Fields<R> {
    /// Reads fields of `input`. `member` is its name inside an archive or a folder.
    pub fn new(input: R, member: Option<Box<str>>) -> Self {
        let buffer = vec![0; BUFFER_BYTES].into_boxed_slice();
        Self { input, buffer, used: 0, filled: 0, buffer_at: 0, field_at: 0, member }
    }

    /// Adds the location of the last field to a problem.
    pub fn at(&self, problem: Problem) -> At {
        self.at_offset(problem, self.field_at)
    }

    /// Adds an offset to a problem.
    pub fn at_offset(&self, problem: Problem, offset: u64) -> At {
        problem.at(match &self.member {
            Some(member) => Place::Member(member.clone(), Some(offset)),
            None => Place::Byte(offset),
        })
    }

    /// Offset of the next byte.
    pub fn offset(&self) -> u64 {
        self.buffer_at + self.used as u64
    }

    /// Returns the buffered bytes. If there are none, more are read first. The result is empty at
    /// the end of the input.
    ///
    /// # Errors
    /// Returns the errors of the input.
    pub fn available(&mut self) -> Result<&[u8], At> {
        if self.used == self.filled {
            self.fetch()?;
        }
        Ok(&self.buffer[self.used..self.filled])
    }

    /// Consumes `count` of the bytes that [`available`](Self::available) returned.
    pub fn consume(&mut self, count: usize) {
        self.used += count;
    }

    /// Discards consumed bytes and fetches more.
    fn fetch(&mut self) -> Result<usize, At> {
        self.buffer.copy_within(self.used..self.filled, 0);
        self.buffer_at += self.used as u64;
        (self.filled, self.used) = (self.filled - self.used, 0);
        loop {
            match self.input.read(&mut self.buffer[self.filled..]) {
                Ok(got) => {
                    self.filled += got;
                    return Ok(got);
                }
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(e) => return Err(self.at_offset(Problem::from_read(e), self.offset())),
            }
        }
    }

    /// Reads the next `N` bytes. `what` describes them in errors.
    fn bytes<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], At> {
        self.field_at = self.offset();
        while self.filled - self.used < N {
            if self.fetch()? == 0 {
                return Err(self.at_offset(Problem::Truncated { what }, self.field_at));
            }
        }
        let mut field = [0; N];
        field.copy_from_slice(&self.buffer[self.used..self.used + N]);
        self.used += N;
        Ok(field)
    }

    /// Reads an 8-bit number.
    pub fn u8(&mut self, what: &'static str) -> Result<u8, At> {
        Ok(u8::from_le_bytes(self.bytes(what)?))
    }

    /// Reads a 32-bit number.
    pub fn u32(&mut self, what: &'static str) -> Result<u32, At> {
        Ok(u32::from_le_bytes(self.bytes(what)?))
    }

    /// Reads a 64-bit number.
    pub fn u64(&mut self, what: &'static str) -> Result<u64, At> {
        Ok(u64::from_le_bytes(self.bytes(what)?))
    }

    /// Reads a 64-bit floating-point number.
    pub fn f64(&mut self, what: &'static str) -> Result<f64, At> {
        Ok(f64::from_le_bytes(self.bytes(what)?))
    }

    /// Reads eight bytes.
    pub fn tag(&mut self, what: &'static str) -> Result<[u8; 8], At> {
        self.bytes(what)
    }

    /// Appends the next `count` bytes to `into`. The vector grows only as bytes arrive, so a false
    /// `count` allocates nothing.
    pub fn copy(&mut self, into: &mut Vec<u8>, count: u64, what: &'static str) -> Result<(), At> {
        self.field_at = self.offset();
        into.clear();
        self.each(count, what, |bytes| into.extend_from_slice(bytes))
    }

    /// Skips `count` bytes.
    pub fn skip(&mut self, count: u64, what: &'static str) -> Result<(), At> {
        self.field_at = self.offset();
        self.each(count, what, |_| {})
    }

    fn each(
        &mut self,
        mut count: u64,
        what: &'static str,
        mut take: impl FnMut(&[u8]),
    ) -> Result<(), At> {
        while count > 0 {
            let bytes = self.available()?;
            let most = usize::try_from(count).unwrap_or(usize::MAX).min(bytes.len());
            if most == 0 {
                return Err(self.at_offset(Problem::Truncated { what }, self.offset()));
            }
            take(&bytes[..most]);
            self.consume(most);
            count -= most as u64;
        }
        Ok(())
    }
}
