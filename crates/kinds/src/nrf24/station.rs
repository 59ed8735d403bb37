//! One board with its nRF24L01+.

use std::rc::Rc;

use airlag_air::NodeId;
use airlag_drivers::nrf24::{
    Config, ConfigError, Nrf24 as Driver, Replier, Requester, Resting, Role, Turning,
};
use airlag_models::chip::nrf24::Nrf24 as Chip;
use airlag_models::mcu::{Board, Costed, Delay, Input, Output, Spi};

use super::link::{StationDriver, StationLink};
use super::parameters::{Idle, Reply, Setup};
use crate::boards::bare::BarePins;
use airlag_rig::ends::{Bench, End, Opening};

/// One board with its chip.
pub struct Station {
    board: Board,
    chip: Rc<Chip>,
    setup: Setup,
}

impl Station {
    pub(super) fn new(setup: &Setup, board: Board, bench: &Bench) -> Self {
        let (name, clock) = (board.name(), *board.clock());
        let chip =
            Chip::new(bench.air(), &format!("{name} nRF24"), bench.sim(), clock, setup.timing);
        chip.on_incident(bench.incidents());
        Self { board, chip, setup: *setup }
    }

    /// Node of the chip on the air.
    #[must_use]
    pub fn node(&self) -> NodeId {
        self.chip.node()
    }

    /// Returns the chip, for a board that is not one of this bench.
    #[must_use]
    pub const fn chip(&self) -> &Rc<Chip> {
        &self.chip
    }

    /// Configures the chip as one end of the link.
    pub async fn driver(&self, role: Role) -> Result<StationDriver, String> {
        let spi = Spi::new(&self.board, Rc::clone(&self.chip), self.setup.boards.bus());
        let ce = Output::new(self.chip.ce());
        let irq = Input::new(&self.board, "irq", self.chip.irq(), self.setup.boards.interrupt());
        let mut delay = Delay::new(&self.board);
        let config = Config { role, ..self.setup.config };
        Driver::new(spi, ce, irq, &mut delay, config).await.map_err(|error| error.to_string())
    }

    /// Opens the link with the reply method of its profile.
    pub async fn opened(&self, role: Role) -> Result<StationLink, String> {
        let (driver, delay) = (self.driver(role).await?, Delay::new(&self.board));
        let pause_us = self.setup.poll_pause.as_ns().div_ceil(1_000) as u32;
        let refused = |error: ConfigError| error.to_string();
        Ok(match (self.setup.reply, role) {
            (Reply::None, Role::Transmitter) if self.setup.idle == Idle::PowerDown => {
                let mut resting = Resting::new(driver, delay);
                resting.power_down().await.map_err(|error| error.to_string())?;
                StationLink::Resting(resting)
            }
            (Reply::None, _) => StationLink::OneWay(driver),
            (Reply::Turn, _) => StationLink::Turning(Turning::new(driver, delay)),
            (Reply::AckPayload, Role::Transmitter) => {
                let requester = Requester::new(driver, delay, pause_us).map_err(refused)?;
                StationLink::Requester(requester)
            }
            (Reply::AckPayload, Role::Receiver) => {
                StationLink::Replier(Replier::new(driver).map_err(refused)?)
            }
        })
    }

    /// Opens the link with the costs of the program around it.
    pub async fn link(self, role: Role) -> Result<Costed<StationLink>, String> {
        let costs = match role {
            Role::Transmitter => self.setup.sender,
            Role::Receiver => self.setup.receiver,
        };
        Ok(Costed::new(&self.board, self.opened(role).await?, costs))
    }

    /// The end of the link, with the pins of its program.
    pub(super) fn end(self, role: Role) -> End<BarePins, impl Opening> {
        End { pins: self.setup.boards.pins(&self.board), link: self.link(role) }
    }
}
