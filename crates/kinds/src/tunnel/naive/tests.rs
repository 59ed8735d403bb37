//! Comparison of computed polls with simulated ones.

use std::cell::Cell;

use airlag_air::Medium;
use airlag_models::chip::nrf24::Timing;
use airlag_models::mcu::SpiTiming;
use airlag_sim::{Clock, Instant, Simulation};

use super::*;

const SLEEP: Duration = Duration::from_us(360);
/// Durations that are incommensurable with the sleep.
const BUS: SpiTiming =
    SpiTiming { byte: Duration::from_ns(800), transaction: Duration::from_us(12) };

/// Computes the instant of the poll that finds data which is present from `there` on, and the next
/// random sleep; the latter verifies that the random sequence is at the same position.
fn found(there: Duration, clock: Clock, reckoned: bool) -> (Instant, Duration) {
    let time = Simulation::new(1);
    let board = Board::new(&time, "board", clock);
    let chip = Chip::new(&Medium::new(&time), "radio", &time, clock, Timing::default());
    let irq = Line::new(&time, true);
    let mut raw = Raw {
        spi: Spi::new(&board, Rc::clone(&chip), BUS),
        ce: Output::new(chip.ce()),
        wake: (Duration::from_us(55), Duration::from_us(10)),
        stream: board.stream("wake"),
        irq: irq.clone(),
        look: BUS.transaction + BUS.byte * LOOK_BYTES,
        board,
    };
    let (sim, line) = (time.clone(), irq);
    time.spawn("radio", async move {
        sim.sleep_until(Instant::START + there).await;
        line.set(false);
    });
    let seen = Rc::new(Cell::new((Instant::START, Duration::ZERO)));
    let (kept, sim) = (Rc::clone(&seen), time.clone());
    time.spawn("program", async move {
        loop {
            if reckoned {
                raw.sleep_on(SLEEP).await;
            } else {
                raw.sleep(SLEEP).await;
            }
            let (at, is_there) = (sim.now(), !raw.irq.level());
            let Ok(_) = raw.fifo_status().await;
            if is_there {
                kept.set((at, raw.stream.within(Duration::from_secs(1))));
                return;
            }
            assert!(!reckoned, "nothing is there at {at:?}");
        }
    });
    time.run_until(Instant::START + there + Duration::from_ms(2)).expect("no livelock");
    seen.get()
}

#[test]
fn looks_that_are_reckoned_find_what_is_there_when_looks_that_are_played_do() {
    for ppb in [0, 37_000] {
        let clock = Clock::default().with_ppb(ppb);
        for there in (1..20_000).step_by(83).map(Duration::from_us) {
            let (reckoned, played) = (found(there, clock, true), found(there, clock, false));
            assert!(played.0 >= Instant::START + there);
            assert_eq!(reckoned, played, "there from {there:?} on, {ppb} ppb");
        }
    }
}
