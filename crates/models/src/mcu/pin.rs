//! Outputs, and inputs that are noticed by interrupt, by polling or at a tick.
//!
//! `embedded-hal` writes pins in a plain call that cannot take time. An [`Output`] instead holds
//! each level for as long as the code between two writes takes.

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
    /// When the level written last is on the wire.
    written: Instant,
}

impl Output {
    /// Drives `line` at once.
    #[must_use]
    pub fn new(line: &Line) -> Self {
        Self::holding(line, Duration::ZERO)
    }

    /// Drives `line`; a level that is written holds for at least `hold`.
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

/// How a program notices that an input changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// An interrupt wakes the waiting code.
    Interrupt {
        /// From the edge to the first line of the code that waited.
        entry: Duration,
        /// What a loop position or another interrupt adds at most, each nanosecond equally likely.
        jitter: Duration,
    },
    /// The interrupt sets a flag, which the main loop comes round to.
    Polled {
        /// From the edge to the flag being set.
        entry: Duration,
        /// Length of the loop; its position is anywhere, each nanosecond equally likely.
        period: Duration,
    },
    /// The interrupt sets a flag, which the program looks at once per scheduler tick
    /// of the board's clock.
    Tick {
        /// From the tick to the code that looks.
        entry: Duration,
    },
}

/// An input. Edges that come while nobody waits are forgotten, as when an interrupt is armed by
/// the wait.
pub struct Input {
    board: Board,
    line: Line,
    notice: Notice,
    stream: Stream,
}

impl Input {
    /// Reads `line`; `name` picks the random stream of its jitter.
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
