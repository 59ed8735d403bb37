//! What the chip's transitions take, and what the specification leaves open.

use airlag_link::airtime::nrf24::Rate;
use airlag_sim::{Duration, Stream};

/// What happens to an acknowledgement that FLUSH_RX broke off.
///
/// The specification says it "will not be completed" (section 8.3.1) and stops there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokenAck {
    /// It is gone. The transmitter repeats the payload when its delay is over.
    Lost,
    /// The receiver sends it once more after its own retransmit delay, and the transmitter, which
    /// saw an address and is still in receive mode for the rest of that packet, takes it. A
    /// hypothesis: it gives the retry quantum of real captures at both rates they were taken at,
    /// delay + settling + acknowledgement, where a repeated payload does not.
    Resent,
}

/// When a receiver notices that a frame has ended.
///
/// The specification gives one number. Real captures show two, a bit less than one bit apart, at
/// 2 Mbit/s and at 250 kbit/s, each in half of the frames and independent of the frame before: as if
/// the demodulator, which samples each bit several times, had found the frame's bits a bit later.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demodulator {
    /// Share of frames that are noticed late.
    pub late: f64,
    /// How much later, in bits.
    pub late_bits: f64,
    /// How much later any frame may be noticed, in bits, each share of one equally likely.
    pub jitter_bits: f64,
}

impl Demodulator {
    /// One that always takes the same.
    pub const EXACT: Self = Self { late: 0.0, late_bits: 0.0, jitter_bits: 0.0 };

    /// How much later than [`Timing::irq`] one frame is noticed.
    pub(super) fn delay(&self, rate: Rate, stream: &mut Stream) -> Duration {
        let bits = |bits: f64| Duration::from_ns((bits * rate.bit_ns() as f64) as u64);
        let late = if stream.chance(self.late) { bits(self.late_bits) } else { Duration::ZERO };
        late + stream.within(bits(self.jitter_bits))
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
    /// From the end of a packet to the interrupt, Tirq, at 2 Mbit/s (section 7.7).
    pub irq_2m: Duration,
    /// The same at 1 Mbit/s (section 7.7).
    pub irq_1m: Duration,
    /// The same at 250 kbit/s. The specification gives no number.
    pub irq_250k: Duration,
    /// What comes on top of it when a frame was received.
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
    /// From the end of a packet to its interrupt, and to the turn-around of its receiver.
    #[must_use]
    pub const fn irq(&self, rate: Rate) -> Duration {
        match rate {
            Rate::Kbps250 => self.irq_250k,
            Rate::Mbps1 => self.irq_1m,
            Rate::Mbps2 => self.irq_2m,
        }
    }

    /// How long a transmitter listens for the address of an acknowledgement (section 7.4.2).
    #[must_use]
    pub const fn address_window(rate: Rate) -> Duration {
        match rate {
            Rate::Kbps250 => Duration::from_us(500),
            Rate::Mbps1 | Rate::Mbps2 => Duration::from_us(250),
        }
    }
}
