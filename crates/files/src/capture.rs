//! Traces as capture files.

use std::path::Path;

use airlag_trace::Trace;
use airlag_trace::error::{Error, Place, Problem};
use airlag_trace::write::{WriteFormat, write_to};

use crate::draft::{Draft, Replace};

/// Writes a trace. The file appears, or replaces the one that was there, only once it is complete.
///
/// # Errors
///
/// When the format cannot hold the trace, the file system refuses, or the file holds what may not be
/// replaced. What was there before is then untouched.
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

#[cfg(test)]
mod tests;
