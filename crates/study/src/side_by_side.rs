//! Parallel execution of independent benches. The number of cores does not change any result.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use airlag_rig::interrupt;

/// Runs `work` on every item, on all cores. Results keep the order of the items.
pub(crate) fn side_by_side<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let lanes = cores.min(items.len());
    // A browser provides no additional threads for this.
    if lanes <= 1 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let interrupt = interrupt::current();
    // Each thread takes the next item when it is free, because some items take a hundred times as
    // long as others.
    let lane = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return done };
            done.push((at, work(item)));
        }
    };
    let lane = || interrupt.watch(lane);
    let mut done: Vec<(usize, R)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..lanes).map(|_| scope.spawn(lane)).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, Vec<(usize, R)>>| {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        threads.into_iter().flat_map(join).collect()
    });
    done.sort_by_key(|&(at, _)| at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use airlag_rig::Error;
    use airlag_rig::interrupt::{Interrupt, check};

    use super::*;

    #[test]
    fn benches_side_by_side_end_too() {
        let interrupt = Interrupt::default();
        let items: Vec<u32> = (0..1000).collect();
        let ended = interrupt.watch(|| {
            side_by_side(&items, |_| {
                interrupt.request();
                check()
            })
        });
        assert_eq!(ended, vec![Err(Error::Interrupted); 1000]);
    }
}
