//! Little-endian fields of a binary stream, read through one small reused buffer.

use std::io::Read;

use crate::error::{At, Place, Problem};

const BUFFER_BYTES: usize = 64 * 1024;

/// Reads fields and remembers where it is, for error messages.
#[derive(Debug)]
pub struct Fields<R> {
    input: R,
    buffer: Box<[u8]>,
    used: usize,
    filled: usize,
    /// Offset of the buffer's first byte.
    buffer_at: u64,
    /// Offset of the field read last.
    field_at: u64,
    /// File inside an archive or a folder.
    member: Option<Box<str>>,
}

impl<R: Read> Fields<R> {
    /// Fields of `input`; `member` names it where the path alone does not.
    pub fn new(input: R, member: Option<Box<str>>) -> Self {
        let buffer = vec![0; BUFFER_BYTES].into_boxed_slice();
        Self { input, buffer, used: 0, filled: 0, buffer_at: 0, field_at: 0, member }
    }

    /// Pins a problem to the field read last.
    pub fn at(&self, problem: Problem) -> At {
        self.at_offset(problem, self.field_at)
    }

    /// Pins a problem to an offset.
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

    /// What is buffered, after fetching more if that is nothing; empty at the end of the input.
    ///
    /// # Errors
    /// As the input's.
    pub fn available(&mut self) -> Result<&[u8], At> {
        if self.used == self.filled {
            self.fetch()?;
        }
        Ok(&self.buffer[self.used..self.filled])
    }

    /// Takes `count` of the bytes that [`available`](Self::available) showed.
    pub fn consume(&mut self, count: usize) {
        self.used += count;
    }

    /// Drops what was used and reads on.
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

    /// The next `N` bytes, which belong to `what`.
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

    /// An 8-bit number.
    pub fn u8(&mut self, what: &'static str) -> Result<u8, At> {
        Ok(u8::from_le_bytes(self.bytes(what)?))
    }

    /// A 32-bit number.
    pub fn u32(&mut self, what: &'static str) -> Result<u32, At> {
        Ok(u32::from_le_bytes(self.bytes(what)?))
    }

    /// A 64-bit number.
    pub fn u64(&mut self, what: &'static str) -> Result<u64, At> {
        Ok(u64::from_le_bytes(self.bytes(what)?))
    }

    /// A 64-bit floating-point number.
    pub fn f64(&mut self, what: &'static str) -> Result<f64, At> {
        Ok(f64::from_le_bytes(self.bytes(what)?))
    }

    /// Eight bytes as they are.
    pub fn tag(&mut self, what: &'static str) -> Result<[u8; 8], At> {
        self.bytes(what)
    }

    /// Puts the next `count` bytes into `into`, growing it only as they arrive.
    pub fn copy(&mut self, into: &mut Vec<u8>, count: u64, what: &'static str) -> Result<(), At> {
        self.field_at = self.offset();
        into.clear();
        self.each(count, what, |bytes| into.extend_from_slice(bytes))
    }

    /// Passes over `count` bytes.
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
