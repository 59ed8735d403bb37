//! Atomic writes of files for Python.

use std::io;
use std::os::fd::IntoRawFd;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use airlag_files::draft::{self, Replace};
use pyo3::exceptions::{PyFileExistsError, PyOSError, PyValueError};
use pyo3::prelude::*;

/// Value of EEXIST on all platforms of Python.
const EEXIST: i32 = 17;

/// Converts to an `OSError` with number, message and file name, as Python does.
pub(crate) fn os_error(error: &io::Error, path: &Path) -> PyErr {
    let words = error.to_string();
    let words = words.split(" (os error").next().unwrap_or_default().to_owned();
    match error.raw_os_error() {
        Some(code) => PyOSError::new_err((code, words, path.to_owned())),
        None if error.kind() == io::ErrorKind::AlreadyExists => {
            PyFileExistsError::new_err((EEXIST, words, path.to_owned()))
        }
        None => PyOSError::new_err(words),
    }
}

/// A file that is being written, beside its target.
#[pyclass(frozen)]
pub struct Draft {
    path: PathBuf,
    draft: Mutex<Option<draft::Draft>>,
}

impl Draft {
    fn take(&self) -> Option<draft::Draft> {
        self.draft.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

#[pymethods]
impl Draft {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let made = py.detach(|| draft::Draft::create(&path)).map_err(|e| os_error(&e, &path))?;
        Ok(Self { path, draft: Mutex::new(Some(made)) })
    }

    /// A file descriptor to write to. The caller closes it.
    fn descriptor(&self) -> PyResult<i32> {
        let draft = self.draft.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(draft) = &*draft else { return Err(PyValueError::new_err("nothing to write")) };
        let file = draft.file().try_clone().map_err(|e| os_error(&e, &self.path))?;
        Ok(file.into_raw_fd())
    }

    /// Moves the complete file to its target. Replaces a file only if it has the same content, or with `force`.
    fn keep(&self, py: Python<'_>, force: bool) -> PyResult<()> {
        let Some(draft) = self.take() else { return Ok(()) };
        let replace = if force { Replace::Anything } else { Replace::Same };
        py.detach(|| draft.keep(replace)).map_err(|e| os_error(&e, &self.path))
    }

    /// Removes the file, unless it was kept.
    fn discard(&self) {
        drop(self.take());
    }
}
