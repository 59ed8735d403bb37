//! Exact processor cycles.
//!
//! A processor cycle at 168 MHz lasts 125/21 ns. A sum of durations that are each rounded to
//! nanoseconds would therefore accumulate errors. To avoid this, durations of computations are
//! added as whole cycles. The sum is converted to a time only once, when the result of the
//! computations becomes visible outside the processor.

use airlag_sim::{Instant, Slice};

use super::board::Board;

/// The cycle counter of a board's processor. It counts from the power-on of its board, so the
/// counters of two boards differ by their crystals and by their power-on times.
#[derive(Clone)]
pub struct Cpu {
    board: Board,
    hz: u64,
    /// `cycles / nanoseconds` in lowest terms, crystal included.
    cycles: u64,
    nanoseconds: u64,
    /// Cycles counted before the simulation began.
    offset: u64,
}

/// `value * by / of`, rounded up or down, without overflow.
const fn scale(value: u64, by: u64, of: u64, up: bool) -> u64 {
    let extra = if up { of - 1 } else { 0 };
    if let Some(product) = value.checked_mul(by)
        && let Some(sum) = product.checked_add(extra)
    {
        return sum / of;
    }
    let wide = (value as u128 * by as u128 + extra as u128) / of as u128;
    if wide > u64::MAX as u128 { u64::MAX } else { wide as u64 }
}

const fn common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Cpu {
    /// Creates the processor of `board`, running at `hz`.
    #[must_use]
    pub fn new(board: &Board, hz: u64) -> Self {
        const BILLION: u128 = 1_000_000_000;
        let hz = hz.clamp(1, 1_000_000_000);
        let parts = u128::try_from(1_000_000_000 + i64::from(board.clock().ppb()))
            .expect("a crystal is off by a tenth at most");
        let (cycles, nanoseconds) = (u128::from(hz) * parts, BILLION * BILLION);
        let divisor = common_divisor(cycles, nanoseconds);
        let shown = u64::try_from(board.clock().local_ns(Instant::START)).unwrap_or(0);
        Self {
            board: board.clone(),
            hz,
            // Both are below 10^18 before the division.
            cycles: u64::try_from(cycles / divisor).unwrap_or(u64::MAX),
            nanoseconds: u64::try_from(nanoseconds / divisor).unwrap_or(u64::MAX),
            offset: scale(shown, hz, 1_000_000_000, false),
        }
    }

    /// Board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Cycles per second, by the board's own clock.
    #[must_use]
    pub const fn hz(&self) -> u64 {
        self.hz
    }

    /// Cycle in progress at `at`.
    #[must_use]
    pub const fn cycle_at(&self, at: Instant) -> u64 {
        self.offset + scale(at.as_ns(), self.cycles, self.nanoseconds, false)
    }

    /// Returns the first cycle that starts at `at` or later. A synchronous circuit samples an event
    /// at `at` in this cycle.
    #[must_use]
    pub const fn next_cycle(&self, at: Instant) -> u64 {
        self.offset + scale(at.as_ns(), self.cycles, self.nanoseconds, true)
    }

    /// First nanosecond of `cycle`. A cycle lasts at least a nanosecond, so
    /// [`cycle_at`](Self::cycle_at) is the inverse.
    #[must_use]
    pub const fn instant_of(&self, cycle: u64) -> Instant {
        let passed = cycle.saturating_sub(self.offset);
        Instant::from_ns(scale(passed, self.nanoseconds, self.cycles, true))
    }

    /// Cycle in progress now.
    #[must_use]
    pub fn now(&self) -> u64 {
        self.cycle_at(self.board.sim().now())
    }

    /// Waits until `cycle` begins.
    pub async fn until(&self, cycle: u64) {
        self.board.sim().busy_until(self.instant_of(cycle)).await;
    }

    /// Records that the board was busy with `what` between two cycles.
    pub fn span(&self, what: &'static Slice, begin: u64, end: u64) {
        self.board.span(what, self.instant_of(begin), self.instant_of(end));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airlag_sim::{Clock, Simulation};
    use proptest::prelude::*;

    fn cpu(bench: &Simulation, ppb: i32, offset_ns: i64) -> Cpu {
        let clock = Clock::exact().with_ppb(ppb).with_offset_ns(offset_ns);
        Cpu::new(&Board::new(bench, "board", clock), 168_000_000)
    }

    #[test]
    fn twenty_one_cycles_at_168_mhz_are_exactly_125_ns() {
        let bench = Simulation::new(0);
        let cpu = cpu(&bench, 0, 0);
        assert_eq!(cpu.instant_of(21 * 1_000_000).as_ns(), 125_000_000);
        assert_eq!(cpu.instant_of(1).as_ns(), 6);
        assert_eq!(cpu.cycle_at(Instant::from_ns(6)), 1);
        assert_eq!(cpu.next_cycle(Instant::from_ns(1)), 1);
    }

    proptest! {
        #[test]
        fn a_cycle_is_found_again_from_its_instant(
            cycle in 200_000_000_u64..1_000_000_000_000, ppb in -200_000_i32..200_000,
            offset in 0_i64..1_000_000_000,
        ) {
            let bench = Simulation::new(0);
            let cpu = cpu(&bench, ppb, offset);
            prop_assert_eq!(cpu.cycle_at(cpu.instant_of(cycle)), cycle);
        }

        #[test]
        fn an_edge_is_seen_in_the_cycle_after_it_or_with_it(
            at in 0_u64..1_000_000_000_000, ppb in -200_000_i32..200_000,
        ) {
            let bench = Simulation::new(0);
            let cpu = cpu(&bench, ppb, 0);
            let seen = cpu.instant_of(cpu.next_cycle(Instant::from_ns(at))).as_ns();
            prop_assert!((at..at + 7).contains(&seen), "{} {}", at, seen);
        }
    }
}
