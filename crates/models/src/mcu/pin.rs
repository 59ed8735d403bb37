//! Outputs, and inputs detected by interrupt, by polling or at a tick.
//!
//! `embedded-hal` writes pins in a plain call that cannot take time. An [`Output`] instead holds
//! each level for the duration of the code between two writes.

use std::convert::Infallible;

use airlag_sim::{Duration, Edge, Instant, Line, Stream};
use embedded_hal::digital::{ErrorType, InputPin, OutputPin};
use embedded_hal_async::digital::Wait;

use super::board::Board;
use crate::slices;

/// An output.
#[derive(Clone)]
pub struct Output {
    line: Line,
    hold: Duration,
    /// Time at which the last written level is on the wire.
    written: Instant,
}

impl Output {
    /// Drives `line` without delay.
    #[must_use]
    pub fn new(line: &Line) -> Self {
        Self::holding(line, Duration::ZERO)
    }

    /// Drives `line`; a written level holds for at least `hold`.
    #[must_use]
    pub fn holding(line: &Line, hold: Duration) -> Self {
        Self { line: line.clone(), hold, written: Instant::START }
    }

    fn write(&mut self, level: bool) {
        let now = self.line.sim().now();
        let at = if self.written == Instant::START { now } else { self.written + self.hold };
        if at <= now {
            self.written = now;
            self.line.set(level);
        } else {
            self.written = at;
            self.line.set_at(at, level);
        }
    }
}

impl ErrorType for Output {
    type Error = Infallible;
}

impl OutputPin for Output {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.write(false);
        Ok(())
    }
    fn set_high(&mut self) -> Result<(), Infallible> {
        self.write(true);
        Ok(())
    }
}

/// Method by which a program detects a change of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// An interrupt wakes the waiting code.
    Interrupt {
        /// Time from the edge to the first line of the code that waited for it.
        entry: Duration,
        /// Largest delay caused by a loop position or another interrupt; uniformly distributed.
        jitter: Duration,
    },
    /// The interrupt sets a flag, which the main loop polls.
    Polled {
        /// Time from the edge to the flag being set.
        entry: Duration,
        /// Duration of the loop; its position is uniformly distributed.
        period: Duration,
    },
    /// The interrupt sets a flag, which the program polls once per scheduler tick of the board's
    /// clock.
    Tick {
        /// Time from the tick to the code that polls.
        entry: Duration,
    },
}

/// An input. An edge without a pending wait is ignored, as on a board where the wait enables the
/// interrupt.
pub struct Input {
    board: Board,
    line: Line,
    notice: Notice,
    stream: Stream,
}

impl Input {
    /// Reads `line`; `name` selects the random stream of its jitter.
    #[must_use]
    pub fn new(board: &Board, name: &str, line: &Line, notice: Notice) -> Self {
        let stream = board.stream(name);
        Self { board: board.clone(), line: line.clone(), notice, stream }
    }

    async fn noticed(&mut self) {
        match self.notice {
            Notice::Interrupt { entry, jitter } => {
                let late = entry + self.stream.within(jitter);
                self.board.spend(&slices::INTERRUPT, late).await;
            }
            Notice::Polled { entry, period } => {
                self.board.spend(&slices::INTERRUPT, entry).await;
                let wait = self.stream.within(period);
                self.board.spend(&slices::POLL_WAIT, wait).await;
            }
            Notice::Tick { entry } => {
                let tick = self.board.clock().next_tick(self.board.sim().now());
                self.board.spend_until(&slices::TICK_WAIT, tick).await;
                self.board.spend(&slices::INTERRUPT, entry).await;
            }
        }
    }

    async fn after(&mut self, edge: Edge) {
        self.line.edge(edge).await;
        let came = self.line.changed_at();
        self.noticed().await;
        self.line.notice(came);
    }
}

impl ErrorType for Input {
    type Error = Infallible;
}

impl InputPin for Input {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        Ok(self.line.level())
    }
    fn is_low(&mut self) -> Result<bool, Infallible> {
        Ok(!self.line.level())
    }
}

impl Wait for Input {
    async fn wait_for_high(&mut self) -> Result<(), Infallible> {
        if !self.line.level() {
            self.after(Edge::Rising).await;
        }
        Ok(())
    }
    async fn wait_for_low(&mut self) -> Result<(), Infallible> {
        if self.line.level() {
            self.after(Edge::Falling).await;
        }
        Ok(())
    }
    async fn wait_for_rising_edge(&mut self) -> Result<(), Infallible> {
        self.after(Edge::Rising).await;
        Ok(())
    }
    async fn wait_for_falling_edge(&mut self) -> Result<(), Infallible> {
        self.after(Edge::Falling).await;
        Ok(())
    }
    async fn wait_for_any_edge(&mut self) -> Result<(), Infallible> {
        self.after(Edge::Any).await;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
