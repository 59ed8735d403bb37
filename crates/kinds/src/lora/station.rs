//! One board with its SX1276.

use std::rc::Rc;

use airlag_air::NodeId;
use airlag_drivers::sx127x::Sx127x as Driver;
use airlag_link::Repeated;
use airlag_models::chip::sx127x::Sx1276 as Chip;
use airlag_models::mcu::{Board, Costed, Delay, Input, Output, Spi};

use super::parameters::Setup;
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
            Chip::new(bench.air(), &format!("{name} SX1276"), bench.sim(), clock, setup.timing);
        Self { board, chip, setup: *setup }
    }

    pub(super) fn node(&self) -> NodeId {
        self.chip.node()
    }

    /// Returns the chip, for a board that is not one of this bench.
    #[must_use]
    pub const fn chip(&self) -> &Rc<Chip> {
        &self.chip
    }

    /// Creates the driver, which configures the chip.
    async fn driver(&self) -> Result<Driver<Spi<Chip>, Input>, String> {
        let spi = Spi::new(&self.board, Rc::clone(&self.chip), self.setup.boards.bus());
        let input = |name: &str, pin: usize| {
            Input::new(&self.board, name, &self.chip.dio()[pin], self.setup.boards.interrupt())
        };
        let (dio0, dio5) = (input("dio0", 0), input("dio5", 5));
        let (mut reset, mut delay) = (Output::new(self.chip.reset()), Delay::new(&self.board));
        Driver::new(spi, dio0, dio5, &mut reset, &mut delay, self.setup.config)
            .await
            .map_err(|error| error.to_string())
    }

    /// The end of the link with the costs and pins of its program.
    pub(super) fn end(self) -> End<BarePins, impl Opening> {
        let (pins, program) = (self.setup.boards.pins(&self.board), self.setup.boards.program());
        let times = self.setup.transmissions;
        End {
            pins,
            link: async move {
                let driver = Costed::new(&self.board, self.driver().await?, program);
                Ok(Repeated::new(driver, times))
            },
        }
    }
}
