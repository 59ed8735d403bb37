//! Two boards with a serial-port module each, and a Bluetooth Classic link between the modules.

use std::cell::RefCell;
use std::convert::Infallible;
use std::future::ready;
use std::rc::Rc;

use airlag_air::Medium;
use airlag_models::mcu::uart::Wire;
use airlag_models::stack::bt_classic::module::{after_bytes, divider_word};
use airlag_models::stack::bt_classic::{Module, ModuleTiming};
use airlag_sim::{Clock, Line, Sim};

use crate::bluetooth::{self, incident, joined};
use crate::error::Error;
use crate::floor::Floor;
use crate::floor::relay::Relay;
use crate::knob::Knob;
use crate::parameter::Known;
use crate::profile::Profile;
use crate::run::{Report, Wiring};
use crate::{programs, uart};

const MODULE: [Known; 8] = [
    Known::whole("input_buffer", "B", 1, 65_536, "bytes a module holds before it loses some"),
    Known::whole("block", "B", 1, 1_016, "bytes that go on to the radio as soon as they are there"),
    Known::ns("handover", "how long less than a block waits, after a handover this recent"),
    Known::ns("notice", "from a byte's end to the module noticing it"),
    Known::real("missed", "", 0.0, 1.0, "share of first bytes whose interrupt is missed"),
    Known::ns("look", "how long a missed byte waits at most"),
    Known::ns("rearm", "from the last byte of an output burst to the next one"),
    Known::whole("burst", "B", 1, 65_536, "bytes of an output burst"),
];

const LINK: [Known; bluetooth::PARAMETERS.len() + MODULE.len()] =
    joined(&bluetooth::PARAMETERS, &MODULE);

/// What a profile of this kind sets: boards as on a wire, the link, and the modules.
pub const PARAMETERS: &[Known] =
    &joined::<{ LINK.len() + uart::PARAMETERS.len() }>(&LINK, uart::PARAMETERS);

fn timing(p: &Profile) -> Result<ModuleTiming, Error> {
    Ok(ModuleTiming {
        baud: p.whole("baud")?,
        input_buffer: p.whole("input_buffer")? as usize,
        block: p.whole("block")? as usize,
        handover: p.duration("handover")?,
        notice: p.duration("notice")?,
        missed: p.real("missed")?,
        look: p.duration("look")?,
        rearm: p.duration("rearm")?,
        burst: p.whole("burst")? as usize,
    })
}

/// What can be turned: AT commands of the module, and its board's port to match.
pub const KNOBS: &[Knob] = &[
    Knob::of("baud", &["57600", "115200", "230400", "460800", "921600"]),
    Knob::all("sender_role"),
    Knob::of("mode", &["irq", "dma"]),
];

/// What a message takes at least: its bytes on both lines and its frames in whole slots, the first
/// in a slot that begins at once.
pub fn floor(profile: &Profile, size: usize) -> Result<Floor, Error> {
    let (boards, link) = (uart::Setup::new(profile)?, bluetooth::Setup::new(profile, 0)?);
    let word = divider_word(profile.whole("baud")?);
    let cycle = |data: usize| link.packets(data).map(|packet| packet.exchange_ns).sum();
    let air = |data: usize| {
        let rest = link.packets(data).last().map_or(0, |last| last.exchange_ns - last.air_ns);
        cycle(data) - rest
    };
    let relay = Relay {
        line_in: &|bytes| boards.line_ns(bytes),
        line_out: &|bytes| after_bytes(bytes as u64, word),
        frame_max: link.frame_max(),
        air: &air,
        cycle: &cycle,
        sources: [
            "8N1 at the real baud rates: RM0090, BlueCore PSKEY_UART_BAUDRATE",
            "Core Specification, Vol 2, Part B, 2.2.5 and 6: RFCOMM frames in whole slots",
        ],
    };
    Ok(relay.floor(size))
}

/// Builds the bench of a profile.
pub fn wire(profile: &Profile, size: usize, sim: &Sim) -> Result<Wiring, Error> {
    let boards = uart::Setup::new(profile)?;
    let link = bluetooth::Setup::new(profile, 0)?;
    let timing = timing(profile)?;
    let (sending, receiving) = boards.boards(sim);
    let report = Rc::new(RefCell::new(Report::default()));
    let (trigger, strobe) = (Line::new(sim, false), Line::new(sim, false));
    let air = Medium::new(sim);
    let (near, far) = link.connect(sim, &air, &report);

    let (to_module, from_module) = (Wire::new(sim), Wire::new(sim));
    let module = |name, wires, end| {
        let clock = Clock::exact();
        Module::start(sim, name, clock, wires, end, timing, incident(&report))
    };
    module("sender", (&to_module, &from_module), near);
    let input = boards.trigger(&sending, &trigger);
    let end = boards.end(&sending, &from_module, &to_module);
    programs::send(sim, &report, size, input, ready::<Result<_, Infallible>>(Ok(end)));

    let (to_module, from_module) = (Wire::new(sim), Wire::new(sim));
    module("receiver", (&to_module, &from_module), far);
    let output = boards.strobe(&receiving, &strobe);
    let end = boards.end(&receiving, &from_module, &to_module);
    programs::receive(sim, &report, output, ready::<Result<_, Infallible>>(Ok(end)));
    Ok(Wiring { trigger, strobe, boards: 2, air: Some(air), report })
}
