use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering as Atomic};
use std::task::{Wake, Waker};

use proptest::prelude::*;

use super::*;
use crate::channel::channel;

type Log = Rc<RefCell<Vec<(u64, &'static str)>>>;

fn note(log: &Log, sim: &Sim, what: &'static str) {
    log.borrow_mut().push((sim.now().as_ns(), what));
}

#[test]
fn events_of_one_instant_fire_in_the_order_they_were_scheduled() {
    let bench = Simulation::new(0);
    let log = Log::default();
    for what in ["first", "second", "third"] {
        let (log, sim) = (log.clone(), bench.sim());
        bench.at(Instant::from_ns(5), move || note(&log, &sim, what));
    }
    assert_eq!(bench.run(), Ok(Stopped::Idle));
    assert_eq!(*log.borrow(), [(5, "first"), (5, "second"), (5, "third")]);
}

#[test]
fn a_task_sleeps_for_exactly_what_it_asked() {
    let bench = Simulation::new(0);
    let log = Log::default();
    let (sim, kept) = (bench.sim(), log.clone());
    bench.spawn("sleeper", async move {
        sim.sleep(Duration::from_us(3)).await;
        note(&kept, &sim, "three");
        sim.sleep_until(Instant::from_ns(10)).await;
        note(&kept, &sim, "past is ready at once");
    });
    assert_eq!(bench.run(), Ok(Stopped::Idle));
    assert_eq!(*log.borrow(), [(3_000, "three"), (3_000, "past is ready at once")]);
}

#[test]
fn a_run_stops_at_its_limit_and_goes_on_from_there() {
    let bench = Simulation::new(0);
    let log = Log::default();
    for at in [10, 20] {
        let (log, sim) = (log.clone(), bench.sim());
        bench.at(Instant::from_ns(at), move || note(&log, &sim, "tick"));
    }
    assert_eq!(bench.run_until(Instant::from_ns(15)), Ok(Stopped::AtLimit));
    assert_eq!(bench.now().as_ns(), 15);
    assert_eq!(log.borrow().len(), 1);
    assert_eq!(bench.run(), Ok(Stopped::Idle));
    assert_eq!(log.borrow().len(), 2);
}

#[test]
fn a_task_that_wakes_itself_endlessly_is_named_and_does_not_hang() {
    let bench = Simulation::new(0);
    bench.spawn("busy loop", async {
        std::future::poll_fn::<(), _>(|context| {
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    });
    let Err(Error::Livelock { task, at, .. }) = bench.run() else { panic!("no livelock seen") };
    assert_eq!((task.as_str(), at), ("busy loop", Instant::START));
}

#[test]
fn two_tasks_that_wake_each_other_endlessly_are_a_livelock_too() {
    let bench = Simulation::new(0);
    let (to_b, mut from_a) = channel::<()>(&bench);
    let (to_a, mut from_b) = channel::<()>(&bench);
    to_b.send(());
    bench.spawn("a", async move {
        while from_b.receive().await.is_some() {
            to_b.send(());
        }
    });
    bench.spawn("b", async move {
        while from_a.receive().await.is_some() {
            to_a.send(());
        }
    });
    assert!(matches!(bench.run(), Err(Error::Livelock { .. })));
}

#[test]
fn a_future_with_its_own_waker_is_woken_through_it() {
    struct Counting(AtomicBool);
    impl Wake for Counting {
        fn wake(self: Arc<Self>) {
            self.0.store(true, Atomic::Relaxed);
        }
    }
    let bench = Simulation::new(0);
    let counting = Arc::new(Counting(AtomicBool::new(false)));
    let waker = Waker::from(Arc::clone(&counting));
    let mut sleep = Box::pin(bench.sleep(Duration::from_ns(7)));
    assert!(sleep.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    bench.run().expect("nothing can loop here");
    assert!(counting.0.load(Atomic::Relaxed));
}

#[test]
fn a_finished_task_leaves_its_place_and_its_late_wakes_reach_nobody() {
    let bench = Simulation::new(0);
    let log = Log::default();
    for _ in 0..3 {
        let (sim, kept) = (bench.sim(), log.clone());
        bench.spawn("short", async move {
            // The future is dropped early, and its timer fires while the next task runs.
            let mut late = Box::pin(sim.sleep(Duration::from_us(50)));
            std::future::poll_fn(|context| {
                let _ = late.as_mut().poll(context);
                Poll::Ready(())
            })
            .await;
            sim.sleep(Duration::from_us(10)).await;
            note(&kept, &sim, "done");
        });
        bench.run_until(bench.now() + Duration::from_us(11)).expect("no livelock");
    }
    assert_eq!(*log.borrow(), [(10_000, "done"), (21_000, "done"), (32_000, "done")]);
}

#[test]
fn dropping_a_simulation_drops_its_tasks() {
    struct Flag(Rc<Cell<bool>>);
    impl Drop for Flag {
        fn drop(&mut self) {
            self.0.set(true);
        }
    }
    let dropped = Rc::new(Cell::new(false));
    let bench = Simulation::new(0);
    let (sim, flag) = (bench.sim(), Flag(dropped.clone()));
    bench.spawn("waits for ever", async move {
        sim.sleep(Duration::from_secs(1)).await;
        drop(flag);
    });
    bench.run_until(Instant::from_ns(1)).expect("no livelock");
    drop(bench);
    assert!(dropped.get());
}

/// A few tasks that sleep for random times and pass numbers to each other. Returns all observed
/// events.
fn babble(seed: u64, names: &[&str]) -> Vec<(u64, u64)> {
    let bench = Simulation::new(seed);
    let (out, mut seen) = channel::<(u64, u64)>(&bench);
    for name in names {
        let (sim, out, mut stream) = (bench.sim(), out.clone(), bench.stream(name));
        bench.spawn(*name, async move {
            for _ in 0..20 {
                sim.sleep(stream.within(Duration::from_us(9))).await;
                out.send((sim.now().as_ns(), stream.bits()));
            }
        });
    }
    bench.run().expect("no livelock");
    std::iter::from_fn(|| seen.try_receive()).collect()
}

proptest! {
    #[test]
    fn the_same_seed_gives_the_same_run(seed: u64) {
        prop_assert_eq!(babble(seed, &["a", "b", "c"]), babble(seed, &["a", "b", "c"]));
    }

    #[test]
    fn another_task_shifts_nobodys_draws(seed: u64) {
        let two = babble(seed, &["a", "b"]);
        let three = babble(seed, &["a", "b", "c"]);
        for item in &two {
            prop_assert!(three.contains(item));
        }
    }

    #[test]
    fn events_fire_in_time_order(times in prop::collection::vec(0_u64..100, 1..200)) {
        let bench = Simulation::new(0);
        let fired = Rc::new(RefCell::new(Vec::new()));
        for (order, &at) in times.iter().enumerate() {
            let fired = fired.clone();
            bench.at(Instant::from_ns(at), move || fired.borrow_mut().push((at, order)));
        }
        bench.run().expect("no livelock");
        let mut expected: Vec<_> = times.iter().enumerate().map(|(o, &at)| (at, o)).collect();
        expected.sort_unstable();
        prop_assert_eq!(&*fired.borrow(), &expected);
    }
}

#[test]
fn two_simulations_run_in_two_threads_and_agree() {
    let run = || babble(11, &["a", "b"]);
    let (one, two) = std::thread::scope(|scope| {
        let (one, two) = (scope.spawn(run), scope.spawn(run));
        (one.join().expect("one"), two.join().expect("two"))
    });
    assert_eq!(one, two);
}

/// Two tasks that are busy, sleep and notify each other, with either way of waiting.
fn log_of(busy: bool) -> (Vec<(u64, &'static str)>, u64) {
    let bench = Simulation::new(1);
    let log = Rc::new(RefCell::new(Vec::new()));
    for (name, step, rounds) in [("one", 30_u64, 9_u64), ("other", 70, 5), ("third", 210, 2)] {
        let (sim, log) = (bench.sim(), Rc::clone(&log));
        bench.spawn(name, async move {
            for _ in 0..rounds {
                let at = sim.now() + Duration::from_ns(step);
                if busy {
                    sim.busy_until(at).await;
                } else {
                    sim.sleep_until(at).await;
                }
                log.borrow_mut().push((sim.now().as_ns(), name));
            }
        });
    }
    bench.run_until(Instant::from_ns(400)).expect("no livelock");
    assert_eq!(bench.now().as_ns(), 400);
    (log.take(), bench.events_fired())
}

#[test]
fn being_busy_keeps_the_order_of_events_and_the_end_of_the_run() {
    assert_eq!(log_of(true), log_of(false));
}

#[test]
fn what_stands_beside_has_streams_of_its_own_and_leaves_no_spans() {
    static WAIT: Slice = Slice::besides("wait");
    let time = Simulation::new(1);
    let other = time.beside("one").beside("inner");
    assert_eq!(other.scope(), Some("one/inner"));
    assert_eq!(other.stream("backoff").bits(), Stream::new(1, "one/inner/backoff").bits());
    assert_ne!(other.stream("backoff").bits(), time.stream("backoff").bits());
    time.record_spans(true);
    let track = other.track("radio");
    other.span(track, &WAIT, Instant::START, Instant::from_ns(5));
    assert!(time.take_spans().is_empty() && time.track_names().is_empty());
}
