//! STM32F4 boards of both wired fixtures, with their trigger detection and strobe.

use airlag_models::mcu::{
    Board, Cpu, ExceptionCosts, Exceptions, FlagCosts, FlaggedInput, Strobe, StrobeCosts, SysTick,
};
use airlag_sim::{Clock, Duration, Line, Sim};

use airlag_rig::ends::Pins;
use airlag_rig::parameter::{Ppb, parameters};

/// Processor cycles, up to the longest piece of code.
pub(crate) const CYCLES: airlag_rig::parameter::Shape =
    airlag_rig::parameter::whole(0, 100_000, "cycles");

parameters! {
    /// Parameters of every board of this type. RM0090, "RCC": the processor of an STM32F42x runs at
    /// 180 MHz at most.
    pub struct Stm32 {
        /// processor clock
        processor: u64 = whole(1_000_000, 180_000_000, "Hz"),
        /// from pending to the handler's first instruction
        exception_entry: u64 = CYCLES,
        /// from the handler's last instruction to the interrupted one
        exception_exit: u64 = CYCLES,
        /// from one handler straight to the next
        tail_chain: u64 = CYCLES,
        /// SysTick period; 0 for none
        tick_period: u64 = whole(0, 1 << 24, "cycles"),
        /// SysTick handler
        tick_handler: u64 = CYCLES,
        /// from the trigger pin to pending
        synchroniser: u64 = CYCLES,
        /// EXTI handler: clear the pending bit, set the flag
        trigger_handler: u64 = CYCLES,
        /// one iteration of the idle main loop
        turn: u64 = CYCLES,
        /// from the decision to the store that writes the strobe
        strobe_write: u64 = CYCLES,
        /// between the two writes of a strobe pulse
        strobe_hold: u64 = CYCLES,
        /// from the port to the level an analyser sees
        strobe_slew: Duration = whole(0, 1_000, "ns"),
    }
}

/// Duration of a build's code relative to the measured code, thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code(pub u64);

impl Code {
    /// Build to which the constants apply.
    pub(crate) const AS_MEASURED: Self = Self(1_000);

    /// Cycles of a piece of software in this build. Operations of the processor itself do not
    /// depend on the compiler.
    pub(crate) const fn cost(self, cycles: u64) -> u64 {
        (cycles * self.0 + 500) / 1_000
    }
}

impl Stm32 {
    /// Exceptions and tick of the board.
    pub(crate) fn exceptions(&self, code: Code) -> Exceptions {
        let tick = SysTick { period: self.tick_period, handler: code.cost(self.tick_handler) };
        Exceptions {
            costs: ExceptionCosts {
                entry: self.exception_entry,
                exit: self.exception_exit,
                tail_chain: self.tail_chain,
            },
            tick: (self.tick_period > 0).then_some(tick),
        }
    }

    /// Creates a board of this type. It was switched on at a random moment of the second before the
    /// bench began, which randomises the phases of its bit clock, its tick and its loop.
    pub(crate) fn board(&self, sim: &Sim, name: &str, Ppb(ppb): Ppb) -> Cpu {
        let since = sim.stream(&format!("{name}/switched on")).below(1_000_000_000);
        let clock = Clock::exact().with_ppb(ppb).with_offset_ns(since as i64);
        Cpu::new(&Board::new(sim, name, clock), self.processor)
    }

    /// Pins of a board with a build of its program.
    pub(crate) fn pins(&self, cpu: &Cpu, code: Code) -> Stm32Pins {
        Stm32Pins {
            cpu: cpu.clone(),
            noticing: FlagCosts {
                synchroniser: self.synchroniser,
                handler: code.cost(self.trigger_handler),
                turn: code.cost(self.turn),
            },
            exceptions: self.exceptions(code),
            driving: StrobeCosts {
                write: code.cost(self.strobe_write),
                hold: code.cost(self.strobe_hold),
                slew: self.strobe_slew,
            },
        }
    }
}

/// The pins of such a board.
pub(crate) struct Stm32Pins {
    cpu: Cpu,
    noticing: FlagCosts,
    exceptions: Exceptions,
    driving: StrobeCosts,
}

impl Pins for Stm32Pins {
    type Trigger = FlaggedInput;
    type Strobe = Strobe;

    fn trigger(&self, line: &Line) -> FlaggedInput {
        FlaggedInput::new(&self.cpu, line, self.noticing, self.exceptions, self.cpu.now())
    }

    fn strobe(&self, line: &Line) -> Strobe {
        Strobe::new(&self.cpu, line, self.driving)
    }

    fn clock(&self) -> Clock {
        *self.cpu.board().clock()
    }
}
