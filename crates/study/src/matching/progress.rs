//! Progress of a long computation, as a share of its expected maximum.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Callback with the completed share from 0 to 1, from any thread. Values may decrease slightly between benches
/// that run in parallel.
pub type OnProgress<'a> = &'a (dyn Fn(f64) + Sync);

/// A callback that does nothing.
pub(super) const NO_PROGRESS: OnProgress<'static> = &|_| {};

/// A part of the work with a number of equal steps.
pub(super) struct Stage<'a> {
    on_progress: OnProgress<'a>,
    /// Completed share of all work at the start and at the end of the stage.
    share: (f64, f64),
    of: usize,
    done: AtomicUsize,
}

impl<'a> Stage<'a> {
    pub(super) fn new(on_progress: OnProgress<'a>, share: (f64, f64), of: usize) -> Self {
        on_progress(share.0);
        Self { on_progress, share, of, done: AtomicUsize::new(0) }
    }

    /// Runs `work` as one step.
    pub(super) fn step<R>(&self, work: impl FnOnce() -> R) -> R {
        let result = work();
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let (from, to) = self.share;
        (self.on_progress)(from + (to - from) * done as f64 / self.of.max(done) as f64);
        result
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn a_stage_reports_equal_steps_from_its_start_to_its_end() {
        let reported = Mutex::new(Vec::new());
        let on_progress = |share: f64| reported.lock().expect("one thread").push(share);
        let stage = Stage::new(&on_progress, (0.5, 0.9), 4);
        let made: Vec<i32> = (0..4).map(|nth| stage.step(|| nth)).collect();
        let reported = reported.lock().expect("one thread").clone();
        assert_eq!(made, [0, 1, 2, 3]);
        let expected = [0.5, 0.6, 0.7, 0.8, 0.9];
        assert!(reported.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{reported:?}");
    }
}
