//! What the chip's transitions take, and what the specification leaves open.

use airlag_link::airtime::nrf24::Rate;
use airlag_sim::Duration;

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

/// Durations of the chip. The defaults are those of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
