//! Two ESP32 whose own host stack runs the serial port profile.

use std::cell::RefCell;
use std::convert::Infallible;
use std::future::ready;
use std::rc::Rc;

use airlag_air::Medium;
use airlag_models::mcu::Output;
use airlag_models::stack::bt_classic::{PacketType, Spp, SppTiming};
use airlag_sim::{Line, Sim};

use crate::bluetooth::{self, Packet, joined};
use crate::error::Error;
use crate::fixture::{self, Fixture};
use crate::floor::{Floor, split};
use crate::knob::Knob;
use crate::parameter::Known;
use crate::profile::Profile;
use crate::programs;
use crate::run::{Report, Wiring};

const PORT: [Known; 12] = [
    Known::flag("ertm", "the enhanced retransmission mode of L2CAP below RFCOMM"),
    Known::whole("write_size", "B", 1, 1_016, "bytes of one write at most"),
    Known::ns("write", "from the write to its event in the program's hands"),
    Known::whole("high_water", "frames", 0, 255, "writes that may wait before it is congested"),
    Known::ns("per_byte", "handing over and checking one received byte"),
    Known::ns("strobe", "how long the strobe stays high"),
    fixture::TRIGGER_NOTICE,
    fixture::TICK_PERIOD,
    fixture::TICK_PHASE,
    fixture::TRIGGER_ENTRY,
    fixture::SENDER_PPB,
    fixture::RECEIVER_PPB,
];

/// What a profile of this kind sets.
pub const PARAMETERS: &[Known] =
    &joined::<{ bluetooth::PARAMETERS.len() + PORT.len() }>(&bluetooth::PARAMETERS, &PORT);

/// Bytes of the enhanced retransmission mode in an I-frame: control field and FCS (Core
/// Specification, Vol 3, Part A, 3.3).
const ERTM: usize = 4;

/// What can be turned: how the task is told, what is written at once, and how the two sides agree.
pub const KNOBS: &[Knob] = &[
    fixture::NOTICE_KNOB,
    fixture::TICK_KNOB,
    Knob::of("write_size", &["64", "128", "330", "990"]),
    Knob::all("sender_role"),
    Knob::of("ertm", &["false"]),
    // esp_bt_gap_set_qos.
    Knob::of("poll_interval", &["2", "4"]).giving_up("power"),
    // esp_bt_gap_set_scan_mode, once connected.
    Knob::of("scan_windows", &["0"]).giving_up("others can neither find nor connect this device"),
    Knob::of("packets", &["edr3"]).giving_up("range: 3 Mbit/s needs the strongest signal"),
];

/// What a message takes at least: the packets of its frames back to back, each but the last with
/// the slot of its answer, the first in a slot that begins at once.
pub fn floor(profile: &Profile, size: usize) -> Result<Floor, Error> {
    let link = bluetooth::Setup::new(profile, trailer(profile)?)?;
    let write = (profile.whole("write_size")? as usize).min(link.frame_max());
    let (full, rest) = split(size, write);
    let last = if rest > 0 { rest } else { write.min(size) };
    let before = full - u64::from(rest == 0 && full > 0);
    let source =
        "Core Specification, Vol 2, Part B, 2.2.5 and 6.5: whole slots, and one for the answer";
    let mut floor = Floor::new();
    for packet in link.packets(write) {
        floor = floor.with(exchange(packet.kind), before, packet.exchange_ns, source);
    }
    let mut packets = link.packets(last).peekable();
    while let Some(Packet { kind, bytes, air_ns, exchange_ns }) = packets.next() {
        floor = match packets.peek() {
            Some(_) => floor.with(exchange(kind), 1, exchange_ns, source),
            None => floor.with(format!("air, {kind}, {bytes} B"), 1, air_ns, AIRTIME),
        };
    }
    Ok(floor)
}

const AIRTIME: &str = "Core Specification, Vol 2, Part B, 6";

fn exchange(kind: PacketType) -> String {
    format!("{kind} and its answer")
}

/// Bytes a frame carries besides RFCOMM's.
fn trailer(p: &Profile) -> Result<usize, Error> {
    Ok(if p.flag("ertm")? { ERTM } else { 0 })
}

/// Builds the bench of a profile.
pub fn wire(profile: &Profile, size: usize, sim: &Sim) -> Result<Wiring, Error> {
    let p = profile;
    let link = bluetooth::Setup::new(p, trailer(p)?)?;
    let boards = Fixture::new(p)?;
    let timing = SppTiming {
        write_size: p.whole("write_size")? as usize,
        write: p.duration("write")?,
        high_water: p.whole("high_water")? as usize,
        per_byte: p.duration("per_byte")?,
    };
    let (sending, receiving) = (boards.sender(sim), boards.receiver(sim));
    let report = Rc::new(RefCell::new(Report::default()));
    let (trigger, strobe) = (Line::new(sim, false), Line::new(sim, false));
    let air = Medium::new(sim);
    let (near, far) = link.connect(sim, &air, &report);

    let input = boards.trigger(&sending, &trigger);
    let end = Spp::new(&sending, near, timing);
    programs::send(sim, &report, size, input, ready::<Result<_, Infallible>>(Ok(end)));
    let output = Output::holding(&strobe, p.duration("strobe")?);
    let end = Spp::new(&receiving, far, timing);
    programs::receive(sim, &report, output, ready::<Result<_, Infallible>>(Ok(end)));
    Ok(Wiring { trigger, strobe, boards: 2, air: Some(air), report })
}
