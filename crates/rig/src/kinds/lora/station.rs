//! One board with its SX1276.

use std::rc::Rc;

use airlag_air::NodeId;
use airlag_drivers::sx127x::Sx127x as Driver;
use airlag_models::chip::sx127x::Sx1276 as Chip;
use airlag_models::mcu::{Board, Costed, Delay, Input, Output, Spi};
use airlag_sim::Clock;

use super::parameters::Setup;
use crate::boards::bare::BarePins;
use crate::ends::{Bench, End, Opening};
use crate::parameter::Ppb;

/// One board with its chip.
pub(super) struct Station {
    board: Board,
    chip: Rc<Chip>,
    setup: Setup,
}

impl Station {
    pub(super) fn new(setup: &Setup, name: &str, Ppb(ppb): Ppb, bench: &Bench) -> Self {
        let (sim, clock) = (bench.sim(), Clock::exact().with_ppb(ppb));
        let board = Board::new(sim, name, clock);
        let chip = Chip::new(bench.air(), &format!("{name} SX1276"), sim, clock, setup.timing);
        Self { board, chip, setup: *setup }
    }

    pub(super) fn node(&self) -> NodeId {
        self.chip.node()
    }

    /// Sets the chip up.
    async fn driver(&self) -> Result<Driver<Spi, Input>, String> {
        let spi = Spi::new(&self.board, Rc::clone(&self.chip) as _, self.setup.spi);
        let input = |name: &str, pin: usize| {
            Input::new(&self.board, name, &self.chip.dio()[pin], self.setup.interrupt)
        };
        let (dio0, dio5) = (input("dio0", 0), input("dio5", 5));
        let (mut reset, mut delay) = (Output::new(self.chip.reset()), Delay::new(&self.board));
        Driver::new(spi, dio0, dio5, &mut reset, &mut delay, self.setup.config)
            .await
            .map_err(|error| error.to_string())
    }

    /// With the cost of the program around the driver, and the pins that program uses.
    pub(super) fn end(self) -> End<BarePins, impl Opening> {
        let Setup { trigger, strobe, program, .. } = self.setup;
        let pins = BarePins { board: self.board.clone(), trigger, strobe };
        End {
            pins,
            link: async move { Ok(Costed::new(&self.board, self.driver().await?, program)) },
        }
    }
}
