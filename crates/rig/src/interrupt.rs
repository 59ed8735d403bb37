//! Long work that somebody may ask to end.
//!
//! Work that is [watched](Interrupt::watch) looks at its flag at every turn ([`check`]) and unwinds
//! when it is asked to: no signature has to know of it, and whatever it holds is dropped on the way.
//! Benches side by side hand the flag on to their threads.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// What the work of this thread looks at.
    static WATCHED: RefCell<Option<Interrupt>> = const { RefCell::new(None) };
}

/// Asks work to end, from any thread.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

/// Work that ended because it was asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

impl Interrupt {
    /// Asks the work to end at its next turn.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True once the work is asked to end.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Does work that ends early when it is asked to.
    ///
    /// # Errors
    /// [`Interrupted`] when it ended early.
    pub fn watch<R>(&self, work: impl FnOnce() -> R) -> Result<R, Interrupted> {
        let outer = WATCHED.replace(Some(self.clone()));
        let done = or_interrupted(work);
        WATCHED.set(outer);
        done
    }
}

/// What the work of this thread looks at, to be handed on to threads that it starts.
#[must_use]
pub fn current() -> Interrupt {
    WATCHED.with_borrow(|watched| watched.clone().unwrap_or_default())
}

/// True once the work of this thread is asked to end.
#[must_use]
pub fn is_requested() -> bool {
    WATCHED.with_borrow(|watched| watched.as_ref().is_some_and(Interrupt::is_requested))
}

/// Ends the work of this thread here if it is asked to. No panic hook hears of it.
pub fn check() {
    if is_requested() {
        resume_unwind(Box::new(Interrupted));
    }
}

/// Does a part of some work; an interruption ends no more than it.
///
/// # Errors
/// [`Interrupted`] when it ended early.
pub fn or_interrupted<R>(part: impl FnOnce() -> R) -> Result<R, Interrupted> {
    // Whoever learns that the work was interrupted has nothing of it in hand.
    catch_unwind(AssertUnwindSafe(part)).map_err(|cause: Box<dyn Any + Send>| {
        *cause.downcast::<Interrupted>().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_nobody_asks_to_end_is_done() {
        assert_eq!(Interrupt::default().watch(|| (check(), 7).1), Ok(7));
        check();
    }

    #[test]
    fn work_ends_at_its_next_turn_and_the_thread_goes_on() {
        let interrupt = Interrupt::default();
        let mut turns = 0;
        let ended = interrupt.watch(|| {
            for turn in 0..10 {
                check();
                turns = turn;
                if turn == 3 {
                    interrupt.request();
                }
            }
        });
        assert_eq!((ended, turns), (Err(Interrupted), 3));
        check();
    }

    #[test]
    fn a_panic_stays_a_panic() {
        let interrupt = Interrupt::default();
        let broken =
            || -> Result<(), Interrupted> { interrupt.watch(|| resume_unwind(Box::new("broken"))) };
        let panic = catch_unwind(AssertUnwindSafe(broken)).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"broken"));
    }
}
