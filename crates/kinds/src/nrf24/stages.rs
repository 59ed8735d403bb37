//! Stages of the chip's frames, on the air and before and after. A single message and a stream of
//! messages differ only in the number of times that they wait for each stage.

use airlag_link::airtime::nrf24::Frame;
use airlag_rig::floor::Term;
use airlag_sim::Duration;

const AIRTIME: &str = "nRF24L01+ v1.0, 7.3: preamble, address, control, payload, CRC";
const TURNED: &str = "nRF24L01+ v1.0, 6.1.7: Tstby2a";
const IRQ: &str = "nRF24L01+ v1.0, 7.7: Tirq";

/// Stages of frames with one address length, at one rate.
pub(crate) struct Stages {
    /// Format of frames with an acknowledgement.
    pub(crate) frame: Frame,
    /// Settling time from standby to sending or receiving.
    pub(crate) settle: Duration,
    /// Delay from a frame's end to its interrupt.
    pub(crate) interrupt: Duration,
    /// Acknowledgement payload, bytes.
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

    /// The sender's turnaround, and the acknowledgement.
    pub(crate) fn answers(&self, count: u64) -> [Term; 2] {
        let ns = self.frame.duration_ns(self.answer);
        [
            Term::new("receive turnaround", count, self.settle.as_ns(), TURNED),
            Term::new("acknowledgement", count, ns, AIRTIME),
        ]
    }
}
