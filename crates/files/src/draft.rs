//! Files that appear whole or not at all.
//!
//! A [`Draft`] is a file of a name nobody else has, beside the one that is to be written. Once it is
//! complete and on the disk it takes that one's place; until then whoever looks sees what was there
//! before. Several processes with one target leave what the last of them wrote.
//!
//! What a target holds is not lost by mistake: only the same may take its place, unless
//! [`Replace::Anything`] is said.
//!
//! Drafts of a process that is about to end without unwinding are removed by [`abandon`].

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, TempPath};

/// Drafts that are on the disk, neither kept nor dropped. Holding it, none is made, kept or dropped.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the drafts of this process, for good: any other use of a draft waits until it ends.
pub fn abandon() {
    let mut drafts = unfinished();
    for path in &*drafts {
        // There is nobody left to tell.
        let _ = fs::remove_file(path);
    }
    drafts.clear();
    std::mem::forget(drafts);
}

/// What a draft may take the place of. An empty file holds nothing, and is no matter to either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replace {
    /// A file with the same content.
    Same,
    /// Any file.
    Anything,
}

/// A file that is being written. Dropped, it is gone, and what was there before is untouched.
#[derive(Debug)]
pub struct Draft {
    file: File,
    beside: Option<Beside>,
}

impl Draft {
    /// Begins to write `target`.
    ///
    /// Behind a link it is the file that is replaced, not the link. A device or a pipe is written
    /// to: replacing it would take it from everyone else. A file that is there keeps its mode.
    ///
    /// # Errors
    /// What the file system says of the target or its folder.
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

    /// Where the content goes.
    #[must_use]
    pub const fn file(&self) -> &File {
        &self.file
    }

    /// Puts it, complete, in the place of what was there.
    ///
    /// # Errors
    /// When it does not reach the disk, and [`ErrorKind::AlreadyExists`] when the target holds what
    /// may not be replaced; then what was there before is untouched.
    pub fn keep(self, replace: Replace) -> io::Result<()> {
        let Some(beside) = self.beside else { return Ok(()) };
        self.file.sync_all()?;
        drop(self.file);
        if replace == Replace::Same && beside.is_other()? {
            let why = "it holds something else; --force replaces it";
            return Err(io::Error::new(ErrorKind::AlreadyExists, why));
        }
        beside.replace()
    }
}

/// A draft and the file it is for.
#[derive(Debug)]
struct Beside {
    draft: Option<TempPath>,
    target: PathBuf,
}

impl Beside {
    /// True when the target holds something, and not what the draft does.
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
        // The file is whole whether or not its folder can be opened or synced.
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
    // A name may have 255 bytes, and the draft's is longer than the target's.
    prefix.push(if name.len() < 200 { name } else { "airlag".as_ref() });
    prefix.push(".");
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(".part");
    let made = builder.make_in(folder_of(target), |path| options.open(path))?;
    Ok(made.into_parts())
}

/// A file that was not there. Beside one that is, nobody but its owner may look into it until it has
/// that one's mode.
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

/// True of `/dev/stdout` and its like: they stand for what is open already, a regular file too.
fn is_of_a_process(target: &Path) -> bool {
    let folder = fs::canonicalize(folder_of(target)).unwrap_or_default();
    folder == Path::new("/dev") || folder.starts_with("/proc")
}

/// The file that a path means, which need not be there.
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
