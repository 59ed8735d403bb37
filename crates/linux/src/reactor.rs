//! Waits for file descriptors and times, for one future in one thread.
//!
//! A radio needs tens of microseconds, so timers use `ppoll` with nanoseconds. There are no wakers: the
//! future is polled after every event, and registers its events again.

use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::io;
use std::num::NonZeroU64;
use std::ops::ControlFlow;
use std::os::fd::{AsFd, AsRawFd, RawFd};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// Largest interval between checks for a request to end.
pub const TURN: Duration = Duration::from_millis(30);

/// Registered events of a future, and those that occurred.
#[derive(Default)]
pub struct Reactor {
    waited_for: RefCell<Vec<Rc<dyn AsFd>>>,
    /// Descriptors that were readable at the last check.
    readable: RefCell<Vec<RawFd>>,
    wake: Cell<Option<Instant>>,
    /// Time of the last check for a request to end.
    turned: Cell<Option<Instant>>,
}

impl Reactor {
    /// Runs a future to completion. Returns `None` if `turn`, which is called every [`TURN`], requests the end.
    ///
    /// # Errors
    ///
    /// An error of the operating system.
    pub fn run<F: Future>(
        &self,
        future: F,
        mut turn: impl FnMut() -> ControlFlow<()>,
    ) -> io::Result<Option<F::Output>> {
        // By default, Linux may wake a thread up to 50 us late to save power. If this program may not change
        // that, the thread continues to wake up late.
        let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
        let mut future = pin!(future);
        let mut context = Context::from_waker(Waker::noop());
        loop {
            if self.is_turn_due() {
                if turn().is_break() {
                    return Ok(None);
                }
                self.turned.set(Some(Instant::now()));
            }
            self.waited_for.borrow_mut().clear();
            self.wake.set(None);
            if let Poll::Ready(done) = future.as_mut().poll(&mut context) {
                return Ok(Some(done));
            }
            self.sleep()?;
        }
    }

    /// Waits until a descriptor is readable.
    pub async fn readable(&self, source: &Rc<impl AsFd + 'static>) {
        let descriptor = source.as_fd().as_raw_fd();
        poll_fn(|_| {
            let mut readable = self.readable.borrow_mut();
            if let Some(at) = readable.iter().position(|&one| one == descriptor) {
                readable.swap_remove(at);
                return Poll::Ready(());
            }
            self.waited_for.borrow_mut().push(Rc::clone(source) as Rc<dyn AsFd>);
            Poll::Pending
        })
        .await;
    }

    /// Waits until a time.
    pub async fn until(&self, at: Instant) {
        poll_fn(|_| {
            if Instant::now() >= at {
                return Poll::Ready(());
            }
            self.wake.set(Some(self.wake.get().map_or(at, |earlier| earlier.min(at))));
            Poll::Pending
        })
        .await;
    }

    /// Yields if the check whether to end is due. Loops that may never wait have to call this function.
    pub async fn breathe(&self) {
        let mut breathed = !self.is_turn_due();
        poll_fn(|_| {
            if std::mem::replace(&mut breathed, true) {
                return Poll::Ready(());
            }
            self.wake.set(Some(Instant::now()));
            Poll::Pending
        })
        .await;
    }

    fn is_turn_due(&self) -> bool {
        self.turned.get().is_none_or(|last| last.elapsed() >= TURN)
    }

    /// Waits for the next event.
    fn sleep(&self) -> io::Result<()> {
        let wait = self
            .wake
            .get()
            .map_or(TURN, |at| at.saturating_duration_since(Instant::now()).min(TURN));
        let wait = Timespec { tv_sec: 0, tv_nsec: wait.as_nanos() as _ };
        let sources = self.waited_for.borrow();
        let mut watched: Vec<PollFd<'_>> =
            sources.iter().map(|one| PollFd::new(one, PollFlags::IN)).collect();
        match poll(&mut watched, Some(&wait)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let mut readable = self.readable.borrow_mut();
        readable.clear();
        // A broken descriptor is readable, and reading returns its error.
        let come = watched.iter().filter(|one| !one.revents().is_empty());
        readable.extend(come.map(|one| one.as_fd().as_raw_fd()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::os::unix::net::UnixStream;

    use embassy_futures::join::join;
    use embassy_futures::select::{Either, select};

    use super::*;

    fn on() -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    #[test]
    fn a_future_waits_for_what_comes_first() {
        let (reactor, (mut near, far)) = (Reactor::default(), UnixStream::pair().expect("a pair"));
        let far = Rc::new(far);
        let long = Instant::now() + Duration::from_secs(3_600);
        let soon = || Instant::now() + Duration::from_millis(1);
        let done = reactor.run(
            async {
                assert!(matches!(
                    select(reactor.readable(&far), reactor.until(soon())).await,
                    Either::Second(())
                ));
                near.write_all(b"x").expect("it is open");
                assert!(matches!(
                    select(reactor.readable(&far), reactor.until(long)).await,
                    Either::First(())
                ));
                let mut byte = [0];
                (&*far).read_exact(&mut byte).expect("one was written");
                byte[0]
            },
            on,
        );
        assert_eq!(done.expect("polling works"), Some(b'x'));
    }

    #[test]
    fn two_that_wait_for_different_descriptors_are_both_told() {
        let reactor = Reactor::default();
        let (mut near, far) = UnixStream::pair().expect("a pair");
        let (mut here, there) = UnixStream::pair().expect("a pair");
        let (far, there) = (Rc::new(far), Rc::new(there));
        near.write_all(b"x").expect("it is open");
        here.write_all(b"x").expect("it is open");
        let both = join(reactor.readable(&far), reactor.readable(&there));
        assert!(reactor.run(both, on).expect("polling works").is_some());
    }

    #[test]
    fn an_instant_is_not_over_before_it_is() {
        let (reactor, at) = (Reactor::default(), Instant::now() + Duration::from_micros(300));
        reactor.run(reactor.until(at), on).expect("polling works");
        assert!(Instant::now() >= at);
    }

    #[test]
    fn it_ends_when_it_is_told_to_though_nothing_comes_and_though_nothing_waits() {
        let (reactor, mut turns) = (Reactor::default(), 0);
        let third = || {
            turns += 1;
            if turns < 3 { on() } else { ControlFlow::Break(()) }
        };
        let ended = reactor.run(std::future::pending::<()>(), third);
        assert_eq!((ended.expect("polling works"), turns), (None, 3));
        let (mut turns, busy) = (0, async {
            loop {
                reactor.breathe().await;
            }
        });
        let third = || {
            turns += 1;
            if turns < 3 { on() } else { ControlFlow::Break(()) }
        };
        assert!(reactor.run(busy, third).expect("polling works").is_none());
    }
}
