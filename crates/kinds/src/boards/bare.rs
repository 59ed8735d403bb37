//! Boards whose program waits for its interrupts and does nothing else, as a driver's example does.

use airlag_models::mcu::{Board, Input, Notice, Output};
use airlag_sim::{Clock, Duration, Line};

use airlag_rig::ends::Pins;

/// The pins of such a board.
pub struct BarePins {
    /// The board.
    pub board: Board,
    /// How its program notices a trigger.
    pub trigger: Notice,
    /// How long its strobe stays high.
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
