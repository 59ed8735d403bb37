//! Line reader with small reused buffers.
//!
//! Reading a whole capture into memory takes more time for page faults than for parsing. Readers therefore
//! get blocks of complete lines that fit into the processor's cache.

use std::io::{ErrorKind, Read};

use crate::error::{At, Problem};

/// Size of a block, bytes. Half this size would fit into the private cache of a core, but would
/// wake the parser thread twice as often.
const BLOCK_BYTES: usize = 1024 * 1024;

/// A buffer of complete lines.
pub struct Block {
    bytes: Box<[u8]>,
    filled: usize,
}

impl Block {
    /// An empty block.
    pub fn new() -> Self {
        Self { bytes: vec![0; BLOCK_BYTES].into_boxed_slice(), filled: 0 }
    }

    /// Returns the lines. Each ends with a line end, except possibly the last one of the file.
    pub fn lines(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }
}

/// Fills blocks with the lines of a file.
pub struct Lines<R> {
    input: R,
    /// First part of a line whose end is in the next block.
    begun: Vec<u8>,
    limit: usize,
    ended: bool,
}

impl<R: Read> Lines<R> {
    /// Reads lines of `input` of at most `limit` bytes each, which must be well below 1 MiB.
    pub fn new(input: R, limit: usize) -> Self {
        Self { input, begun: Vec::new(), limit, ended: false }
    }

    /// Replaces the contents of `block` by the next complete lines. Returns `false` at the end.
    ///
    /// # Errors
    /// If reading fails or a line is longer than the limit.
    pub fn fill(&mut self, block: &mut Block) -> Result<bool, At> {
        if self.ended {
            block.filled = 0;
            return Ok(false);
        }
        let Block { bytes, filled } = block;
        bytes[..self.begun.len()].copy_from_slice(&self.begun);
        *filled = self.begun.len();
        while !self.ended && *filled < bytes.len() {
            match self.input.read(&mut bytes[*filled..]) {
                Ok(0) => self.ended = true,
                Ok(n) => *filled += n,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(Problem::Io(e).into()),
            }
        }
        let complete = match bytes[..*filled].iter().rposition(|&b| b == b'\n') {
            _ if self.ended => *filled,
            Some(last) => last + 1,
            None => 0,
        };
        self.begun.clear();
        self.begun.extend_from_slice(&bytes[complete..*filled]);
        if self.begun.len() > self.limit {
            return Err(Problem::LineTooLong { limit: self.limit }.into());
        }
        *filled = complete;
        Ok(true)
    }
}
