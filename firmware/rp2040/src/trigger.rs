//! A state machine that makes triggers on GP0 at the times in its queue.

use airlag_app::Gaps;
use airlag_link::edges::Triggers;
use embassy_rp::gpio::Level;
use embassy_rp::peripherals::PIO1;
use embassy_rp::pio::program::pio_asm;
use embassy_rp::pio::{Config, Direction, FifoJoin, Pin, Pio, StateMachine};

use crate::board::CYCLE_PS;

/// Cycles of a trigger outside its two loops.
const OVERHEAD: u64 = 3;

/// Triggers on one pin.
pub struct Trigger {
    machine: StateMachine<'static, PIO1, 0>,
    config: Config<'static, PIO1>,
    pin: Pin<'static, PIO1>,
    ordered: Option<Triggers>,
    /// Times of further triggers, and the duration of a pulse, cycles.
    gaps: Option<(Gaps, u64)>,
}

impl Trigger {
    /// Loads the program. The pin stays an input.
    #[must_use]
    pub fn new(pio: Pio<'static, PIO1>, pin: Pin<'static, PIO1>) -> Self {
        let Pio { mut common, sm0: machine, sm1, sm2, sm3, .. } = pio;
        let program = pio_asm!(
            ".side_set 1"
            "    pull block         side 0"
            "    mov isr, osr       side 0"
            ".wrap_target"
            "    pull block         side 0"
            "    mov x, osr         side 0"
            "low:"
            "    jmp x-- low        side 0"
            "    mov y, isr         side 1"
            "high:"
            "    jmp y-- high       side 1"
            ".wrap"
        );
        let program = common.load_program(&program.program);
        let mut config = Config::default();
        config.use_program(&program, &[&pin]);
        config.fifo_join = FifoJoin::TxOnly;
        // A dropped part may release the pin (embassy-rp 0.10).
        core::mem::forget((common, sm1, sm2, sm3));
        Self { machine, config, pin, ordered: None, gaps: None }
    }

    /// Starts the triggers that are ordered, or stops.
    pub fn follow(&mut self, ordered: Option<Triggers>) {
        if self.ordered == ordered {
            return;
        }
        self.ordered = ordered;
        self.machine.set_enable(false);
        self.machine.clear_fifos();
        self.machine.restart();
        self.machine.set_config(&self.config);
        self.machine.set_pins(Level::Low, &[&self.pin]);
        let direction = if ordered.is_some() { Direction::Out } else { Direction::In };
        self.machine.set_pin_dirs(direction, &[&self.pin]);
        self.gaps = ordered.map(|triggers| {
            let pulse = u64::from(triggers.pulse_ns) * 1_000 / u64::from(CYCLE_PS);
            // The first word is the number of iterations of the second loop, minus one.
            self.machine.tx().push(pulse.saturating_sub(2) as u32);
            (Gaps::new(&triggers, CYCLE_PS), pulse.max(2))
        });
        self.feed();
        self.machine.set_enable(ordered.is_some());
    }

    /// Fills the queue. Eight entries last for eight periods.
    pub fn feed(&mut self) {
        let Some((gaps, pulse)) = &mut self.gaps else { return };
        while !self.machine.tx().full() {
            let Some(gap) = gaps.next() else { return };
            let low = gap.saturating_sub(*pulse + OVERHEAD);
            self.machine.tx().push(u32::try_from(low).unwrap_or(u32::MAX));
        }
    }
}
