//! One board, no link: the trigger answered with a strobe. What every other number contains.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_app::Echo;
use airlag_sim::{Line, Sim};

use crate::error::Error;
use crate::floor::Floor;
use crate::knob::Knob;
use crate::parameter::Known;
use crate::profile::Profile;
use crate::run::{Report, Wiring};
use crate::stm32::{self, Code, Stm32};

/// What a profile of this kind sets.
pub const PARAMETERS: &[Known] = &[
    stm32::PROCESSOR,
    stm32::EXCEPTION_ENTRY,
    stm32::EXCEPTION_EXIT,
    stm32::TAIL_CHAIN,
    stm32::TICK_PERIOD,
    stm32::TICK_HANDLER,
    stm32::SYNCHRONISER,
    stm32::TRIGGER_HANDLER,
    stm32::cycles("turn", "one turn of the main loop that looks at the flag"),
    stm32::STROBE_WRITE,
    stm32::STROBE_HOLD,
    stm32::STROBE_SLEW,
    stm32::ppb("board_ppb", "how fast the board's clock runs"),
];

/// What can be turned: how the program is written.
pub const KNOBS: &[Knob] = &[
    // A handler that does nothing but take the event, and a loop that does nothing but look.
    Knob::of("trigger_handler", &["19"]),
    Knob::of("turn", &["4"]),
    Knob::of("strobe_write", &["4"]),
    Knob::of("tick_period", &["0"]).giving_up("the millisecond tick"),
    Knob::of("processor", &["180MHz"]).giving_up("power"),
];

/// What an answer takes at least: what the processor does by itself, and the pin.
pub fn floor(profile: &Profile, _size: usize) -> Result<Floor, Error> {
    let hz = profile.whole("processor")?.max(1);
    let ns = |cycles: u64| cycles * 1_000_000_000 / hz;
    Ok(Floor::new()
        .with("synchroniser", 1, ns(profile.whole("synchroniser")?), "profile: synchroniser")
        .with("exception entry", 1, ns(profile.whole("exception_entry")?), "Cortex-M4 TRM")
        .with("pin", 1, profile.duration("strobe_slew")?.as_ns(), "profile: strobe_slew"))
}

/// Builds the bench of a profile.
pub fn wire(profile: &Profile, _size: usize, sim: &Sim) -> Result<Wiring, Error> {
    let setup = Stm32::new(profile, Code::AS_MEASURED)?;
    let turn = profile.whole("turn")?;
    let cpu = setup.board(sim, "board", profile.signed("board_ppb")?);
    let report = Rc::new(RefCell::new(Report::default()));
    let (trigger, strobe) = (Line::new(sim, false), Line::new(sim, false));
    let mut input = setup.trigger(&cpu, &trigger, turn);
    let mut output = setup.strobe(&cpu, &strobe);
    let told = Rc::clone(&report);
    sim.spawn("board", async move {
        let mut echo = Echo::new();
        told.borrow_mut().ready += 1;
        loop {
            let outcome = echo.step(&mut input, &mut output).await;
            let mut told = told.borrow_mut();
            told.sent.messages = echo.answered();
            told.received.messages = echo.answered();
            if let Err(error) = outcome {
                told.stopped = Some(("board", error.to_string()));
                return;
            }
        }
    });
    Ok(Wiring { trigger, strobe, boards: 1, air: None, report })
}
