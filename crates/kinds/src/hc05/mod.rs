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

/// This kind, as it is listed.
pub static KIND: Definition = Definition::of::<Parameters>();

parameters! {
    /// What a profile of this kind sets: the link, the modules, and boards as on a wire.
    pub struct Parameters {
        /// the link between the modules
        piconet: Piconet,
        /// bytes a module holds before it loses some
        input_buffer: usize = whole(1, 65_536, "B"),
        /// bytes that go on to the radio as soon as they are there
        block: usize = whole(1, 1_016, "B"),
        /// how long less than a block waits, after a handover this recent
        handover: Duration,
        /// from a byte's end to the module noticing it
        notice: Duration,
        /// share of first bytes whose interrupt is missed
        missed: f64,
        /// how long a missed byte waits at most
        look: Duration,
        /// from the last byte of an output burst to the next one
        rearm: Duration,
        /// bytes of an output burst
        burst: usize = whole(1, 65_536, "B"),
        /// the rate the program asks for
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

    /// AT commands of the module, and its board's port to match.
    const KNOBS: &'static [Knob] = &[
        Knob::of(Parameters::baud, &["57600", "115200", "230400", "460800", "921600"]),
        Knob::all(Piconet::sender_role),
        Knob::of(Serial::mode, &["irq", "dma"]),
    ];
}

impl Configured for Parameters {
    /// Its bytes on both lines and its frames in whole slots, the first in a slot that begins at
    /// once.
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        through(self, |relay| relay.floor(size))
    }

    /// What is slower, a line or the air in the frames that carry most.
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
            // Its tasks keep it going.
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

/// What is true of the modules and the lines to them.
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
