use std::cell::RefCell;
use std::rc::Rc;

use super::*;
use crate::sim::Simulation;
use crate::time::Duration;

#[test]
fn a_waiting_task_sees_the_edge_it_asked_for_and_not_the_other() {
    let bench = Simulation::new(0);
    let line = Line::new(&bench, false);
    let seen = Rc::new(RefCell::new(Vec::new()));
    for (edge, name) in [(Edge::Rising, "rise"), (Edge::Falling, "fall")] {
        let (line, seen) = (line.clone(), seen.clone());
        bench.spawn(name, async move {
            line.edge(edge).await;
            seen.borrow_mut().push((line.sim().now().as_ns(), name));
        });
    }
    let driver = line.clone();
    bench.at(Instant::from_ns(10), move || driver.set(true));
    let driver = line.clone();
    bench.at(Instant::from_ns(30), move || driver.set(false));
    bench.run().expect("no livelock");
    assert_eq!(*seen.borrow(), [(10, "rise"), (30, "fall")]);
}

#[test]
fn an_edge_that_came_while_nobody_waited_is_found_by_its_count() {
    let bench = Simulation::new(0);
    let line = Line::new(&bench, false);
    let seen = line.count(Edge::Rising);
    line.set(true);
    line.set(false);
    let woke = Rc::new(Cell::new(None));
    let (kept, sim) = (woke.clone(), bench.sim());
    bench.spawn("late", async move {
        sim.sleep(Duration::from_us(1)).await;
        line.edge_after(Edge::Rising, seen).await;
        kept.set(Some(sim.now().as_ns()));
    });
    bench.run().expect("no livelock");
    assert_eq!(woke.get(), Some(1_000));
}

#[test]
fn setting_the_same_level_is_no_edge_and_edges_are_recorded() {
    let bench = Simulation::new(0);
    let line = Line::new(&bench, true);
    line.record();
    line.set(true);
    line.set(false);
    line.set(false);
    assert_eq!(line.count(Edge::Any), 1);
    assert_eq!(line.take_edges(), [Instant::START]);
    assert!(line.initial() && !line.level());
}

#[test]
fn a_dropped_wait_wakes_nobody() {
    let bench = Simulation::new(0);
    let line = Line::new(&bench, false);
    let polls = Rc::new(Cell::new(0));
    let (counted, waited, sim) = (polls.clone(), line.clone(), bench.sim());
    bench.spawn("gives up", async move {
        let mut wait = Box::pin(waited.edge(Edge::Rising));
        std::future::poll_fn(|context| {
            let _ = wait.as_mut().poll(context);
            Poll::Ready(())
        })
        .await;
        drop(wait);
        let mut sleep = Box::pin(sim.sleep(Duration::from_us(1)));
        std::future::poll_fn(|context| {
            counted.set(counted.get() + 1);
            sleep.as_mut().poll(context)
        })
        .await;
    });
    bench.at(Instant::from_ns(500), move || line.set(true));
    bench.run().expect("no livelock");
    assert_eq!(polls.get(), 2);
}
