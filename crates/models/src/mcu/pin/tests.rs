use std::cell::RefCell;
use std::rc::Rc;

use airlag_sim::{Clock, Instant, Simulation};

use super::*;

/// Detection delays, ns, of edges at these times, us.
fn lateness(notice: Notice, clock: Clock, edges_us: &[u64]) -> Vec<u64> {
    let bench = Simulation::new(1);
    let board = Board::new(&bench, "board", clock);
    let line = Line::new(&bench, false);
    let late = Rc::new(RefCell::new(Vec::new()));
    let mut input = Input::new(&board, "input", &line, notice);
    let (kept, wire, sim) = (late.clone(), line.clone(), bench.sim());
    bench.spawn("program", async move {
        loop {
            let Ok(()) = input.wait_for_rising_edge().await;
            kept.borrow_mut().push(sim.now().since(wire.changed_at()).as_ns());
            let Ok(()) = input.wait_for_low().await;
        }
    });
    for &us in edges_us {
        for (at, level) in [(us * 1_000, true), (us * 1_000 + 20_000_000, false)] {
            let line = line.clone();
            bench.at(Instant::from_ns(at), move || line.set(level));
        }
    }
    bench.run().expect("no livelock");
    late.borrow().clone()
}

#[test]
fn an_interrupt_is_noticed_after_its_entry() {
    let notice = Notice::Interrupt { entry: Duration::from_ns(470), jitter: Duration::ZERO };
    assert_eq!(lateness(notice, Clock::exact(), &[100, 50_000]), [470, 470]);
}

#[test]
fn a_polled_flag_is_noticed_within_one_loop() {
    let notice = Notice::Polled { entry: Duration::from_ns(400), period: Duration::from_ns(100) };
    let edges: Vec<u64> = (0..50).map(|nth| nth * 50_000).collect();
    let late = lateness(notice, Clock::exact(), &edges);
    assert!(late.iter().all(|late| (400..=500).contains(late)), "{late:?}");
    assert!(late.windows(2).any(|pair| pair[0] != pair[1]), "{late:?}");
}

#[test]
fn a_tick_freezes_the_wait_of_a_trigger_that_is_its_multiple() {
    let clock = Clock::exact().with_tick(Duration::from_ms(10), Duration::from_ms(3));
    let notice = Notice::Tick { entry: Duration::from_us(1) };
    // Triggers at 1, 51, 101 ms; ticks at 3, 13, 23 ms.
    assert_eq!(lateness(notice, clock, &[1_000, 51_000, 101_000]), [2_001_000; 3]);
    // A crystal that is 20 ppm slow moves the tick by 1 us in 50 ms.
    let late = lateness(notice, clock.with_ppb(-20_000), &[1_000, 51_000, 101_000]);
    assert_eq!([late[1] - late[0], late[2] - late[1]], [1_000, 1_000]);
}

#[test]
fn an_output_holds_its_level_as_long_as_the_code_takes() {
    let bench = Simulation::new(1);
    let line = Line::new(&bench, false);
    line.record();
    let mut output = Output::holding(&line, Duration::from_ns(820));
    bench.at(Instant::from_ns(5_000), move || {
        let Ok(()) = output.set_high();
        let Ok(()) = output.set_low();
    });
    bench.run().expect("no livelock");
    let edges: Vec<u64> = line.take_edges().iter().map(|at| at.as_ns()).collect();
    assert_eq!(edges, [5_000, 5_820]);
}
