//! Lock files, which give one process exclusive access to a folder.

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A lock held by this process. The file of a killed process does not block.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    file: File,
}

impl Lock {
    /// Takes the lock. Returns `None` if another process holds it.
    ///
    /// # Errors
    ///
    /// Returns the error of the operating system if the file cannot be created.
    pub fn take(path: &Path) -> io::Result<Option<Self>> {
        loop {
            let mut options = File::options();
            let file = options.read(true).write(true).create(true).truncate(false).open(path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // The previous holder may have removed the file after it was opened here.
            let same = path.metadata().is_ok_and(|there| {
                file.metadata()
                    .is_ok_and(|here| (here.dev(), here.ino()) == (there.dev(), there.ino()))
            });
            if same {
                return Ok(Some(Self { path: path.to_owned(), file }));
            }
        }
    }

    /// Releases the lock, and removes the file if `remove` is set.
    ///
    /// # Errors
    ///
    /// Returns the error of the operating system if the file cannot be removed.
    pub fn release(self, remove: bool) -> io::Result<()> {
        let removed = if remove { std::fs::remove_file(&self.path) } else { Ok(()) };
        drop(self.file);
        removed.or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_excludes_others_until_released_and_a_leftover_file_does_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lock");
        let held = Lock::take(&path).expect("created").expect("free");
        assert!(Lock::take(&path).expect("there").is_none());
        held.release(false).expect("released");
        assert!(path.exists());
        let held = Lock::take(&path).expect("there").expect("free");
        held.release(true).expect("removed");
        assert!(!path.exists());
        let absent = Lock::take(&folder.path().join("absent/lock")).expect_err("no folder");
        assert_eq!(absent.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_file_removed_while_held_does_not_block() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lock");
        let held = Lock::take(&path).expect("created").expect("free");
        std::fs::remove_file(&path).expect("there");
        let other = Lock::take(&path).expect("created").expect("free");
        assert!(Lock::take(&path).expect("there").is_none());
        drop((held, other));
    }
}
