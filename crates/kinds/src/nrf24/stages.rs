//! What a frame of this chip takes on the air and around it, each stage in one place: a message by itself
//! and a stream of them differ only in how often they wait for each.

use airlag_link::airtime::nrf24::Frame;
use airlag_rig::floor::Term;
use airlag_sim::Duration;

const AIRTIME: &str = "nRF24L01+ v1.0, 7.3: preamble, address, control, payload, CRC";
const TURNED: &str = "nRF24L01+ v1.0, 6.1.7: Tstby2a";
const IRQ: &str = "nRF24L01+ v1.0, 7.7: Tirq";

/// Stages of frames of one length of address, at one rate.
pub(crate) struct Stages {
    /// Frames with an acknowledgement.
    pub(crate) frame: Frame,
    /// From standby to sending or receiving.
    pub(crate) settle: Duration,
    /// From a frame's end to its interrupt.
    pub(crate) interrupt: Duration,
    /// Payload of an acknowledgement, bytes.
    pub(crate) answer: usize,
}

impl Stages {
    pub(crate) fn settled(&self, count: u64) -> Term {
        Term::new("settle", count, self.settle.as_ns(), TURNED)
    }

    pub(crate) fn air(&self, count: u64, bytes: usize) -> Term {
        Term::new(format!("air, {bytes} B"), count, self.frame.duration_ns(bytes), AIRTIME)
    }

    pub(crate) fn interrupts(&self, count: u64) -> Term {
        Term::new("packet to interrupt", count, self.interrupt.as_ns(), IRQ)
    }

    /// The sender turns round, and the acknowledgement comes.
    pub(crate) fn answers(&self, count: u64) -> [Term; 2] {
        let ns = self.frame.duration_ns(self.answer);
        [
            Term::new("turn to receive", count, self.settle.as_ns(), TURNED),
            Term::new("acknowledgement", count, ns, AIRTIME),
        ]
    }
}
