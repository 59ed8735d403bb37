//! Two ESP32 whose own host stack runs the serial port profile.

use std::cell::RefCell;
use std::convert::Infallible;
use std::future::ready;
use std::rc::Rc;

use airlag_air::Medium;
use airlag_models::mcu::Output;
use airlag_models::stack::bt_classic::{Spp, SppTiming};
use airlag_sim::{Line, Sim};

use crate::bluetooth::{self, joined};
use crate::error::Error;
use crate::fixture::{self, Fixture};
use crate::floor::Floor;
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

/// What an engineer can turn.
pub const KNOBS: &[Knob] = &[];

/// What a message takes at least.
pub fn floor(_profile: &Profile, _size: usize) -> Result<Floor, Error> {
    Ok(Floor::new())
}

/// Builds the bench of a profile.
pub fn wire(profile: &Profile, size: usize, sim: &Sim) -> Result<Wiring, Error> {
    let p = profile;
    let link = bluetooth::Setup::new(p, if p.flag("ertm")? { ERTM } else { 0 })?;
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
