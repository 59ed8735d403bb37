//! Virtual time for software that uses `embassy-time`.
//!
//! `embassy-time` has one time driver per program. The driver in this module returns the virtual
//! time of one simulation: the simulation whose task is being polled on the current thread.
//! [`InVirtualTime`] registers the simulation of a task for the duration of each poll. Any number
//! of benches can therefore run in any number of threads.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use airlag_sim::{Instant, Sim};

thread_local! {
    /// Simulations whose tasks are being polled on this thread, innermost last.
    static POLLING: RefCell<Vec<Sim>> = const { RefCell::new(Vec::new()) };
}

struct Driver;

embassy_time_driver::time_driver_impl!(static DRIVER: Driver = Driver);

impl embassy_time_driver::Driver for Driver {
    /// A tick is one nanosecond. Outside a poll, time is zero.
    fn now(&self) -> u64 {
        POLLING.with_borrow(|polling| polling.last().map_or(0, |sim| sim.now().as_ns()))
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        let sim = POLLING.with_borrow(|polling| polling.last().cloned());
        if let Some(sim) = sim {
            let waker = waker.clone();
            sim.at(Instant::from_ns(at), move || waker.wake());
        }
    }
}

/// A task whose `embassy-time` clock is the virtual time of `sim`.
pub struct InVirtualTime<F> {
    sim: Sim,
    future: Pin<Box<F>>,
}

impl<F: Future> InVirtualTime<F> {
    /// Wraps a task.
    #[must_use]
    pub fn new(sim: &Sim, future: F) -> Self {
        // A different tick length is an error in the build, not in the input.
        const { assert!(embassy_time_driver::TICK_HZ == 1_000_000_000) };
        Self { sim: sim.clone(), future: Box::pin(future) }
    }
}

/// Leaves the simulation even if a poll panics.
struct Leave;

impl Drop for Leave {
    fn drop(&mut self) {
        POLLING.with_borrow_mut(|polling| polling.pop());
    }
}

impl<F: Future> Future for InVirtualTime<F> {
    type Output = F::Output;
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        POLLING.with_borrow_mut(|polling| polling.push(self.sim.clone()));
        let _leave = Leave;
        self.future.as_mut().poll(context)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use airlag_sim::Simulation;
    use embassy_time::{Duration, Timer};

    use super::*;

    /// Time at which a timer of `wait_us` expires in a simulation that started with a wait of
    /// `head_us`.
    fn fires_at(head_us: u64, wait_us: u64) -> u64 {
        let bench = Simulation::new(0);
        let fired = Rc::new(RefCell::new(0));
        let (result, sim) = (Rc::clone(&fired), bench.sim());
        let task = async move {
            sim.sleep(airlag_sim::Duration::from_us(head_us)).await;
            Timer::after(Duration::from_micros(wait_us)).await;
            *result.borrow_mut() = embassy_time::Instant::now().as_micros();
        };
        bench.spawn("task", InVirtualTime::new(&bench, task));
        bench.run().expect("no livelock");
        fired.take()
    }

    #[test]
    fn a_timer_waits_in_the_time_of_its_simulation() {
        assert_eq!(fires_at(1_000, 2_500), 3_500);
    }

    #[test]
    fn simulations_in_several_threads_do_not_see_each_other() {
        let threads: Vec<_> = (1..5_u64)
            .map(|nth| std::thread::spawn(move || (0..100).map(|_| fires_at(nth, nth * 7)).sum()))
            .collect();
        let sums: Vec<u64> = threads.into_iter().map(|one| one.join().expect("no panic")).collect();
        assert_eq!(sums, [800, 1_600, 2_400, 3_200]);
    }

    #[test]
    fn a_simulation_run_inside_a_task_of_another_keeps_its_own_time() {
        let bench = Simulation::new(0);
        let seen = Rc::new(RefCell::new((0, 0)));
        let (result, sim) = (Rc::clone(&seen), bench.sim());
        let task = async move {
            sim.sleep(airlag_sim::Duration::from_us(40)).await;
            let inner = fires_at(1, 2);
            *result.borrow_mut() = (inner, embassy_time::Instant::now().as_micros());
        };
        bench.spawn("task", InVirtualTime::new(&bench, task));
        bench.run().expect("no livelock");
        assert_eq!(*seen.borrow(), (3, 40));
    }
}
