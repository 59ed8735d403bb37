//! The sending half of a port: copy, wait for the bit clock, shift out back to back.

use std::convert::Infallible;

use embedded_io_async::{ErrorType, Write};

use super::baud::Baud;
use super::wire::{Character, Wire};
use crate::mcu::cpu::Cpu;
use crate::slices;

/// Costs of handing bytes to the port, in processor cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteCosts {
    /// Call, and start of the port.
    pub call: u64,
    /// Copying one byte into the port's queue.
    pub copy_byte: u64,
    /// Capacity of that queue, bytes.
    pub queue: usize,
}

/// The sending half of a port.
///
/// An interrupt or DMA feeds the queue to the shift register. Either has a whole byte time for
/// this, so that the bytes of one write are sent without a gap.
pub struct Transmitter {
    cpu: Cpu,
    baud: Baud,
    wire: Wire,
    costs: WriteCosts,
    /// Cycle at which the last byte has left.
    idle_from: u64,
}

impl Transmitter {
    /// Creates a transmitter for `wire` at `baud`.
    #[must_use]
    pub fn new(cpu: &Cpu, baud: Baud, wire: &Wire, costs: WriteCosts) -> Self {
        Self { cpu: cpu.clone(), baud, wire: wire.clone(), costs, idle_from: 0 }
    }

    /// Bytes still queued or in the shift register at `cycle`.
    const fn queued(&self, cycle: u64) -> usize {
        self.idle_from.saturating_sub(cycle).div_ceil(self.baud.byte()) as usize
    }

    /// Puts `bytes` on the wire, the first not before `ready`.
    fn shift_out(&mut self, bytes: &[u8], ready: u64) {
        let first = if ready < self.idle_from {
            self.idle_from
        } else {
            let beat = self.baud.beat_from(ready);
            self.cpu.span(&slices::BAUD_WAIT, ready, beat);
            beat
        };
        let mut begin = self.cpu.instant_of(first);
        let mut cycle = first;
        for &value in bytes {
            cycle += self.baud.byte();
            let end = self.cpu.instant_of(cycle);
            self.wire.put(Character { value, begin, end });
            begin = end;
        }
        self.cpu.span(&slices::WIRE, first, cycle);
        self.idle_from = cycle;
        self.wire.announce();
    }
}

impl ErrorType for Transmitter {
    type Error = Infallible;
}

impl Write for Transmitter {
    /// Accepts as many bytes as the queue has room for, and waits while it is full.
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        if bytes.is_empty() {
            return Ok(0);
        }
        let queue = self.costs.queue.max(1);
        if self.queued(self.cpu.now()) >= queue {
            let room = self.idle_from - (queue as u64 - 1) * self.baud.byte();
            self.cpu.until(room).await;
        }
        let now = self.cpu.now();
        let taken = bytes.len().min(queue.saturating_sub(self.queued(now)).max(1));
        let ready = now + self.costs.call + self.costs.copy_byte * taken as u64;
        self.cpu.span(&slices::WRITE, now, ready);
        self.cpu.until(ready).await;
        self.shift_out(&bytes[..taken], ready);
        Ok(taken)
    }

    /// Waits until the last stop bit is over: the transmission-complete flag.
    async fn flush(&mut self) -> Result<(), Infallible> {
        self.cpu.until(self.idle_from).await;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
