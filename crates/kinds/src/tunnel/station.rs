//! One board with its nRF24L01+ and its end of the tunnel.

use std::rc::Rc;

use airlag_air::NodeId;
use airlag_drivers::nrf24::Nrf24 as Driver;
use airlag_models::chip::nrf24::Nrf24 as Chip;
use airlag_models::mcu::{Board, Delay, Input, Output, Spi};
use airlag_sim::Sim;
use airlag_tunnel::endpoint::Arq;
use airlag_tunnel::{Config, Endpoint, nrf24, radio};

use super::door::{Door, Shared};
use super::parameters::Setup;
use crate::boards::bare::BarePins;
use airlag_rig::ends::{Bench, End, Opening};

/// One board with its chip.
pub struct Station {
    sim: Sim,
    board: Board,
    chip: Rc<Chip>,
    setup: Setup,
    /// It greets the other end as soon as it is up.
    greets: bool,
}

impl Station {
    pub(super) fn new(setup: &Setup, board: Board, bench: &Bench, greets: bool) -> Self {
        let (name, clock) = (board.name(), *board.clock());
        let chip =
            Chip::new(bench.air(), &format!("{name} nRF24"), bench.sim(), clock, setup.timing);
        Self { sim: bench.sim().clone(), board, chip, setup: setup.clone(), greets }
    }

    /// The chip on the air.
    #[must_use]
    pub fn node(&self) -> NodeId {
        self.chip.node()
    }

    /// Sets the chip up and starts the end of the tunnel on it.
    pub async fn open(self) -> Result<Door, String> {
        let Self { sim, board, chip, setup, greets } = self;
        let name = format!("{} tunnel", board.name());
        let config = Config {
            protection: setup.protection,
            mtu: setup.mtu,
            queue: setup.queue,
            frame: nrf24::FRAME,
            arq: Arq::Laid,
            shared: true,
            pace: setup.pace,
            random: sim.stream(&name).bits(),
        };
        let spi = Spi::new(&board, Rc::clone(&chip) as _, setup.boards.bus());
        let ce = Output::new(chip.ce());
        let irq = Input::new(&board, "irq", chip.irq(), setup.boards.interrupt());
        let driver = Driver::new(spi, ce, irq, &mut Delay::new(&board), setup.driver).await;
        let mut radio = driver.map_err(|error| error.to_string())?;
        let mut endpoint = Endpoint::new(config);
        if greets {
            endpoint.greet();
        }
        let shared = Rc::new(Shared::new(&sim, endpoint, setup.when_full));
        let mine = Rc::clone(&shared);
        sim.spawn(name, async move {
            let cause = radio::run(&mine.endpoint, &mut radio, &*mine, &*mine).await;
            mine.break_off(cause.to_string());
        });
        Ok(Door::new(shared))
    }

    /// The same with the pins a program uses.
    pub(super) fn end(self) -> End<BarePins, impl Opening> {
        End { pins: self.setup.boards.pins(&self.board), link: self.open() }
    }
}
