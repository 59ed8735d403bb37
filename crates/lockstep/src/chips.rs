//! A radio with its pins, of any kind that has a chip model with a bus.

use std::rc::Rc;

use airlag_kinds::{lora, nrf24};
use airlag_models::mcu::SpiTarget;
use airlag_rig::ends::Bench;
use airlag_rig::error::Refusal;
use airlag_rig::{Error, Profile};
use airlag_sim::Line;

use crate::request::Pin;

/// Message size, bytes. It selects the payload length of the bench's own drivers, which do not run here.
const SIZE: usize = 32;

/// A radio with its bus and its pins.
pub struct Chip {
    /// The chip on SPI.
    pub bus: Rc<dyn SpiTarget>,
    /// The pin that the board drives.
    pub driven: (Pin, Line),
    /// Pins that the board reads, in the order of a reply.
    pub read: Vec<Line>,
}

impl Chip {
    /// CE and IRQ.
    fn nrf24(station: &nrf24::Station) -> Self {
        let chip = station.chip();
        let driven = (Pin::Enable, chip.ce().clone());
        Self { bus: Rc::clone(chip) as _, driven, read: vec![chip.irq().clone()] }
    }

    /// NRESET, DIO0 and DIO5, which the driver uses.
    fn sx127x(station: &lora::Station) -> Self {
        let chip = station.chip();
        let [dio0, .., dio5] = chip.dio();
        let driven = (Pin::Reset, chip.reset().clone());
        Self { bus: Rc::clone(chip) as _, driven, read: vec![dio0.clone(), dio5.clone()] }
    }
}

/// Failure to place the chips.
pub enum Unplaced {
    /// No chip model with a bus.
    Kind,
    /// A constant is missing or invalid.
    Profile(Error),
    /// The settings conflict.
    Refused(Refusal),
}

/// The two chips of a profile on the bench. The first one is on the sender's board.
pub fn place(profile: &Profile, bench: &Bench) -> Result<[Chip; 2], Unplaced> {
    match profile.kind.name() {
        "nrf24" => {
            let parameters = profile.read().map_err(Unplaced::Profile)?;
            let (near, far) =
                nrf24::stations(&parameters, SIZE, bench).map_err(Unplaced::Refused)?;
            Ok([&near, &far].map(Chip::nrf24))
        }
        "lora" => {
            let parameters = profile.read().map_err(Unplaced::Profile)?;
            let (near, far) =
                lora::stations(&parameters, SIZE, bench).map_err(Unplaced::Refused)?;
            Ok([&near, &far].map(Chip::sx127x))
        }
        _ => Err(Unplaced::Kind),
    }
}
