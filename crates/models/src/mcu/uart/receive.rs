//! The receiving half of a port: sample, fetch by polling, by interrupt or by DMA, check, deliver.
//!
//! ```text
//!  stop bit -> sample -> [idle frame] -> interrupt -> loop looks -> read-out -> CRC -> read returns
//! ```
//!
//! When a program reads, the model computes in which processor cycle the read returns, from the
//! bytes that are on the wire. The model computes this cycle again when more bytes are put on the
//! wire. A byte therefore takes one simulation event, however many iterations of the polling loop
//! pass before the byte is read.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;

use airlag_sim::Instant;
use embedded_io_async::{ErrorType, Read};

use super::baud::Baud;
use super::ring::{Cause, Ring};
use super::wire::{Character, Wire};
use crate::mcu::cpu::Cpu;
use crate::mcu::interrupt::{Exceptions, PollLoop, Served};
use crate::slices;

/// Path of bytes from the data register into the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reception {
    /// The main loop polls the flag. The data register holds one byte; a byte that arrives before
    /// it is read is an overrun.
    Poll,
    /// One interrupt per byte.
    Interrupt,
    /// A stream writes into a ring; half, full and idle-line interrupts.
    Dma(Ring),
}

/// Costs of reading bytes, in processor cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadCosts {
    /// One iteration of the idle main loop.
    pub turn: u64,
    /// Time from the poll that finds data to the first byte in the program.
    pub call: u64,
    /// One copy of a byte through the queue between handler and program.
    pub copy_byte: u64,
    /// CRC and parser for one byte.
    pub check_byte: u64,
    /// The handler of the byte interrupt, without the copy.
    pub byte_handler: u64,
    /// The handler of the half and full interrupts, without the copies.
    pub boundary_handler: u64,
    /// The handler of the idle interrupt, without the copies.
    pub idle_handler: u64,
    /// Capacity of the queue between handler and program, bytes.
    pub queue: usize,
    /// Largest number of bytes that the program takes at a time.
    pub piece: usize,
}

/// Errors on the receiving side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Bytes lost because the previous one was still in the data register (RM0090, "Overrun error":
    /// the data register keeps its content, the newer byte is lost).
    pub overruns: u64,
    /// Bytes lost because the program's queue was full.
    pub dropped: u64,
}

/// A received byte.
#[derive(Clone, Copy, Debug)]
struct Landing {
    value: u8,
    /// Time at which its stop bit ends on the wire.
    end: Instant,
    /// Cycle that raised the flag.
    received: u64,
}

/// An interrupt, and the bytes that it moves into the queue.
#[derive(Clone, Copy, Debug)]
struct Interruption {
    cause: Cause,
    served: Served,
    bytes: usize,
    last: Landing,
}

/// A planned read. It is valid unless more bytes are put on the wire first.
#[derive(Clone, Copy, Debug)]
struct Plan {
    /// Poll of the main loop that finds the bytes.
    look: u64,
    /// Cycle at which the last byte of this read has been checked.
    done: u64,
    count: usize,
    /// Interrupts finished before the poll.
    absorbed: usize,
}

/// The receiving half of a port.
pub struct Receiver {
    cpu: Cpu,
    baud: Baud,
    wire: Wire,
    reception: Reception,
    costs: ReadCosts,
    exceptions: Exceptions,
    /// Received bytes that have not been delivered: first those in the queue, then those that
    /// handlers will move into it.
    content: VecDeque<Landing>,
    interruptions: VecDeque<Interruption>,
    /// Bytes in the queue.
    held: usize,
    /// Bytes in the ring that no handler has moved.
    in_ring: usize,
    last: Option<Interruption>,
    /// Cycle at which the main loop resumed after the last read.
    free: u64,
    faults: Faults,
}

impl Receiver {
    /// Creates a receiver for `wire` at `baud`.
    #[must_use]
    pub fn new(
        cpu: &Cpu,
        baud: Baud,
        wire: &Wire,
        reception: Reception,
        costs: ReadCosts,
        exceptions: Exceptions,
    ) -> Self {
        Self {
            cpu: cpu.clone(),
            baud,
            wire: wire.clone(),
            reception,
            costs,
            exceptions,
            content: VecDeque::new(),
            interruptions: VecDeque::new(),
            held: 0,
            in_ring: 0,
            last: None,
            free: 0,
            faults: Faults::default(),
        }
    }

    /// Losses so far.
    #[must_use]
    pub const fn faults(&self) -> Faults {
        self.faults
    }

    /// Takes new bytes from the wire, and detects an idle line that is certain by now.
    fn collect(&mut self) {
        while let Some(character) = self.wire.take() {
            self.sample(character);
        }
        let now = self.cpu.now();
        if let Reception::Dma(ring) = &mut self.reception
            && let Some(idle) = ring.idle_at().filter(|&idle| idle <= now)
        {
            ring.idle_taken();
            self.interrupt(Cause::Idle, idle);
        }
    }

    /// Samples a character as a UART receiver does. The receiver detects a start bit at the first
    /// sample after the edge of the start bit, and counts ten bits from this sample. At the end of
    /// the tenth bit, which is the stop bit, the receive flag is set. This timing is derived from
    /// captures at three baud rates. If this timing is subtracted from the delay in the captures,
    /// the remaining delay is the same number of cycles at all three rates.
    fn sample(&mut self, character: Character) {
        let seen = self.baud.sample_from(self.cpu.next_cycle(character.begin));
        let received = seen + self.baud.byte();
        let landing = Landing { value: character.value, end: character.end, received };
        match &mut self.reception {
            Reception::Poll => self.content.push_back(landing),
            Reception::Interrupt => {
                if self.interruptions.back().is_some_and(|before| before.served.begun > received) {
                    self.faults.overruns += 1;
                    return;
                }
                self.content.push_back(landing);
                self.in_ring = 1;
                self.interrupt(Cause::Byte, received);
            }
            Reception::Dma(ring) => {
                let idle = ring.begins(seen);
                let boundary = ring.landed(received, self.baud.byte());
                if let Some(idle) = idle {
                    self.interrupt(Cause::Idle, idle);
                }
                self.content.push_back(landing);
                self.in_ring += 1;
                if let Some(cause) = boundary {
                    self.interrupt(cause, received);
                }
            }
        }
    }

    fn interruption(&self, cause: Cause, pending: u64) -> Option<Interruption> {
        let last = *self.content.back().or(self.last.as_ref().map(|before| &before.last))?;
        let handler = match cause {
            Cause::Byte => self.costs.byte_handler,
            Cause::Half | Cause::Full => self.costs.boundary_handler,
            Cause::Idle => self.costs.idle_handler,
        } + self.costs.copy_byte * self.in_ring as u64;
        let after = self.interruptions.back().map_or(0, |before| before.served.resumed);
        let served = self.exceptions.serve(pending.max(after), handler);
        let served = Served { pending, ..served };
        Some(Interruption { cause, served, bytes: self.in_ring, last })
    }

    fn interrupt(&mut self, cause: Cause, pending: u64) {
        if let Some(interruption) = self.interruption(cause, pending) {
            self.interruptions.push_back(interruption);
        }
        self.in_ring = 0;
    }

    /// Interrupt at `index`, including the one that an idle line will raise.
    fn upcoming(&self, index: usize) -> Option<Interruption> {
        if let Some(known) = self.interruptions.get(index) {
            return Some(*known);
        }
        match &self.reception {
            Reception::Dma(ring) if index == self.interruptions.len() => {
                ring.idle_at().and_then(|idle| self.interruption(Cause::Idle, idle))
            }
            _ => None,
        }
    }

    /// Plans a read called at `called` for at most `limit` bytes; `None` if it waits for bytes that
    /// have not been sent.
    fn plan(&self, called: u64, limit: usize) -> Option<Plan> {
        let at = self.free.max(called);
        let costs = &self.costs;
        let limit = limit.min(costs.piece.max(1));
        if self.reception == Reception::Poll {
            let first = self.content.front()?.received;
            let look =
                if first <= at { at } else { PollLoop::new(costs.turn, at).look_from(first) };
            let work = costs.call + costs.copy_byte * 2 + costs.check_byte;
            let done = look + work + self.exceptions.stolen(look, look + work);
            return Some(Plan { look, done, count: 1, absorbed: 0 });
        }
        let (mut look, mut absorbed, mut held) = (at, 0, self.held);
        loop {
            while let Some(over) = self.interruptions.get(absorbed)
                && over.served.resumed <= look
            {
                held += over.bytes;
                absorbed += 1;
            }
            if held > 0 {
                break;
            }
            let next = self.upcoming(absorbed)?;
            let Served { pending, resumed, .. } = next.served;
            let stolen = self.exceptions.stolen(look, pending);
            look = PollLoop::new(costs.turn, look).look_after(pending, resumed, stolen);
            if absorbed == self.interruptions.len() {
                // Bytes after the idle line are not known yet.
                held += next.bytes;
                if held == 0 {
                    return None;
                }
                break;
            }
        }
        let count = held.min(limit);
        let work = costs.call + (costs.copy_byte + costs.check_byte) * count as u64;
        let mut done = look + work + self.exceptions.stolen(look, look + work);
        let mut index = absorbed;
        while let Some(next) = self.upcoming(index).filter(|next| next.served.pending < done) {
            // Handlers that started before the poll are already included in its time.
            done += next.served.resumed.saturating_sub(next.served.pending.max(look));
            index += 1;
        }
        Some(Plan { look, done, count, absorbed })
    }

    fn commit(&mut self, plan: Plan, buffer: &mut [u8]) -> usize {
        if self.reception == Reception::Poll {
            return self.commit_poll(plan, buffer);
        }
        for _ in 0..plan.absorbed {
            self.absorb();
        }
        let count = plan.count.min(self.held);
        for byte in &mut buffer[..count] {
            *byte = self.content.pop_front().map_or(0, |landing| landing.value);
        }
        self.held -= count;
        self.free = plan.done;
        self.explain(plan);
        count
    }

    fn absorb(&mut self) {
        let Some(over) = self.interruptions.pop_front() else { return };
        let room = self.costs.queue.saturating_sub(self.held);
        let kept = over.bytes.min(room);
        let lost = over.bytes - kept;
        drop(self.content.drain(self.held + kept..self.held + over.bytes));
        self.faults.dropped += lost as u64;
        self.held += kept;
        self.last = Some(over);
    }

    fn commit_poll(&mut self, plan: Plan, buffer: &mut [u8]) -> usize {
        let Some(landing) = self.content.pop_front() else { return 0 };
        buffer[0] = landing.value;
        while self.content.front().is_some_and(|next| next.received < plan.look) {
            self.content.pop_front();
            self.faults.overruns += 1;
        }
        self.free = plan.done;
        let cpu = &self.cpu;
        cpu.board().span(&slices::SAMPLING, landing.end, cpu.instant_of(landing.received));
        cpu.span(&slices::FLAG_POLL, landing.received, plan.look);
        self.explain_work(plan, 2);
        1
    }

    /// Records the time slices of a read's last byte.
    fn explain(&self, plan: Plan) {
        let Some(Interruption { cause, served, last, .. }) = self.last else { return };
        let cpu = &self.cpu;
        cpu.board().span(&slices::SAMPLING, last.end, cpu.instant_of(last.received));
        if cause == Cause::Idle {
            cpu.span(&slices::IDLE_LINE, last.received, served.pending);
        }
        cpu.span(&slices::INTERRUPT, served.pending, served.resumed);
        cpu.span(&slices::FLAG_POLL, served.resumed, plan.look);
        self.explain_work(plan, 1);
    }

    fn explain_work(&self, plan: Plan, copies: u64) {
        let check = self.costs.check_byte * plan.count as u64;
        let copy = self.costs.copy_byte * copies * plan.count as u64;
        let read = (plan.look + self.costs.call + copy).min(plan.done);
        self.cpu.span(&slices::READ_OUT, plan.look, read);
        // Time that interrupts took from the processor is part of the longer slice.
        debug_assert!(read + check <= plan.done);
        self.cpu.span(&slices::CRC, read, plan.done);
    }
}

impl ErrorType for Receiver {
    type Error = Infallible;
}

impl Read for Receiver {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let called = self.cpu.now();
        loop {
            self.collect();
            let Some(plan) = self.plan(called, buffer.len()) else {
                self.wire.announced().await;
                continue;
            };
            if plan.done <= self.cpu.now() {
                return Ok(self.commit(plan, buffer));
            }
            let mut ready = self.cpu.board().sim().sleep_until(self.cpu.instant_of(plan.done));
            let mut more = pin!(self.wire.announced());
            poll_fn(|context| {
                let over = Pin::new(&mut ready).poll(context).is_ready();
                if over || more.as_mut().poll(context).is_ready() {
                    return Poll::Ready(());
                }
                Poll::Pending
            })
            .await;
        }
    }
}

#[cfg(test)]
mod tests;
