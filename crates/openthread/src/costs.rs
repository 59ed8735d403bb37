//! What a board adds to OpenThread: software that takes time, and a radio behind a serial line.
//!
//! OpenThread's process computes in no time at all. These delays stand between it and its transceiver, where
//! the everyday profiles have them too, and their constants come from the same place.
//!
//! ```text
//!  send     OpenThread │ software, AES │ [ line, latency ] │ transceiver
//!  receive  transceiver │ [ line, latency ] │ software, AES │ OpenThread
//! ```
//!
//! What it leaves out: alarms fire on time however busy the processor is, and a retry costs no software. A
//! failed attempt is told at once even where the line would take its time: a co-processor retries by itself.

use airlag_models::stack::ieee802154::frame::{self, Frame};
use airlag_models::stack::thread::security::{self, AUXILIARY_LEN, MIC_LEN};
use airlag_models::stack::thread::spinel::{self, Serial, Way};
use airlag_models::stack::thread::{Config, Costs as CostsOf, Radio};
use airlag_sim::{Clock, Duration, Instant};

/// What the software of a board costs, and where its radio is. Nothing, by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// For each frame that is sent: system calls, copies, tasklets.
    pub send: Duration,
    /// For each frame that comes.
    pub receive: Duration,
    /// One block of AES.
    pub aes_block: Duration,
    /// From a datagram being handed over to the program going on.
    pub pace: Duration,
    /// The line to a radio co-processor, if the radio is not on the processor's chip.
    pub serial: Option<Serial>,
}

impl Costs {
    /// Those of a board of an everyday profile.
    #[must_use]
    pub const fn of(board: &Config) -> Self {
        let CostsOf { send, receive, aes_block, pace } = board.costs;
        let serial = match board.radio {
            Radio::Own => None,
            Radio::CoProcessor(serial) => Some(serial),
        };
        Self { send, receive, aes_block, pace, serial }
    }
}

/// A board's processor and its line, over time.
#[derive(Debug)]
pub(crate) struct Board {
    costs: Costs,
    /// Until when the processor has something to do.
    busy: Instant,
    down: Way,
    up: Way,
}

impl Board {
    pub(crate) const fn new(costs: Costs) -> Self {
        Self { costs, busy: Instant::START, down: Way::new(), up: Way::new() }
    }

    pub(crate) const fn pace(&self) -> Duration {
        self.costs.pace
    }

    /// When a frame that OpenThread sends now is with the transceiver.
    pub(crate) fn sends(&mut self, now: Instant, psdu: &[u8]) -> Instant {
        let ready = self.compute(now, self.costs.send, psdu);
        let Some(serial) = self.costs.serial else { return ready };
        let octets = spinel::transmit_len(psdu);
        self.down.pass(serial.line, octets, &Clock::exact(), ready).1 + serial.latency
    }

    /// When what became of an acknowledged frame is with OpenThread.
    pub(crate) fn told(&mut self, now: Instant) -> Instant {
        let Some(serial) = self.costs.serial else { return now };
        self.up.pass(serial.line, spinel::done_len(), &Clock::exact(), now).1 + serial.latency
    }

    /// When a frame that was heard is with OpenThread; none if the co-processor has no room for it.
    pub(crate) fn hears(&mut self, now: Instant, psdu: &[u8]) -> Option<Instant> {
        let there = match self.costs.serial {
            None => now,
            Some(serial) => {
                let octets = spinel::received_len(psdu);
                if self.up.waiting(now) + octets > serial.buffer {
                    return None;
                }
                self.up.pass(serial.line, octets, &Clock::exact(), now).1 + serial.latency
            }
        };
        Some(self.compute(there, self.costs.receive, psdu))
    }

    fn compute(&mut self, from: Instant, software: Duration, psdu: &[u8]) -> Instant {
        let cost = software + self.costs.aes_block * aes_blocks(psdu);
        if cost.is_zero() {
            return from;
        }
        self.busy = self.busy.max(from) + cost;
        self.busy
    }
}

/// How often AES runs for a data frame; never for one in the clear.
fn aes_blocks(psdu: &[u8]) -> u64 {
    match frame::parse(psdu) {
        Some(Frame::Data(header, body)) if header.secured => {
            security::blocks(&header, body.len().saturating_sub(AUXILIARY_LEN + MIC_LEN))
        }
        _ => 0,
    }
}
