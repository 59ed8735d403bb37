use std::cell::RefCell;
use std::rc::Rc;

use airlag_sim::{Clock, Simulation};

use super::*;
use crate::mcu::Board;
use crate::mcu::uart::Rounding;

const COSTS: WriteCosts = WriteCosts { call: 100, copy_byte: 20, queue: 4 };
/// One microsecond at 168 MHz, cycles.
const BIT: u64 = 168;

/// Successive writes of these lengths: return time of each write, and start time of each byte.
fn writes(lengths: &'static [usize], flush: bool) -> (Vec<u64>, Vec<u64>) {
    let bench = Simulation::new(0);
    let cpu = Cpu::new(&Board::new(&bench, "board", Clock::exact()), 168_000_000);
    let baud = Baud::new(42_000_000, 4, 1_000_000, Rounding::Nearest).expect("in range");
    let wire = Wire::new(&bench);
    let mut port = Transmitter::new(&cpu, baud, &wire, COSTS);
    let returned = Rc::new(RefCell::new(Vec::new()));
    let (kept, clock) = (Rc::clone(&returned), cpu.clone());
    bench.spawn("writer", async move {
        for &length in lengths {
            let mut left = length;
            while left > 0 {
                left -= port.write(&vec![0; left]).await.expect("infallible");
            }
            if flush {
                port.flush().await.expect("infallible");
            }
            kept.borrow_mut().push(clock.now());
        }
    });
    bench.run().expect("no livelock");
    let begins = std::iter::from_fn(|| wire.take()).map(|one| cpu.cycle_at(one.begin)).collect();
    let returned = returned.borrow().clone();
    (returned, begins)
}

#[test]
fn a_write_returns_when_the_bytes_are_copied_and_the_first_waits_for_the_bit_clock() {
    let (returned, begins) = writes(&[3], false);
    assert_eq!(returned, [160]);
    assert_eq!(begins, [BIT, 11 * BIT, 21 * BIT]);
}

#[test]
fn a_flush_returns_with_the_last_stop_bit() {
    let (returned, _) = writes(&[3], true);
    assert_eq!(returned, [31 * BIT]);
}

#[test]
fn a_write_into_a_busy_port_follows_without_a_gap() {
    let (_, begins) = writes(&[1, 1], false);
    assert_eq!(begins, [BIT, 11 * BIT]);
}

#[test]
fn more_than_the_queue_holds_waits_for_room_and_still_leaves_without_a_gap() {
    let (returned, begins) = writes(&[10], false);
    assert!(begins.windows(2).all(|two| two[1] - two[0] == 10 * BIT), "{begins:?}");
    assert_eq!(begins.len(), 10);
    // The last byte is copied into the queue when at most three bytes are ahead of it.
    assert!(returned[0] >= begins[6], "{returned:?} {begins:?}");
}
