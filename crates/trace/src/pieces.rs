//! Buffered text output.
//!
//! Writing a row returns no error, because rows are frequent. The first output error is stored and
//! returned at the end.

use std::io::{self, Write};

use crate::error::Problem;

/// Size of the buffer, bytes.
const PIECE: usize = 64 * 1024;

/// An output with a text buffer.
pub(crate) struct Pieces<W> {
    output: W,
    /// Buffered text. [`Pieces::line_done`] writes it if it is large enough.
    pub(crate) text: Vec<u8>,
    failed: Option<io::Error>,
}

impl<W: Write> Pieces<W> {
    pub(crate) fn new(output: W) -> Self {
        Self { output, text: Vec::with_capacity(PIECE + 1024), failed: None }
    }

    /// Writes the buffer if it is large enough.
    pub(crate) fn line_done(&mut self) {
        if self.text.len() >= PIECE {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.failed.is_none() {
            self.failed = self.output.write_all(&self.text).err();
        }
        self.text.clear();
    }

    /// Writes the rest of the buffer.
    ///
    /// # Errors
    /// The first error of the output, also of earlier writes.
    pub(crate) fn finish(mut self) -> Result<(), Problem> {
        self.flush();
        match self.failed {
            Some(error) => Err(error.into()),
            None => Ok(self.output.flush()?),
        }
    }
}
