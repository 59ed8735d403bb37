//! Progress of work that consists of equal steps.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::question::Progress;

/// Thread-safe counter of completed steps.
pub(super) struct Steps<'a> {
    progress: Progress<'a>,
    done: AtomicU64,
    all: u64,
}

impl<'a> Steps<'a> {
    pub(super) const fn new(progress: Progress<'a>, all: usize) -> Self {
        Self { progress, done: AtomicU64::new(0), all: all as u64 }
    }

    /// Reports one more completed step. The total grows if there are more steps than expected.
    pub(super) fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        (self.progress)(done, self.all.max(done));
    }
}
