//! Lock files for Python.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use airlag_files::lock;
use pyo3::prelude::*;

use crate::draft::os_error;

/// Lock file, which gives one process exclusive access. The file of a killed process does not block.
#[pyclass(frozen, module = "airlag._airlag")]
pub struct Lock {
    path: PathBuf,
    held: Mutex<Option<lock::Lock>>,
}

impl Lock {
    fn held(&self) -> MutexGuard<'_, Option<lock::Lock>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Lock {
    #[new]
    fn new(path: PathBuf) -> Self {
        Self { path, held: Mutex::new(None) }
    }

    /// Takes the lock. Returns `False` if another process holds it. Raises `OSError` if the file cannot be created,
    /// `FileNotFoundError` if its folder is missing.
    fn take(&self) -> PyResult<bool> {
        let taken = lock::Lock::take(&self.path).map_err(|error| os_error(&error, &self.path))?;
        let is_taken = taken.is_some();
        if is_taken {
            *self.held() = taken;
        }
        Ok(is_taken)
    }

    /// Whether this object holds the lock.
    #[getter]
    fn is_held(&self) -> bool {
        self.held().is_some()
    }

    /// Releases the lock, if this object holds it, and removes the file if `remove` is set.
    #[pyo3(signature = (*, remove=true))]
    fn release(&self, remove: bool) -> PyResult<()> {
        let released = self.held().take().map(|held| held.release(remove)).transpose();
        released.map(drop).map_err(|error| os_error(&error, &self.path))
    }
}
