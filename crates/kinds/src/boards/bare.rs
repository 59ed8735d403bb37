//! Boards whose program only waits for interrupts, as in the example programs of drivers.

use airlag_models::mcu::{Board, Input, Notice, Output};
use airlag_sim::{Clock, Duration, Line};

use airlag_rig::ends::Pins;

/// Pins of a board whose program only waits for interrupts.
pub struct BarePins {
    /// Board.
    pub board: Board,
    /// Trigger detection of its program.
    pub trigger: Notice,
    /// Duration of the strobe pulse.
    pub strobe: Duration,
}

impl Pins for BarePins {
    type Trigger = Input;
    type Strobe = Output;

    fn trigger(&self, line: &Line) -> Input {
        Input::new(&self.board, "trigger", line, self.trigger)
    }

    fn strobe(&self, line: &Line) -> Output {
        Output::holding(line, self.strobe)
    }

    fn clock(&self) -> Clock {
        *self.board.clock()
    }
}
