//! What the boards of both wired fixtures have in common: an STM32F4 and the way it notices a
//! trigger and drives a strobe.

use airlag_models::mcu::{
    Board, Cpu, ExceptionCosts, Exceptions, FlagCosts, FlaggedInput, Strobe, StrobeCosts, SysTick,
};
use airlag_sim::{Clock, Line, Sim};

use crate::error::Error;
use crate::parameter::{Domain, Known};
use crate::profile::Profile;

pub(crate) const fn whole(
    name: &'static str,
    unit: &'static str,
    low: i64,
    high: i64,
    about: &'static str,
) -> Known {
    Known { name, unit, domain: Domain::Whole(low, high), about }
}

pub(crate) const fn cycles(name: &'static str, about: &'static str) -> Known {
    whole(name, "cycles", 0, 100_000, about)
}

pub(crate) const fn ppb(name: &'static str, about: &'static str) -> Known {
    whole(name, "ppb", -200_000, 200_000, about)
}

/// Parameters every board here has. RM0090, "RCC": the processor of an STM32F42x runs at 180 MHz
/// at most.
pub(crate) const PROCESSOR: Known =
    whole("processor", "Hz", 1_000_000, 180_000_000, "processor clock");
pub(crate) const EXCEPTION_ENTRY: Known =
    cycles("exception_entry", "from pending to the handler's first instruction");
pub(crate) const EXCEPTION_EXIT: Known =
    cycles("exception_exit", "from the handler's last instruction to the interrupted one");
pub(crate) const TAIL_CHAIN: Known = cycles("tail_chain", "from one handler straight to the next");
pub(crate) const TICK_PERIOD: Known =
    whole("tick_period", "cycles", 0, 1 << 24, "between two SysTick interrupts; 0 for none");
pub(crate) const TICK_HANDLER: Known = cycles("tick_handler", "SysTick handler");
pub(crate) const SYNCHRONISER: Known = cycles("synchroniser", "from the trigger pin to pending");
pub(crate) const TRIGGER_HANDLER: Known =
    cycles("trigger_handler", "EXTI handler: clear the pending bit, set the flag");
pub(crate) const STROBE_WRITE: Known =
    cycles("strobe_write", "from the decision to the store that writes the strobe");
pub(crate) const STROBE_HOLD: Known = cycles("strobe_hold", "between the two writes of a strobe");
pub(crate) const STROBE_SLEW: Known =
    whole("strobe_slew", "ns", 0, 1_000, "from the port to the level an analyser sees");

/// How much slower than the measured code a build is, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code(pub u64);

impl Code {
    /// The build the constants are for.
    pub(crate) const AS_MEASURED: Self = Self(1_000);

    /// What `cycles` of software cost in this build. What the processor does by itself does not
    /// depend on the compiler.
    pub(crate) const fn cost(self, cycles: u64) -> u64 {
        (cycles * self.0 + 500) / 1_000
    }
}

/// A kind of board, read from a profile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stm32 {
    hz: u64,
    code: Code,
    /// Its exceptions and its tick.
    pub(crate) exceptions: Exceptions,
    synchroniser: u64,
    handler: u64,
    strobe: StrobeCosts,
}

impl Stm32 {
    pub(crate) fn new(p: &Profile, code: Code) -> Result<Self, Error> {
        let period = p.whole("tick_period")?;
        let tick = SysTick { period, handler: code.cost(p.whole("tick_handler")?) };
        Ok(Self {
            hz: p.whole("processor")?,
            code,
            exceptions: Exceptions {
                costs: ExceptionCosts {
                    entry: p.whole("exception_entry")?,
                    exit: p.whole("exception_exit")?,
                    tail_chain: p.whole("tail_chain")?,
                },
                tick: (period > 0).then_some(tick),
            },
            synchroniser: p.whole("synchroniser")?,
            handler: code.cost(p.whole("trigger_handler")?),
            strobe: StrobeCosts {
                write: code.cost(p.whole("strobe_write")?),
                hold: code.cost(p.whole("strobe_hold")?),
                slew: p.duration("strobe_slew")?,
            },
        })
    }

    pub(crate) const fn hz(&self) -> u64 {
        self.hz
    }

    pub(crate) const fn code(&self) -> Code {
        self.code
    }

    /// A board of this kind. It was switched on at some moment of the second before the bench
    /// began, so its bit clock, its tick and its loop stand anywhere.
    pub(crate) fn board(&self, sim: &Sim, name: &str, ppb: i64) -> Cpu {
        let since = sim.stream(&format!("{name}/switched on")).below(1_000_000_000);
        let clock = Clock::exact().with_ppb(ppb as i32).with_offset_ns(since as i64);
        Cpu::new(&Board::new(sim, name, clock), self.hz)
    }

    /// The trigger input of a board whose main loop takes `turn` cycles.
    pub(crate) fn trigger(&self, cpu: &Cpu, line: &Line, turn: u64) -> FlaggedInput {
        let costs = FlagCosts { synchroniser: self.synchroniser, handler: self.handler, turn };
        FlaggedInput::new(cpu, line, costs, self.exceptions, cpu.now())
    }

    /// The strobe output of a board.
    pub(crate) fn strobe(&self, cpu: &Cpu, line: &Line) -> Strobe {
        Strobe::new(cpu, line, self.strobe)
    }
}
