//! Durations of the chip's transitions, including those that the specification does not state.

use airlag_link::airtime::nrf24::Rate;
use airlag_sim::{Chance, Duration, Stream};

/// Outcome of an acknowledgement that FLUSH_RX aborted.
///
/// The specification states only that it "will not be completed" (section 8.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokenAck {
    /// The acknowledgement is lost. The transmitter repeats the payload after its retransmit delay.
    Lost,
    /// The receiver sends the acknowledgement that FLUSH_RX aborted once more, after the receiver's
    /// own retransmit delay. The transmitter has received the address of the aborted
    /// acknowledgement, and is still in receive mode for the rest of this acknowledgement, so the
    /// transmitter accepts the second acknowledgement. This behaviour is a hypothesis. According to
    /// the hypothesis, each retry adds the retransmit delay, the settling time and the duration of
    /// the acknowledgement to the latency. The captures at both measured rates show this additional
    /// latency. A retransmission of the payload would add a different latency per retry.
    Resent,
}

/// Detection of a frame's end in a receiver.
///
/// The specification states a single delay from the end of a frame to its detection. Captures at 2
/// Mbit/s and at 250 kbit/s show two delays, which differ by slightly less than one bit. Each of
/// the two delays occurs in half of the frames, independently of the previous frame. A possible
/// cause is that the demodulator samples each bit several times, and aligns to the bits of some
/// frames slightly later than to those of others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demodulator {
    /// Share of frames that are detected late.
    pub late: f64,
    /// Delay of the frames that are detected late, bits.
    pub late_bits: f64,
    /// Largest random delay of any frame, bits. The delay is uniformly distributed.
    pub jitter_bits: f64,
}

impl Demodulator {
    /// Detection without variation.
    pub const EXACT: Self = Self { late: 0.0, late_bits: 0.0, jitter_bits: 0.0 };
}

/// Delays from the end of a frame to its interrupt at one rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Detection {
    /// [`Timing::irq`].
    pub(super) irq: Duration,
    late: Chance,
    late_by: Duration,
    jitter: Duration,
}

impl Detection {
    /// Draws the delay of one frame.
    pub(super) fn delay(&self, stream: &mut Stream) -> Duration {
        let late = if stream.decides(self.late) { self.late_by } else { Duration::ZERO };
        self.irq + (late + stream.within(self.jitter))
    }
}

/// Durations of the chip. The defaults are those of the specification.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Power down to standby, Tpd2stby: 1.5 ms with a good crystal, up to 4.5 ms (Table 16).
    pub power_up: Duration,
    /// Standby to transmit or receive, and between the two, Tstby2a (Table 16).
    pub settle: Duration,
    /// Shortest pulse on CE, Thce (Table 16).
    pub min_ce_pulse: Duration,
    /// Time from the end of a packet to the interrupt, Tirq, at 2 Mbit/s (section 7.7).
    pub irq_2m: Duration,
    /// Time from the end of a packet to the interrupt, at 1 Mbit/s (section 7.7).
    pub irq_1m: Duration,
    /// Interrupt delay at 250 kbit/s, which the specification does not state.
    pub irq_250k: Duration,
    /// Variation of the detection of received frames.
    pub demodulator: Demodulator,
    /// See [`BrokenAck`].
    pub broken_ack: BrokenAck,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            power_up: Duration::from_us(1_500),
            settle: Duration::from_us(130),
            min_ce_pulse: Duration::from_us(10),
            irq_2m: Duration::from_ns(6_000),
            irq_1m: Duration::from_ns(8_200),
            irq_250k: Duration::from_ns(31_000),
            demodulator: Demodulator::EXACT,
            broken_ack: BrokenAck::Lost,
        }
    }
}

impl Timing {
    /// Delay from the end of a packet to its interrupt, and to the turnaround of the receiver.
    #[must_use]
    pub const fn irq(&self, rate: Rate) -> Duration {
        match rate {
            Rate::Kbps250 => self.irq_250k,
            Rate::Mbps1 => self.irq_1m,
            Rate::Mbps2 => self.irq_2m,
        }
    }

    /// Delays of frames that arrive at `rate`.
    pub(super) fn detection(&self, rate: Rate) -> Detection {
        let Demodulator { late, late_bits, jitter_bits } = self.demodulator;
        let bits = |bits: f64| Duration::from_ns((bits * rate.bit_ns() as f64) as u64);
        Detection {
            irq: self.irq(rate),
            late: Chance::new(late),
            late_by: bits(late_bits),
            jitter: bits(jitter_bits),
        }
    }

    /// Time for which a transmitter listens for the address of an acknowledgement (section 7.4.2).
    #[must_use]
    pub const fn address_window(rate: Rate) -> Duration {
        match rate {
            Rate::Kbps250 => Duration::from_us(500),
            Rate::Mbps1 | Rate::Mbps2 => Duration::from_us(250),
        }
    }
}
