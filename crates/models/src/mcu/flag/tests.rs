use std::cell::RefCell;

use airlag_sim::{Clock, Simulation};

use super::*;
use crate::mcu::Board;
use crate::mcu::interrupt::{ExceptionCosts, SysTick};

const COSTS: FlagCosts = FlagCosts { synchroniser: 3, handler: 41, turn: 8 };
const EXCEPTIONS: Exceptions = Exceptions {
    costs: ExceptionCosts { entry: 12, exit: 12, tail_chain: 6 },
    tick: Some(SysTick { period: 168_000, handler: 4 }),
};

/// Detection delays, ns, for edges at these times.
fn noticed(edges: &'static [u64]) -> (Vec<u64>, u64) {
    let bench = Simulation::new(0);
    let cpu = Cpu::new(&Board::new(&bench, "board", Clock::exact()), 168_000_000);
    let line = Line::new(&bench, false);
    for &edge in edges {
        let (rise, fall) = (line.clone(), line.clone());
        bench.at(Instant::from_ns(edge), move || rise.set(true));
        bench.at(Instant::from_ns(edge + 50), move || fall.set(false));
    }
    let seen = Rc::new(RefCell::new(Vec::new()));
    let merged = Rc::new(Cell::new(0));
    let (kept, count, sim) = (Rc::clone(&seen), Rc::clone(&merged), bench.sim());
    let mut input = FlaggedInput::new(&cpu, &line, COSTS, EXCEPTIONS, 0);
    bench.spawn("loop", async move {
        loop {
            input.wait_for_rising_edge().await.expect("infallible");
            kept.borrow_mut().push(sim.now().as_ns());
            count.set(input.merged());
        }
    });
    bench.run().expect("no livelock");
    let seen = seen.borrow().clone();
    (seen, merged.get())
}

#[test]
fn an_edge_costs_synchroniser_entry_handler_exit_and_the_rest_of_a_turn() {
    // 500 us are cycle 84000, at which the loop polls. The flag is pending 3 cycles later, with 5
    // cycles of the iteration left. The handler returns after 12 + 41 + 12 cycles, and the loop
    // polls 5 cycles later, at 84073.
    let (seen, _) = noticed(&[500_000]);
    assert_eq!(seen, [(84_073_u64 * 125).div_ceil(21)]);
}

#[test]
fn a_second_edge_before_the_look_is_merged_and_counted() {
    let (seen, merged) = noticed(&[500_000, 500_200]);
    assert_eq!((seen.len(), merged), (1, 1));
    let (seen, merged) = noticed(&[500_000, 501_000]);
    assert_eq!((seen.len(), merged), (2, 0));
}

#[test]
fn an_edge_that_meets_the_tick_is_late() {
    let (plain, _) = noticed(&[500_000]);
    let (met, _) = noticed(&[1_000_010]);
    assert!(met[0] - 1_000_010 > plain[0] - 500_000, "{met:?} {plain:?}");
}
