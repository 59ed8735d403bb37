//! Cooperative interruption of long work.
//!
//! Work under [`Interrupt::watch`], such as any run of a bench, polls the flag of the [`Interrupt`]
//! and ends with [`Error::Interrupted`] when the flag is set. Work that runs several benches in
//! parallel passes the flag to the threads of the benches. The caller that set the flag discards
//! the result of the work, or keeps the complete part of the result.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;

thread_local! {
    /// Flag that the work of this thread polls.
    static WATCHED: RefCell<Option<Interrupt>> = const { RefCell::new(None) };
}

/// A handle that interrupts work from any thread.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<Flags>);

#[derive(Debug, Default)]
struct Flags {
    requested: AtomicBool,
    /// Whether the work has polled the flag while it was set. If so, its result may be incomplete.
    noticed: AtomicBool,
}

/// Restores the thread's previous flag when dropped.
struct Outer(Option<Interrupt>);

impl Drop for Outer {
    fn drop(&mut self) {
        WATCHED.set(self.0.take());
    }
}

impl Interrupt {
    /// Requests the work to end at its next poll.
    pub fn request(&self) {
        self.0.requested.store(true, Ordering::Relaxed);
    }

    /// Whether the work has polled the flag since the request. Remains false if the work completes
    /// before it polls the flag.
    #[must_use]
    pub fn was_noticed(&self) -> bool {
        self.0.noticed.load(Ordering::Relaxed)
    }

    /// Polls the flag on behalf of the work.
    fn look(&self) -> bool {
        let requested = self.0.requested.load(Ordering::Relaxed);
        if requested {
            self.0.noticed.store(true, Ordering::Relaxed);
        }
        requested
    }

    /// Lets this handle interrupt all further work of this thread.
    pub fn adopt(&self) {
        WATCHED.set(Some(self.clone()));
    }

    /// Runs `work`, interruptible by this handle.
    pub fn watch<R>(&self, work: impl FnOnce() -> R) -> R {
        let _outer = Outer(WATCHED.replace(Some(self.clone())));
        work()
    }
}

/// Returns the handle of this thread's work, to pass to threads that it starts.
#[must_use]
pub fn current() -> Interrupt {
    WATCHED.with_borrow(|watched| watched.clone().unwrap_or_default())
}

/// Whether this thread's work has been requested to end.
#[must_use]
pub fn is_requested() -> bool {
    WATCHED.with_borrow(|watched| watched.as_ref().is_some_and(Interrupt::look))
}

/// Checks whether this thread's work may continue.
///
/// # Errors
///
/// [`Error::Interrupted`] once this thread's work should end.
pub fn check() -> Result<(), Error> {
    if is_requested() { Err(Error::Interrupted) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

    use super::*;

    #[test]
    fn work_that_nobody_asks_to_end_is_done() {
        assert_eq!(Interrupt::default().watch(|| check().map(|()| 7)), Ok(7));
        assert_eq!(check(), Ok(()));
    }

    #[test]
    fn work_ends_at_its_next_turn_and_the_thread_goes_on() {
        let interrupt = Interrupt::default();
        let mut turns = 0;
        let ended = interrupt.watch(|| {
            for turn in 0..10 {
                check()?;
                turns = turn;
                if turn == 3 {
                    interrupt.request();
                }
            }
            Ok(())
        });
        assert_eq!((ended, turns), (Err(Error::Interrupted), 3));
        assert!(interrupt.was_noticed());
        assert_eq!(check(), Ok(()));
    }

    #[test]
    fn all_work_of_a_thread_ends_by_the_flag_that_it_adopted() {
        let interrupt = Interrupt::default();
        interrupt.request();
        let adopted = || {
            interrupt.adopt();
            // As in work that passes the handle to its own threads.
            (check(), current().watch(check), check())
        };
        let ended = std::thread::scope(|scope| scope.spawn(adopted).join().unwrap());
        let interrupted = || Err(Error::Interrupted);
        assert_eq!(ended, (interrupted(), interrupted(), interrupted()));
        assert_eq!(check(), Ok(()));
    }

    #[test]
    fn work_that_was_complete_before_it_looked_again_is_whole() {
        let interrupt = Interrupt::default();
        let done = interrupt.watch(|| {
            let first = check();
            interrupt.request();
            first
        });
        assert_eq!((done, interrupt.was_noticed()), (Ok(()), false));
    }

    #[test]
    fn a_panic_stays_a_panic_and_the_thread_looks_at_nothing_any_more() {
        let interrupt = Interrupt::default();
        let broken = || interrupt.watch(|| resume_unwind(Box::new("broken")));
        let panic = catch_unwind(AssertUnwindSafe(broken)).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"broken"));
        interrupt.request();
        assert!(!is_requested());
    }
}
