//! Writes captures: chooses the format by the file's name.

use std::fs::File;
use std::path::Path;

use crate::draft::{Draft, Replace};
use crate::error::{Error, Place, Problem};
use crate::trace::Trace;
use crate::{saleae_csv_writer, sigrok, vcd};

/// A capture format airlag writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteFormat {
    /// Saleae Logic 2 CSV.
    SaleaeCsv,
    /// Value change dump.
    Vcd,
    /// sigrok session.
    Sigrok,
}

impl WriteFormat {
    /// The format that the end of a file name asks for.
    ///
    /// # Errors
    /// [`Problem::UnknownWriteFormat`] when it asks for none.
    pub fn from_path(path: &Path) -> Result<Self, Error> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        match extension.to_str() {
            Some("csv") => Ok(Self::SaleaeCsv),
            Some("vcd") => Ok(Self::Vcd),
            Some("sr") => Ok(Self::Sigrok),
            _ => {
                let found = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let expected = ".csv, .vcd or .sr";
                let problem = Problem::UnknownWriteFormat { found, expected };
                Err(problem.at(Place::File).of(path))
            }
        }
    }
}

/// Writes a trace. The file appears, or replaces the one that was there, only once it is complete.
///
/// # Errors
/// When the format cannot hold the trace, the file system refuses, or the file holds what may not be
/// replaced; then what was there before is untouched.
pub fn write(
    path: &Path,
    trace: &Trace,
    format: WriteFormat,
    replace: Replace,
) -> Result<(), Error> {
    let written = || {
        let draft = Draft::create(path)?;
        write_to(draft.file().try_clone()?, trace, format)?;
        Ok(draft.keep(replace)?)
    };
    written().map_err(|problem: Problem| problem.at(Place::File).of(path))
}

fn write_to(file: File, trace: &Trace, format: WriteFormat) -> Result<(), Problem> {
    match format {
        WriteFormat::SaleaeCsv => saleae_csv_writer::write(file, trace),
        WriteFormat::Vcd => vcd::write(file, trace),
        WriteFormat::Sigrok => sigrok::write(file, trace),
    }
}

#[cfg(test)]
mod tests;
