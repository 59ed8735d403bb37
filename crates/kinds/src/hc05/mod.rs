//! Two boards with a serial-port module each, and a Bluetooth Classic link between the modules.

use std::future::ready;
use std::rc::Rc;

use airlag_models::mcu::uart::Wire;
use airlag_models::stack::bt_classic::module::{after_bytes, divider_word};
use airlag_models::stack::bt_classic::{Module, ModuleTiming};
use airlag_sim::{Clock, Duration};

use crate::boards::piconet::Piconet;
use crate::boards::serial::Serial;
use crate::calls;
use crate::neighbours;
use crate::relay::Relay;
use airlag_air::transmitter::Transmitter;
use airlag_rig::ends::{Bench, End, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor};
use airlag_rig::kind::{Configured, Declared, Definition, Facts, Medium, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::neighbours::Kinds;
use airlag_rig::parameter::{Name, parameters};

/// Definition of this kind.
pub static KIND: Definition = Definition::of::<Parameters>();

parameters! {
    /// Parameters of a profile of this kind: the link, the modules, and boards as on a wire.
    pub struct Parameters {
        /// the link between the modules
        piconet: Piconet,
        /// input buffer of a module; bytes beyond it are lost
        input_buffer: usize = whole(1, 65_536, "B"),
        /// number of bytes that go to the radio at once
        block: usize = whole(1, 1_016, "B"),
        /// wait of an incomplete block from its first byte, if the previous handover was less than
        /// this long ago
        handover: Duration,
        /// from a byte's end to its detection by the module
        notice: Duration,
        /// share of first bytes whose interrupt is missed
        missed: f64,
        /// longest detection delay of a missed byte
        look: Duration,
        /// from the last byte of an output burst to the next burst
        rearm: Duration,
        /// length of an output burst
        burst: usize = whole(1, 65_536, "B"),
        /// requested rate of the program
        baud: u64 = whole(1_200, 2_625_000, "baud"),
        /// boards and ports
        ports: Serial,
    }
}

impl Facts for Parameters {
    const NAME: &'static str = "hc05";
    const MEDIUM: Medium = Medium::Air;
    const LOSES: bool = false;
    const WAYS: Ways = Ways::Both;
    const PROGRAMS: &'static [Declared] = calls::PARAMETERS;
    const NEIGHBOURS: Kinds = neighbours::OTHERS;

    /// AT commands of the module, and the matching settings of the board's port.
    const KNOBS: &'static [Knob] = &[
        Knob::of(Parameters::baud, &["57600", "115200", "230400", "460800", "921600"]),
        Knob::all(Piconet::sender_role),
        Knob::of(Serial::mode, &["irq", "dma"]),
    ];
}

impl Configured for Parameters {
    /// The bytes on both lines, and the frames in whole slots, the first of which begins at once.
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        through(self, |relay| relay.floor(size))
    }

    /// The slower of the two: a line, or the air with frames of the highest capacity.
    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        through(self, |relay| relay.cycle(size))
    }

    fn ends(&self, _: usize, bench: &Bench) -> Result<Ends, Refusal> {
        let (sim, boards) = (bench.sim(), self.ports.at(self.baud)?);
        let (near, far) = boards.boards(sim);
        let (one, other) = self.piconet.connect(bench, 0)?;
        let timing = ModuleTiming {
            baud: self.baud,
            input_buffer: self.input_buffer,
            block: self.block,
            handover: self.handover,
            notice: self.notice,
            missed: self.missed,
            look: self.look,
            rearm: self.rearm,
            burst: self.burst,
        };
        let end = |cpu, name, channel| {
            let (to_module, from_module) = (Wire::new(sim), Wire::new(sim));
            let (clock, happened) = (Clock::exact(), Rc::new(bench.incidents()));
            let wires = (&to_module, &from_module);
            // Its tasks keep it alive.
            let _ = Module::start(sim, name, clock, wires, channel, timing, happened);
            let link = ready(Ok::<_, String>(boards.port(cpu, &from_module, &to_module)));
            End { pins: boards.pins(cpu), link }
        };
        Ok(Ends::two(end(&near, "sender", one), end(&far, "receiver", other)))
    }

    fn positions(&self) -> Vec<(Name, u64)> {
        self.ports.positions()
    }

    fn transmitter(&self, _: &str) -> Option<Transmitter> {
        Some(self.piconet.transmitter())
    }
}

/// Evaluates `of` on the relay model of modules and lines.
fn through<T>(p: &Parameters, of: impl FnOnce(&Relay<'_>) -> T) -> Result<T, Refusal> {
    let boards = p.ports.at(p.baud)?;
    let word = divider_word(p.baud);
    let cycle =
        |data: usize| p.piconet.frame_packets(data, 0).map(|packet| packet.exchange_ns).sum();
    let air = |data: usize| {
        let last = p.piconet.frame_packets(data, 0).last();
        cycle(data) - last.map_or(0, |last| last.exchange_ns - last.air_ns)
    };
    let relay = Relay {
        line_in: &|bytes| boards.line_ns(bytes),
        line_out: &|bytes| after_bytes(bytes as u64, word),
        frame_max: p.piconet.frame_max,
        air: &air,
        cycle: &cycle,
        sources: [
            "8N1 at the real baud rates: RM0090, BlueCore PSKEY_UART_BAUDRATE",
            "Core Specification, Vol 2, Part B, 2.2.5 and 6: RFCOMM frames in whole slots",
        ],
    };
    Ok(of(&relay))
}
