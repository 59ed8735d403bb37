//! Interrupts of a Cortex-M4, a loop that they interrupt, and a tick that delays them.
//!
//! Loops are not simulated cycle by cycle: the position of a loop at a given cycle follows from its
//! length by a division.

/// Costs of an exception, in processor cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExceptionCosts {
    /// Time from pending to the handler's first instruction, without wait states (Cortex-M4 TRM,
    /// "Interrupt latency": 12).
    pub entry: u64,
    /// Time from the handler's last instruction to the interrupted one.
    pub exit: u64,
    /// Time from one handler to the next, without unstacking in between (Cortex-M4 TRM,
    /// "Tail-chaining": 6).
    pub tail_chain: u64,
}

/// A periodic interrupt with the same priority as the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SysTick {
    /// Cycles between two ticks.
    pub period: u64,
    /// Duration of its handler, cycles.
    pub handler: u64,
}

/// Timing of a served interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served {
    /// Cycle at which it became pending.
    pub pending: u64,
    /// First cycle of its handler.
    pub begun: u64,
    /// Cycle at which the interrupted program continued.
    pub resumed: u64,
}

/// Exceptions of one processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exceptions {
    /// Costs of each exception.
    pub costs: ExceptionCosts,
    /// Tick, if there is one.
    pub tick: Option<SysTick>,
}

impl Exceptions {
    /// Serves an interrupt pending at `pending` whose handler runs `handler` cycles.
    ///
    /// Equal priorities do not pre-empt each other (Cortex-M4 TRM): an interrupt during the tick
    /// waits for its end and is tail-chained, and vice versa.
    #[must_use]
    pub fn serve(&self, pending: u64, handler: u64) -> Served {
        let ExceptionCosts { entry, exit, tail_chain } = self.costs;
        let Some(tick) = self.tick.filter(|tick| tick.period > 0) else {
            let begun = pending + entry;
            return Served { pending, begun, resumed: begun + handler + exit };
        };
        let last = pending - pending % tick.period;
        let ticked = last + entry + tick.handler;
        let begun = if pending < ticked + exit {
            pending.max(ticked) + tail_chain
        } else {
            pending + entry
        };
        let ended = begun + handler;
        let next = last + tick.period;
        let held =
            if next < ended + exit { next.max(ended) + tail_chain + tick.handler } else { ended };
        Served { pending, begun, resumed: held + exit }
    }

    /// Cycles that the tick took from code that runs from `begin` to `end`.
    #[must_use]
    pub fn stolen(&self, begin: u64, end: u64) -> u64 {
        self.tick.filter(|tick| tick.period > 0 && end > begin).map_or(0, |tick| {
            let ticks = end / tick.period - begin / tick.period;
            ticks * (self.costs.entry + tick.handler + self.costs.exit)
        })
    }
}

/// A loop that polls a flag once per iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PollLoop {
    length: u64,
    /// A cycle at which the loop polled.
    looked: u64,
}

impl PollLoop {
    /// Creates a loop of `length` cycles that polls at `looked`.
    #[must_use]
    pub const fn new(length: u64, looked: u64) -> Self {
        Self { length: if length == 0 { 1 } else { length }, looked }
    }

    /// Makes the loop poll at `cycle`, whatever its previous position.
    pub const fn restart(&mut self, cycle: u64) {
        self.looked = cycle;
    }

    /// Returns a cycle at which the loop polled.
    #[must_use]
    pub const fn looked(&self) -> u64 {
        self.looked
    }

    /// First poll at `cycle` or later, without interruptions.
    #[must_use]
    pub const fn look_from(&self, cycle: u64) -> u64 {
        if cycle <= self.looked {
            return self.looked;
        }
        self.looked + (cycle - self.looked).div_ceil(self.length) * self.length
    }

    /// First poll after an interruption from `suspended` to `resumed`, for a loop that had lost
    /// `stolen` cycles before. The interrupted iteration is finished first.
    #[must_use]
    pub const fn look_after(&self, suspended: u64, resumed: u64, stolen: u64) -> u64 {
        if suspended <= self.looked {
            return if resumed > self.looked { resumed } else { self.looked };
        }
        let turned = (suspended - self.looked).saturating_sub(stolen) % self.length;
        resumed + (self.length - turned) % self.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const COSTS: ExceptionCosts = ExceptionCosts { entry: 12, exit: 12, tail_chain: 6 };
    const TICKING: Exceptions =
        Exceptions { costs: COSTS, tick: Some(SysTick { period: 168_000, handler: 4 }) };

    #[test]
    fn an_interrupt_away_from_the_tick_costs_entry_handler_and_exit() {
        let served = TICKING.serve(1_000, 40);
        assert_eq!(served, Served { pending: 1_000, begun: 1_012, resumed: 1_064 });
    }

    #[test]
    fn an_interrupt_during_the_tick_waits_and_is_tail_chained() {
        // The tick at 168000 runs until 168016 and would return at 168028.
        assert_eq!(TICKING.serve(168_005, 40).begun, 168_016 + 6);
        assert_eq!(TICKING.serve(168_020, 40).begun, 168_020 + 6);
        assert_eq!(TICKING.serve(168_028, 40).begun, 168_028 + 12);
    }

    #[test]
    fn a_tick_during_an_interrupt_holds_up_the_return() {
        let served = TICKING.serve(167_990, 40);
        assert_eq!(served.begun, 168_002);
        assert_eq!(served.resumed, 168_042 + 6 + 4 + 12);
    }

    #[test]
    fn an_interrupted_loop_finishes_its_turn() {
        let turning = PollLoop::new(8, 100);
        assert_eq!(turning.look_after(104, 164, 0), 168);
        assert_eq!(turning.look_after(108, 168, 0), 168, "at the look itself nothing is left");
        assert_eq!(turning.look_from(101), 108);
    }

    proptest! {
        #[test]
        fn a_look_is_never_more_than_a_turn_away(
            length in 1_u64..400, looked in 0_u64..1_000, wait in 0_u64..1_000_000,
            busy in 0_u64..500, stolen in 0_u64..100,
        ) {
            let turning = PollLoop::new(length, looked);
            let suspended = looked + wait;
            let look = turning.look_after(suspended, suspended + busy, stolen.min(wait));
            prop_assert!((suspended + busy..suspended + busy + length).contains(&look));
            prop_assert!((suspended..suspended + length).contains(&turning.look_from(suspended)));
        }

        #[test]
        fn the_tick_delays_and_never_hastens(pending in 0_u64..1_000_000, handler in 1_u64..200) {
            let plain = Exceptions { costs: COSTS, tick: None };
            let (with, without) = (TICKING.serve(pending, handler), plain.serve(pending, handler));
            // Tail-chaining saves at most the part of an entry that the tick had already spent.
            prop_assert!(with.begun + COSTS.entry >= without.begun + COSTS.tail_chain);
            prop_assert!(with.resumed < without.resumed + 2 * (COSTS.entry + COSTS.exit));
        }
    }
}
