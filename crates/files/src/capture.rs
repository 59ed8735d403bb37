//! Output of traces as capture files.

use std::path::Path;

use airlag_trace::Trace;
use airlag_trace::error::{Error, Place, Problem};
use airlag_trace::write::{WriteFormat, write_to};

use crate::draft::{Draft, Replace};

/// Writes a trace. The file appears, or replaces an existing one, only when it is complete.
///
/// # Errors
///
/// If the format cannot represent the trace, for an error of the file system, and if the target must not be
/// replaced. An existing file is then unchanged.
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
