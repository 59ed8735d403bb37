//! An output with realistic timing: the store that writes it, and the pin's slew.

use std::convert::Infallible;

use airlag_sim::{Duration, Line};
use embedded_hal::digital::{ErrorType, OutputPin};

use super::cpu::Cpu;
use crate::slices;

/// Costs of writing a pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrobeCosts {
    /// Cycles from the decision to the store's effect at the port.
    pub write: u64,
    /// Cycles between two writes of one program.
    pub hold: u64,
    /// Time from the port to the level an analyser sees.
    pub slew: Duration,
}

/// An output driven by a program.
///
/// `embedded-hal` writes pins in a plain call, which cannot wait, so the edge is scheduled for when
/// its cycles have passed.
pub struct Strobe {
    cpu: Cpu,
    line: Line,
    costs: StrobeCosts,
    free: u64,
}

impl Strobe {
    /// Drives `line`.
    #[must_use]
    pub fn new(cpu: &Cpu, line: &Line, costs: StrobeCosts) -> Self {
        Self { cpu: cpu.clone(), line: line.clone(), costs, free: 0 }
    }

    fn write(&mut self, level: bool) {
        let begun = self.cpu.now().max(self.free);
        let stored = begun + self.costs.write;
        self.free = begun + self.costs.hold.max(1);
        let seen = self.cpu.instant_of(stored) + self.costs.slew;
        if level {
            self.cpu.board().span(&slices::PIN, self.cpu.instant_of(begun), seen);
        }
        self.line.set_at(seen, level);
    }
}

impl ErrorType for Strobe {
    type Error = Infallible;
}

impl OutputPin for Strobe {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.write(false);
        Ok(())
    }
    fn set_high(&mut self) -> Result<(), Infallible> {
        self.write(true);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcu::Board;
    use airlag_sim::{Clock, Simulation};

    #[test]
    fn a_pulse_written_in_one_breath_has_a_width() {
        let bench = Simulation::new(0);
        let cpu = Cpu::new(&Board::new(&bench, "board", Clock::exact()), 168_000_000);
        let line = Line::new(&bench, false);
        line.record();
        let costs = StrobeCosts { write: 21, hold: 42, slew: Duration::from_ns(10) };
        let mut strobe = Strobe::new(&cpu, &line, costs);
        strobe.set_high().expect("infallible");
        strobe.set_low().expect("infallible");
        bench.run().expect("no livelock");
        let edges: Vec<u64> = line.take_edges().iter().map(|at| at.as_ns()).collect();
        assert_eq!(edges, [135, 135 + 250]);
    }
}
