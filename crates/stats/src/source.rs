//! One capture file, straight to transfers.

use std::path::Path;

use airlag_trace::error::Place;
use airlag_trace::{Error, Problem, ReadOptions, Selection, read_into};

use crate::pair::{PairOptions, Pairer, Transfers};

/// A capture file and its two channels.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    /// The file.
    pub path: &'a Path,
    /// Trigger first, completion second.
    pub selection: Selection,
}

impl Source<'_> {
    /// Streams the file through a [`Pairer`].
    ///
    /// # Errors
    /// What the reader finds wrong, and [`Problem::NoEdges`] when one of the two channels never
    /// changes: then the wiring or the choice of channels is wrong, not the link.
    pub fn pair(self, options: PairOptions) -> Result<Transfers, Error> {
        let mut pairer = Pairer::new(options);
        let read = ReadOptions { selection: self.selection, ..ReadOptions::default() };
        read_into(self.path, &read, &mut pairer)?;
        if let Some(channel) = pairer.silent_channel() {
            return Err(Problem::NoEdges { channel }.at(Place::File).of(self.path));
        }
        Ok(pairer.into_transfers())
    }
}
