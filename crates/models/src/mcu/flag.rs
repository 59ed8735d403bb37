//! An input whose interrupt sets a flag that the main loop polls.
//!
//! On an STM32F4, an edge at the pin passes the synchroniser of the input, and the EXTI controller
//! then raises its interrupt line (RM0090, "External interrupt/event controller"). The interrupt
//! handler clears the pending bit and sets a flag. The main loop then finds the flag.

use std::cell::Cell;
use std::convert::Infallible;
use std::rc::Rc;

use airlag_sim::{Edge, Instant, Line};
use embedded_hal::digital::{ErrorType, InputPin};
use embedded_hal_async::digital::Wait;

use super::cpu::Cpu;
use super::interrupt::{Exceptions, PollLoop};
use crate::slices;

/// Costs of detecting an edge, in processor cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagCosts {
    /// Time from the pin to the pending bit: input synchroniser and edge detector.
    pub synchroniser: u64,
    /// Duration of the handler, which clears the pending bit and sets the flag.
    pub handler: u64,
    /// Duration of one iteration of the idle main loop.
    pub turn: u64,
}

/// Rising edges that have not been processed.
#[derive(Default)]
struct Pending {
    first: Cell<Option<Instant>>,
    merged: Cell<u64>,
}

/// An input with an interrupt and a flag. Only rising edges raise the interrupt; other waits follow
/// the wire itself.
pub struct FlaggedInput {
    cpu: Cpu,
    line: Line,
    costs: FlagCosts,
    exceptions: Exceptions,
    turning: PollLoop,
    pending: Rc<Pending>,
}

impl FlaggedInput {
    /// Watches `line`. The main loop first polls the flag at `first_look`.
    #[must_use]
    pub fn new(
        cpu: &Cpu,
        line: &Line,
        costs: FlagCosts,
        exceptions: Exceptions,
        first_look: u64,
    ) -> Self {
        let pending = Rc::new(Pending::default());
        let seen = Rc::clone(&pending);
        let sim = line.sim().clone();
        line.observe(move |level| {
            if !level {
                return;
            }
            if seen.first.get().is_none() {
                seen.first.set(Some(sim.now()));
            } else {
                // A flag holds a single edge.
                seen.merged.set(seen.merged.get() + 1);
            }
        });
        let turning = PollLoop::new(costs.turn, first_look);
        Self { cpu: cpu.clone(), line: line.clone(), costs, exceptions, turning, pending }
    }

    /// Returns the number of edges that were missed because the flag was still set.
    #[must_use]
    pub fn merged(&self) -> u64 {
        self.pending.merged.get()
    }

    /// Cycle in which the main loop finds the flag after an edge.
    fn found(&mut self, edge: Instant) -> u64 {
        let came = self.cpu.next_cycle(edge) + self.costs.synchroniser;
        let served = self.exceptions.serve(came, self.costs.handler);
        let stolen = self.exceptions.stolen(self.turning.looked(), served.pending);
        let looked = self.turning.look_after(served.pending, served.resumed, stolen);
        // A busy program polls when it returns to the loop.
        let looked = looked.max(self.cpu.now());
        let board = self.cpu.board();
        board.span(&slices::INTERRUPT, edge, self.cpu.instant_of(served.resumed));
        self.cpu.span(&slices::FLAG_POLL, served.resumed, looked);
        self.turning.restart(looked);
        looked
    }
}

impl ErrorType for FlaggedInput {
    type Error = Infallible;
}

impl InputPin for FlaggedInput {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        Ok(self.line.level())
    }
    fn is_low(&mut self) -> Result<bool, Infallible> {
        Ok(!self.line.level())
    }
}

impl Wait for FlaggedInput {
    async fn wait_for_high(&mut self) -> Result<(), Infallible> {
        self.line.at_level(true).await;
        Ok(())
    }
    async fn wait_for_low(&mut self) -> Result<(), Infallible> {
        self.line.at_level(false).await;
        Ok(())
    }
    async fn wait_for_rising_edge(&mut self) -> Result<(), Infallible> {
        let edge = loop {
            match self.pending.first.get() {
                Some(edge) => break edge,
                None => self.line.edge(Edge::Rising).await,
            }
        };
        let found = self.found(edge);
        self.cpu.until(found).await;
        self.pending.first.set(None);
        self.line.notice(edge);
        Ok(())
    }
    async fn wait_for_falling_edge(&mut self) -> Result<(), Infallible> {
        self.line.edge(Edge::Falling).await;
        Ok(())
    }
    async fn wait_for_any_edge(&mut self) -> Result<(), Infallible> {
        self.line.edge(Edge::Any).await;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
