//! How far long work is: a share of what was known from its start to be at most to do.

use std::sync::atomic::{AtomicUsize, Ordering};

/// What is told the share that is done, from 0 to 1, from any thread. It may fall behind what it was
/// told before by as much as benches side by side do.
pub type Told<'a> = &'a (dyn Fn(f64) + Sync);

/// Tells nobody.
pub(super) const UNTOLD: Told<'static> = &|_| {};

/// A part of the work, so many equal steps of it.
pub(super) struct Stage<'a> {
    told: Told<'a>,
    /// Which share of all work it begins with, and ends.
    share: (f64, f64),
    of: usize,
    done: AtomicUsize,
}

impl<'a> Stage<'a> {
    pub(super) fn new(told: Told<'a>, share: (f64, f64), of: usize) -> Self {
        told(share.0);
        Self { told, share, of, done: AtomicUsize::new(0) }
    }

    /// `work`, which is one step.
    pub(super) fn step<R>(&self, work: impl FnOnce() -> R) -> R {
        let result = work();
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let (from, to) = self.share;
        (self.told)(from + (to - from) * done as f64 / self.of.max(done) as f64);
        result
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn a_stage_goes_from_where_it_begins_to_where_it_ends_in_equal_steps() {
        let heard = Mutex::new(Vec::new());
        let told = |share: f64| heard.lock().expect("one thread").push(share);
        let stage = Stage::new(&told, (0.5, 0.9), 4);
        let made: Vec<i32> = (0..4).map(|nth| stage.step(|| nth)).collect();
        let heard = heard.lock().expect("one thread").clone();
        assert_eq!(made, [0, 1, 2, 3]);
        let expected = [0.5, 0.6, 0.7, 0.8, 0.9];
        assert!(heard.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{heard:?}");
    }
}
