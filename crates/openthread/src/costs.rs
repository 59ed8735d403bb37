//! Costs of a board: software delays, and a radio behind a serial line.
//!
//! The OpenThread process takes no virtual time. These delays are added between it and its transceiver, at
//! the same points and with the same constants as in the everyday profiles.
//!
//! ```text
//!  send     OpenThread │ software, AES │ [ line, latency ] │ transceiver
//!  receive  transceiver │ [ line, latency ] │ software, AES │ OpenThread
//! ```
//!
//! Not modelled: alarms are on time even if the processor is busy, and a retry has no software cost. A failed
//! attempt is reported immediately even over a serial line, because a co-processor retries by itself.

use airlag_models::stack::ieee802154::frame::{self, Frame, Kind};
use airlag_models::stack::thread::security::{self, AUXILIARY_LEN, MIC_LEN};
use airlag_models::stack::thread::spinel::{self, Serial, Way};
use airlag_models::stack::thread::{Config, Costs as CostsOf, Radio};
use airlag_sim::{Clock, Duration, Instant};

/// Software costs of a board, and where its radio is. The default is no cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Cost of each sent frame: system calls, copies, tasklets.
    pub send: Duration,
    /// Cost of each received frame.
    pub receive: Duration,
    /// Cost of one AES block.
    pub aes_block: Duration,
    /// Time between datagrams of the program.
    pub pace: Duration,
    /// Serial line to a radio co-processor. `None` if radio and processor are on the same chip.
    pub serial: Option<Serial>,
}

impl Costs {
    /// Costs of a board of an everyday profile.
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

/// State of the processor of a board and of its serial line.
#[derive(Debug)]
pub(crate) struct Board {
    costs: Costs,
    /// Time until which the processor is busy.
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

    /// Time at which the transceiver has a frame that OpenThread sends now.
    pub(crate) fn sends(&mut self, now: Instant, psdu: &[u8]) -> Instant {
        let ready = self.compute(now, self.costs.send, psdu);
        let Some(serial) = self.costs.serial else { return ready };
        let octets = spinel::transmit_len(psdu);
        self.down.pass(serial.line, octets, &Clock::exact(), ready).1 + serial.latency
    }

    /// Time at which OpenThread receives the outcome of a frame.
    pub(crate) fn reported(&mut self, now: Instant) -> Instant {
        let Some(serial) = self.costs.serial else { return now };
        self.up.pass(serial.line, spinel::done_len(), &Clock::exact(), now).1 + serial.latency
    }

    /// Time at which OpenThread receives a frame. Returns `None` if the co-processor has no buffer.
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

/// Number of AES blocks of a data frame. 0 if it is not encrypted.
fn aes_blocks(psdu: &[u8]) -> u64 {
    match frame::parse(psdu) {
        Some(Frame::Data(header, body)) if header.secured && header.kind == Kind::Data => {
            security::blocks(&header, 0, body.len().saturating_sub(AUXILIARY_LEN + MIC_LEN))
        }
        _ => 0,
    }
}
