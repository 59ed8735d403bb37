//! Text that is written in large pieces.
//!
//! Rows come by the million and have no error of their own to return: the first that the output has
//! is kept until the end.

use std::io::{self, Write};

use crate::error::Problem;

/// Text collected before it is handed on, bytes.
const PIECE: usize = 64 * 1024;

/// An output, and the text that waits for it.
pub(crate) struct Pieces<W> {
    output: W,
    /// What waits; [`Pieces::line_done`] hands it on when there is enough of it.
    pub(crate) text: Vec<u8>,
    failed: Option<io::Error>,
}

impl<W: Write> Pieces<W> {
    pub(crate) fn new(output: W) -> Self {
        Self { output, text: Vec::with_capacity(PIECE + 1024), failed: None }
    }

    /// Hands on what waits, if that is worth a call.
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

    /// Writes out what is left.
    ///
    /// # Errors
    /// The first error of the output, now or before.
    pub(crate) fn finish(mut self) -> Result<(), Problem> {
        self.flush();
        match self.failed {
            Some(error) => Err(error.into()),
            None => Ok(self.output.flush()?),
        }
    }
}
