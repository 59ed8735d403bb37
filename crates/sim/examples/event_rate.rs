//! Events a second on one core: timers, and tasks that sleep. `cargo run --release --example event_rate`
#![allow(clippy::print_stdout, missing_docs)]

use std::rc::Rc;
use std::time::Instant as Wall;

use airlag_sim::{Duration, Instant, Sim, Simulation, Timed};

const EVENTS: u64 = 5_000_000;

struct Ticker(Sim);

impl Timed for Ticker {
    fn due(self: Rc<Self>, left: u64) {
        if left > 0 {
            let at = self.0.now() + Duration::from_ns(100);
            self.0.clone().timer(at, self, left - 1);
        }
    }
}

fn main() {
    let bench = Simulation::new(1);
    for offset in 0..10 {
        bench.timer(Instant::from_ns(offset), Rc::new(Ticker(bench.sim())), EVENTS / 10);
    }
    let start = Wall::now();
    bench.run().expect("time moves on");
    let timers = bench.events_fired() as f64 / start.elapsed().as_secs_f64();

    let bench = Simulation::new(1);
    for _ in 0..10 {
        let sim = bench.sim();
        bench.spawn("sleeper", async move {
            for _ in 0..EVENTS / 10 {
                sim.sleep(Duration::from_ns(100)).await;
            }
        });
    }
    let start = Wall::now();
    bench.run().expect("time moves on");
    let sleeps = bench.events_fired() as f64 / start.elapsed().as_secs_f64();
    println!("timers {:.1} M/s, task sleeps {:.1} M/s", timers / 1e6, sleeps / 1e6);
}
