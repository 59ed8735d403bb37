//! One board without a link, which strobes in response to a trigger. The latency of every link
//! includes this latency of the board.

use crate::boards::stm32::{Code, Stm32};
use airlag_rig::ends::{Bench, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::Floor;
use airlag_rig::kind::{Configured, Definition, Facts, Medium, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::parameter::{Ppb, parameters};

/// Definition of this kind.
pub static KIND: Definition = Definition::of::<Parameters>();

parameters! {
    /// Parameters of a profile of this kind.
    pub struct Parameters {
        /// the board
        board: Stm32,
        /// frequency error of the board's clock
        board_ppb: Ppb,
    }
}

impl Facts for Parameters {
    const NAME: &'static str = "gpio";
    const MEDIUM: Medium = Medium::None;
    const WAYS: Ways = Ways::One;

    /// Code of the program.
    const KNOBS: &'static [Knob] = &[
        // A handler that only stores the event, and a loop that only polls it.
        Knob::of(Stm32::trigger_handler, &["21"]).of_hardware(),
        Knob::of(Stm32::turn, &["4"]).of_hardware(),
        Knob::of(Stm32::strobe_write, &["4"]).of_hardware(),
        Knob::of(Stm32::tick_period, &["0"]).giving_up("the millisecond tick"),
        Knob::of(Stm32::processor, &["180MHz"]).giving_up_energy("power"),
    ];
}

impl Configured for Parameters {
    /// Latency of the processor itself, and of the pin.
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
