//! Two boards with a wire between their serial ports.

use std::future::ready;

use airlag_models::mcu::uart::Wire;

use crate::boards::serial::Serial;
use crate::boards::stm32::Stm32;
use crate::calls;
use airlag_rig::ends::{Bench, End, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::Floor;
use airlag_rig::kind::{Configured, Declared, Definition, Facts, Medium, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::parameter::{Name, parameters};

/// Definition of this kind.
pub static KIND: Definition = Definition::of::<Parameters>();

parameters! {
    /// Parameters of a profile of this kind.
    pub struct Parameters {
        /// requested rate of the program
        baud: u64 = whole(1_200, 2_625_000, "baud"),
        /// boards and ports
        ports: Serial,
    }
}

impl Facts for Parameters {
    const NAME: &'static str = "uart";
    const MEDIUM: Medium = Medium::Wire;
    const WAYS: Ways = Ways::Both;
    const PROGRAMS: &'static [Declared] = calls::PARAMETERS;

    /// Settings of the port, and build of the program.
    const KNOBS: &'static [Knob] = &[
        Knob::of(Parameters::baud, &["115200", "230400", "460800", "921600", "1843200"]),
        Knob::of(Serial::mode, &["irq", "dma"]),
        Knob::of(Serial::mode, &["poll"]).giving_up("bytes that arrive while the program is busy"),
        Knob::all(Serial::build),
        Knob::of(Serial::ring_size, &["8", "16", "64", "128"]),
        Knob::of(Serial::read_piece, &["8", "128"]),
        Knob::of(Stm32::processor, &["180MHz"]).giving_up_energy("power"),
    ];
}

impl Configured for Parameters {
    /// Its bits on the wire at the rate of the divider.
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        let boards = self.ports.at(self.baud)?;
        let source = "8N1 at the real baud rate: RM0090, fractional baud rate generation";
        Ok(Floor::new().with(format!("wire, {size} B"), 1, boards.line_ns(size), source))
    }

    fn ends(&self, _: usize, bench: &Bench) -> Result<Ends, Refusal> {
        let (sim, boards) = (bench.sim(), self.ports.at(self.baud)?);
        let (near, far) = boards.boards(sim);
        let (there, back) = (Wire::new(sim), Wire::new(sim));
        let end = |cpu, from, to| End {
            pins: boards.pins(cpu),
            link: ready(Ok::<_, String>(boards.port(cpu, from, to))),
        };
        Ok(Ends::two(end(&near, &back, &there), end(&far, &there, &back)))
    }

    fn positions(&self) -> Vec<(Name, u64)> {
        self.ports.positions()
    }
}
