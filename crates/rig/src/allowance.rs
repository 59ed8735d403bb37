//! How many events the benches of a thread may fire, for a search with a budget of work.
//!
//! Events are counted and not seconds, so work that is ended ends at the same event on any machine. They are
//! counted in steps of [`PATIENCE`], so that a bench costs nothing more to run.

use std::cell::Cell;

use airlag_sim::PATIENCE;

use crate::error::Error;

thread_local! {
    /// Events that are left; none where there is no limit.
    static LEFT: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Puts back the limit from before, however the work ends.
struct Outer(Option<u64>);

impl Drop for Outer {
    fn drop(&mut self) {
        LEFT.set(self.0);
    }
}

/// Does work whose benches fire at most so many events, in whole steps of [`PATIENCE`]. The bench that wants
/// more ends with [`Error::Allowance`].
pub fn within<R>(events: u64, work: impl FnOnce() -> R) -> R {
    let _outer = Outer(LEFT.replace(Some(events)));
    work()
}

/// Counts one step of a bench. True once the allowance is spent.
pub(crate) fn spend() -> bool {
    let left = LEFT.get().map(|left| left.saturating_sub(PATIENCE));
    LEFT.set(left);
    left == Some(0)
}

/// For a bench that may end here.
///
/// # Errors
///
/// [`Error::Allowance`] once the allowance of this thread is spent.
pub(crate) fn check() -> Result<(), Error> {
    if LEFT.get() == Some(0) { Err(Error::Allowance) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_an_allowance_nothing_ends() {
        assert!((0..1_000).all(|_| !spend()));
        assert_eq!(check(), Ok(()));
    }

    #[test]
    fn work_ends_once_its_allowance_is_spent_and_later_work_has_its_own() {
        let steps = within(10 * PATIENCE, || (1..).find(|_| spend()));
        assert_eq!(steps, Some(10));
        assert_eq!(within(0, check), Err(Error::Allowance));
        assert_eq!(check(), Ok(()));
    }
}
