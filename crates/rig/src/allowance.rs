//! A limit on the number of simulation events that the benches of a thread may process.
//!
//! The limit on the work of a search is a number of simulation events, not a time. A search that
//! reaches this limit therefore ends at the same event on every machine. Events are counted in
//! steps of [`PATIENCE`], so that the check of the limit takes hardly any time.

use std::cell::Cell;

use airlag_sim::PATIENCE;

use crate::error::Error;

thread_local! {
    /// Events left. `None` without a limit.
    static LEFT: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Restores the previous limit when dropped.
struct Outer(Option<u64>);

impl Drop for Outer {
    fn drop(&mut self) {
        LEFT.set(self.0);
    }
}

/// Runs `work` with a limit of `events` for its benches, rounded to whole steps of [`PATIENCE`]. A
/// bench that exceeds the limit returns [`Error::Allowance`].
pub fn within<R>(events: u64, work: impl FnOnce() -> R) -> R {
    let _outer = Outer(LEFT.replace(Some(events)));
    work()
}

/// Counts one step of a bench. Returns true once the allowance is spent.
pub(crate) fn spend() -> bool {
    let left = LEFT.get().map(|left| left.saturating_sub(PATIENCE));
    LEFT.set(left);
    left == Some(0)
}

/// Checks whether this thread has events left.
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
