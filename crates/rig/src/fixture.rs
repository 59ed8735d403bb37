//! Boards whose firmware runs under an operating system with a tick, and how they notice a trigger.
//!
//! The published ESP32 benchmarks let an interrupt set a flag that the task looks at once per
//! FreeRTOS tick, every 10 ms; a trigger whose period is a multiple of that meets the same phase of
//! the tick in a whole run, and only the crystals move it. That wait is the fixture's, not the
//! link's: with `trigger_notice` set to `woken` the interrupt wakes the task, and it is gone.

use airlag_models::mcu::{Board, Input, Notice};
use airlag_sim::{Clock, Duration, Line, Sim};

use crate::error::Error;
use crate::knob::Knob;
use crate::parameter::Known;
use crate::profile::Profile;

/// How the trigger is noticed.
pub const TRIGGER_NOTICE: Known = Known::choice(
    "trigger_notice",
    "",
    "tick | woken",
    "whether the trigger's flag is polled once per tick or its interrupt wakes the task",
);
/// The tick of the operating system.
pub const TICK_PERIOD: Known =
    Known::whole("tick_period", "ns", 0, 1_000_000_000, "between two ticks of the sending board");
/// Where that tick stands.
pub const TICK_PHASE: Known =
    Known::phase("tick_phase", "where the sending board's tick stands when the bench begins");
/// What noticing costs besides.
pub const TRIGGER_ENTRY: Known =
    Known::ns("trigger_entry", "from the tick, or the trigger edge, to the task's next line");
/// The crystal of the sending board.
pub const SENDER_PPB: Known = Known::ppb("sender_ppb", "how fast the sending board's clock runs");
/// The crystal of the receiving board.
pub const RECEIVER_PPB: Known =
    Known::ppb("receiver_ppb", "how fast the receiving board's clock runs");

/// The interrupt hands the trigger to the task instead of leaving a flag.
pub const NOTICE_KNOB: Knob = Knob::of(TRIGGER_NOTICE.name, &["woken"]);
/// FreeRTOS can tick at 1 kHz.
pub const TICK_KNOB: Knob = Knob::of(TICK_PERIOD.name, &["1ms"]);

/// A pair of boards, read from a profile.
#[derive(Clone, Copy, Debug)]
pub struct Fixture {
    notice: Notice,
    tick: Duration,
    tick_phase: Option<f64>,
    sender_ppb: i32,
    receiver_ppb: i32,
}

impl Fixture {
    /// Reads the parameters above from a profile.
    pub fn new(p: &Profile) -> Result<Self, Error> {
        let entry = p.duration(TRIGGER_ENTRY.name)?;
        let notice = match p.choice(TRIGGER_NOTICE.name)? {
            "tick" => Notice::Tick { entry },
            _ => Notice::Interrupt { entry, jitter: Duration::ZERO },
        };
        Ok(Self {
            notice,
            tick: p.duration(TICK_PERIOD.name)?,
            tick_phase: p.phase(TICK_PHASE.name)?,
            sender_ppb: p.signed(SENDER_PPB.name)? as i32,
            receiver_ppb: p.signed(RECEIVER_PPB.name)? as i32,
        })
    }

    /// The sending board.
    #[must_use]
    pub fn sender(&self, sim: &Sim) -> Board {
        let phase = phase_of(sim, "sender/tick phase", self.tick_phase, self.tick);
        let clock = Clock::exact().with_ppb(self.sender_ppb).with_tick(self.tick, phase);
        Board::new(sim, "sender", clock)
    }

    /// The receiving board.
    #[must_use]
    pub fn receiver(&self, sim: &Sim) -> Board {
        Board::new(sim, "receiver", Clock::exact().with_ppb(self.receiver_ppb))
    }

    /// The trigger input of the sending board.
    #[must_use]
    pub fn trigger(&self, sender: &Board, line: &Line) -> Input {
        Input::new(sender, "trigger", line, self.notice)
    }
}

/// Where in a cycle of `period` something stands when the bench begins: at the share a profile
/// sets, or at any nanosecond of it, drawn from the stream `name`.
#[must_use]
pub fn phase_of(sim: &Sim, name: &str, share: Option<f64>, period: Duration) -> Duration {
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
        let at = |seed, share| phase_of(&Simulation::new(seed), "a phase", share, tick);
        assert_eq!(at(1, Some(0.25)), Duration::from_us(2_500));
        assert_eq!(at(1, None), at(1, None));
        assert_ne!(at(1, None), at(2, None));
        assert!(at(3, None) < tick);
    }
}
