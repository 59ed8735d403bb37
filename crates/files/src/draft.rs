//! Atomic writes of files.
//!
//! A [`Draft`] is a temporary file with a unique name in the folder of the target, the file to be written.
//! When the draft is complete and written to the disk, the draft replaces the target. Until then, readers of
//! the target see its old contents. If several processes write the same target, the contents of the process
//! that finishes last remain.
//!
//! A target with different contents is replaced only with [`Replace::Anything`], so that it is not
//! overwritten by mistake.
//!
//! [`abandon`] removes the drafts of a process that is about to end without unwinding.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, TempPath};

/// Drafts on the disk that are neither kept nor dropped. While this set is locked, no draft is created, kept
/// or dropped.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the drafts of this process. Any other use of a draft blocks until the process ends.
pub fn abandon() {
    let mut drafts = unfinished();
    for path in &*drafts {
        // An error at this point cannot be reported any more.
        let _ = fs::remove_file(path);
    }
    drafts.clear();
    std::mem::forget(drafts);
}

/// Targets that a draft may replace. An empty file may always be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replace {
    /// A file with the same content.
    Same,
    /// Any file.
    Anything,
}

/// A file that is being written. Dropping it removes it, and leaves the target unchanged.
#[derive(Debug)]
pub struct Draft {
    file: File,
    beside: Option<Beside>,
}

impl Draft {
    /// Starts to write `target`.
    ///
    /// If `target` is a symbolic link, the file that the link points to is replaced, and the link remains. A
    /// device or a pipe is written directly, because replacing it would affect other programs. If the target
    /// already exists, the new file has the mode of the old file.
    ///
    /// # Errors
    /// An error of the file system for the target or its folder.
    pub fn create(target: &Path) -> io::Result<Self> {
        let before = match fs::metadata(target) {
            Ok(found) if !found.is_file() || is_of_a_process(target) => {
                let file = OpenOptions::new().write(true).open(target)?;
                return Ok(Self { file, beside: None });
            }
            Ok(found) => Some(found),
            Err(e) if e.kind() == ErrorKind::NotFound => None,
            Err(e) => return Err(e),
        };
        let target = behind_links(target)?;
        let mut drafts = unfinished();
        let (file, draft) = create_beside(&target, &fresh(before.is_some()))?;
        drafts.insert(draft.to_path_buf());
        drop(drafts);
        let beside = Some(Beside { draft: Some(draft), target });
        let draft = Self { file, beside };
        if let Some(before) = before {
            draft.file.set_permissions(before.permissions())?;
        }
        Ok(draft)
    }

    /// Returns the file to write to.
    #[must_use]
    pub const fn file(&self) -> &File {
        &self.file
    }

    /// Moves the complete file to its target.
    ///
    /// # Errors
    /// If it cannot be written to the disk. [`ErrorKind::AlreadyExists`] if the target must not be replaced.
    /// The target is then unchanged.
    pub fn keep(self, replace: Replace) -> io::Result<()> {
        let Some(beside) = self.beside else { return Ok(()) };
        self.file.sync_all()?;
        drop(self.file);
        if replace == Replace::Same && beside.is_other()? {
            let why = "it has other contents; use --force to replace it";
            return Err(io::Error::new(ErrorKind::AlreadyExists, why));
        }
        beside.replace()
    }
}

/// A draft with its target.
#[derive(Debug)]
struct Beside {
    draft: Option<TempPath>,
    target: PathBuf,
}

impl Beside {
    /// Whether the target is not empty and differs from the draft.
    fn is_other(&self) -> io::Result<bool> {
        let Some(draft) = &self.draft else { return Ok(false) };
        let there = match File::open(&self.target) {
            Ok(there) => there,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(false),
            Err(e) => return Err(e),
        };
        let (ours, there) = (BufReader::new(File::open(draft)?), BufReader::new(there));
        let length = there.get_ref().metadata()?.len();
        if length == 0 || length != ours.get_ref().metadata()?.len() {
            return Ok(length != 0);
        }
        for (one, other) in ours.bytes().zip(there.bytes()) {
            if one? != other? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn replace(mut self) -> io::Result<()> {
        let Some(draft) = self.draft.take() else { return Ok(()) };
        let mut drafts = unfinished();
        drafts.remove(&*draft);
        draft.persist(&self.target).map_err(|refused| refused.error)?;
        drop(drafts);
        // The file is complete even if the folder cannot be opened or synchronised.
        let _ = File::open(folder_of(&self.target)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if let Some(draft) = self.draft.take() {
            let mut drafts = unfinished();
            drafts.remove(&*draft);
            drop(draft);
        }
    }
}

fn create_beside(target: &Path, options: &OpenOptions) -> io::Result<(File, TempPath)> {
    let Some(name) = target.file_name() else { return Err(ErrorKind::IsADirectory.into()) };
    let mut prefix = OsString::from(".");
    // A name has at most 255 bytes, and the name of the draft is longer than that of the target.
    prefix.push(if name.len() < 200 { name } else { "airlag".as_ref() });
    prefix.push(".");
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(".part");
    let made = builder.make_in(folder_of(target), |path| options.open(path))?;
    Ok(made.into_parts())
}

/// Options to create a new file. Beside an existing target, only the owner has access until it has the mode
/// of the target.
fn fresh(beside: bool) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if beside {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    options
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether the path refers to an open file of a process, such as `/dev/stdout`.
fn is_of_a_process(target: &Path) -> bool {
    let folder = fs::canonicalize(folder_of(target)).unwrap_or_default();
    folder == Path::new("/dev") || folder.starts_with("/proc")
}

/// The file behind symbolic links, which need not exist.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Err(e) if e.kind() == ErrorKind::NotFound => match fs::read_link(path) {
            Ok(next) => behind_links(&folder_of(path).join(next)),
            Err(_) => Ok(path.to_owned()),
        },
        found => found,
    }
}

#[cfg(test)]
mod tests;
