//! Boards whose firmware runs under an operating system with a tick, and their trigger detection.
//!
//! In the firmware of the published ESP32 measurements, the interrupt of a trigger edge sets a
//! flag. A task polls the flag once per FreeRTOS tick, which is every 10 ms. If the trigger period
//! is a multiple of the tick period, all triggers of a run occur at the same phase of the tick,
//! apart from the drift of the crystals. The wait for the next tick is a property of the
//! measurement set-up and not of the link. If `trigger_notice` is `woken`, the interrupt wakes the
//! task, and the task does not wait for a tick.

use airlag_models::mcu::{Board, Notice};
use airlag_sim::{Clock, Duration, Sim};

use super::bare::BarePins;
use airlag_rig::knob::Knob;
use airlag_rig::parameter::{Phase, Ppb, choices, parameters};

choices! {
    /// Trigger detection of a program.
    pub enum TriggerNotice {
        /// The program polls a flag once per tick.
        Tick = "tick",
        /// The interrupt wakes the program.
        Woken = "woken",
    }
}

parameters! {
    /// A pair of boards.
    pub struct Rtos {
        /// whether a flag of the trigger is polled once per tick, or its interrupt wakes the task
        trigger_notice: TriggerNotice,
        /// tick period of the sending board
        tick_period: Duration = whole(0, 1_000_000_000, "ns"),
        /// initial phase of the sending board's tick
        tick_phase: Phase,
        /// from the tick, or the trigger edge, to the task's next line
        trigger_entry: Duration,
        /// frequency error of the sending board's clock
        sender_ppb: Ppb,
        /// frequency error of the receiving board's clock
        receiver_ppb: Ppb,
    }
}

/// Knob of the trigger detection: the interrupt wakes the task instead of setting a flag.
pub const NOTICE_KNOB: Knob = Knob::of(Rtos::trigger_notice, &["woken"]);
/// Knob of the tick period: FreeRTOS can tick at 1 kHz.
pub const TICK_KNOB: Knob = Knob::of(Rtos::tick_period, &["1ms"]);

impl Rtos {
    /// Returns the sending board.
    #[must_use]
    pub fn sender(&self, sim: &Sim) -> Board {
        let phase = phase_of(sim, "sender/tick phase", self.tick_phase, self.tick_period);
        let clock = Clock::exact().with_ppb(self.sender_ppb.0).with_tick(self.tick_period, phase);
        Board::new(sim, "sender", clock)
    }

    /// Returns the receiving board.
    #[must_use]
    pub fn receiver(&self, sim: &Sim) -> Board {
        Board::new(sim, "receiver", Clock::exact().with_ppb(self.receiver_ppb.0))
    }

    /// Pins of either board, with a strobe pulse of `strobe`.
    #[must_use]
    pub fn pins(&self, board: &Board, strobe: Duration) -> BarePins {
        let entry = self.trigger_entry;
        let trigger = match self.trigger_notice {
            TriggerNotice::Tick => Notice::Tick { entry },
            TriggerNotice::Woken => Notice::Interrupt { entry, jitter: Duration::ZERO },
        };
        BarePins { board: board.clone(), trigger, strobe }
    }
}

/// Returns the initial phase in a cycle of `period`: the fraction that the profile sets, or a
/// random nanosecond drawn from the stream `name`.
#[must_use]
pub fn phase_of(sim: &Sim, name: &str, Phase(share): Phase, period: Duration) -> Duration {
    Duration::from_ns(match share {
        Some(share) => (share * period.as_ns() as f64) as u64,
        None => sim.stream(name).below(period.as_ns()),
    })
}

#[cfg(test)]
mod tests {
    use airlag_sim::Simulation;

    use super::*;

    #[test]
    fn a_phase_is_the_share_of_the_period_or_comes_from_the_seed() {
        let tick = Duration::from_ms(10);
        let at = |seed, share| phase_of(&Simulation::new(seed), "a phase", Phase(share), tick);
        assert_eq!(at(1, Some(0.25)), Duration::from_us(2_500));
        assert_eq!(at(1, None), at(1, None));
        assert_ne!(at(1, None), at(2, None));
        assert!(at(3, None) < tick);
    }
}
