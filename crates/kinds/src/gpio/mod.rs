//! One board, no link: the trigger answered with a strobe. What every other number contains.

use crate::boards::stm32::{Code, Stm32};
use airlag_rig::ends::{Bench, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::Floor;
use airlag_rig::kind::{Configured, Definition, Facts, Medium, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::parameter::{Ppb, parameters};

/// This kind, as it is listed.
pub static KIND: Definition = Definition::of::<Parameters>();

parameters! {
    /// What a profile of this kind sets.
    pub struct Parameters {
        /// the board
        board: Stm32,
        /// how fast the board's clock runs
        board_ppb: Ppb,
    }
}

impl Facts for Parameters {
    const NAME: &'static str = "gpio";
    const MEDIUM: Medium = Medium::None;
    const WAYS: Ways = Ways::One;

    /// How the program is written.
    const KNOBS: &'static [Knob] = &[
        // A handler that does nothing but take the event, and a loop that does nothing but look.
        Knob::of(Stm32::trigger_handler, &["21"]).of_hardware(),
        Knob::of(Stm32::turn, &["4"]).of_hardware(),
        Knob::of(Stm32::strobe_write, &["4"]).of_hardware(),
        Knob::of(Stm32::tick_period, &["0"]).giving_up("the millisecond tick"),
        Knob::of(Stm32::processor, &["180MHz"]).giving_up_energy("power"),
    ];
}

impl Configured for Parameters {
    /// What the processor does by itself, and the pin.
    fn floor(&self, _: usize) -> Result<Floor, Refusal> {
        let board = &self.board;
        let ns = |cycles: u64| cycles * 1_000_000_000 / board.processor.max(1);
        Ok(Floor::new()
            .with("synchroniser", 1, ns(board.synchroniser), "profile: synchroniser")
            .with("exception entry", 1, ns(board.exception_entry), "Cortex-M4 TRM")
            .with("pin", 1, board.strobe_slew.as_ns(), "profile: strobe_slew"))
    }

    fn ends(&self, _: usize, bench: &Bench) -> Result<Ends, Refusal> {
        let cpu = self.board.board(bench.sim(), "board", self.board_ppb);
        Ok(Ends::one(self.board.pins(&cpu, Code::AS_MEASURED)))
    }
}
