//! Writes captures: chooses the format, and never leaves half a file.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

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
/// When the format cannot hold the trace or the file system refuses; then what was there before is
/// untouched.
pub fn write(path: &Path, trace: &Trace, format: WriteFormat) -> Result<(), Error> {
    write_unpinned(path, trace, format).map_err(|problem| problem.at(Place::File).of(path))
}

fn write_unpinned(path: &Path, trace: &Trace, format: WriteFormat) -> Result<(), Problem> {
    // Behind a link it is the file that is replaced, not the link. A device or a pipe is written
    // to: replacing it would take it from everyone else.
    let target = match fs::canonicalize(path) {
        Ok(target) if !fs::metadata(&target)?.is_file() => {
            return content(OpenOptions::new().write(true).open(target)?, trace, format);
        }
        Ok(target) => target,
        Err(e) if e.kind() == ErrorKind::NotFound => path.to_owned(),
        Err(e) => return Err(e.into()),
    };
    let (file, mut draft) = Draft::create(&target)?;
    content(file.try_clone()?, trace, format)?;
    file.sync_all()?;
    drop(file);
    if let Ok(before) = fs::metadata(&target) {
        fs::set_permissions(&draft.path, before.permissions())?;
    }
    fs::rename(&draft.path, &target)?;
    draft.kept = true;
    Ok(())
}

fn content(file: File, trace: &Trace, format: WriteFormat) -> Result<(), Problem> {
    match format {
        WriteFormat::SaleaeCsv => saleae_csv_writer::write(file, trace),
        WriteFormat::Vcd => vcd::write(file, trace),
        WriteFormat::Sigrok => sigrok::write(file, trace),
    }
}

/// A file beside the one to be written, removed unless it was kept.
struct Draft {
    path: PathBuf,
    kept: bool,
}

impl Draft {
    fn create(target: &Path) -> Result<(File, Self), Problem> {
        for attempt in 0..100 {
            let mut name = OsString::from(".");
            name.push(target.file_name().unwrap_or_default());
            name.push(format!(".{}-{attempt}.part", std::process::id()));
            let path = target.with_file_name(name);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((file, Self { path, kept: false })),
                Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e.into()),
            }
        }
        Err(std::io::Error::from(ErrorKind::AlreadyExists).into())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.kept {
            // There is nobody left to tell.
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests;
