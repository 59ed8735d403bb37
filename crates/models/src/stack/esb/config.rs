//! Rates, ramp-up times, retransmissions, queues.

use airlag_sim::Duration;

use super::frame::{Format, Rate};

/// Role of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Primary transmitter: starts every exchange, and is in standby between them.
    Transmitter,
    /// Primary receiver: listens, and acknowledges.
    Receiver,
}

/// Ramp-up of the radio, from its start to its first bit (`TX_RAMP_UP_TIME_US`,
/// `RX_RAMP_UP_TIME_US` and `TX_FAST_RAMP_UP_TIME_US` of esb.c).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RampUp {
    /// 129 us to transmit and 124 us to receive, as an nRF24L01+ expects.
    Normal,
    /// 40 us in either direction. Both chips have to use this ramp-up.
    Fast,
}

impl RampUp {
    /// Time from the start of the transmitter to the first bit.
    #[must_use]
    pub const fn transmit(self) -> Duration {
        Duration::from_us(match self {
            Self::Normal => 129,
            Self::Fast => 40,
        })
    }

    /// Time from the start of the receiver until it can receive.
    #[must_use]
    pub const fn receive(self) -> Duration {
        Duration::from_us(match self {
            Self::Normal => 124,
            Self::Fast => 40,
        })
    }
}

/// Time for which a transmitter that listens waits for the address of an acknowledgement
/// (`RX_ACK_TIMEOUT_US_1MBPS`, `_2MBPS` and `_4MBPS` of esb.c).
#[must_use]
pub const fn ack_timeout(rate: Rate) -> Duration {
    Duration::from_us(match rate {
        Rate::Mbps1 => 300,
        Rate::Mbps2 | Rate::Mbps4 => 160,
    })
}

/// Time from the last bit of a packet to the event with which the receiving radio reports the end
/// of the packet. At this event, the radio starts to turn around for the acknowledgement. This time
/// is not documented for the modelled chips. The value used is Tirq of an nRF24L01+ (section 7.7 of
/// its Product Specification). The value for 2 Mbit/s is also used for 4 Mbit/s.
#[must_use]
pub const fn detection(rate: Rate) -> Duration {
    Duration::from_ns(match rate {
        Rate::Mbps1 => 8_200,
        Rate::Mbps2 | Rate::Mbps4 => 6_000,
    })
}

/// Configuration of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Role.
    pub role: Role,
    /// Packet format.
    pub format: Format,
    /// Address, least significant byte first. The format uses its first bytes.
    pub address: [u8; 5],
    /// Channel, MHz above 2400, 0 to 100.
    pub channel: u8,
    /// Ramp-up.
    pub ramp_up: RampUp,
    /// Whether acknowledgements are requested.
    pub acknowledge: bool,
    /// Time from the end of a packet to the first bit of its retransmission (`retransmit_delay`).
    pub retransmit_delay: Duration,
    /// Retransmissions of an unacknowledged packet (`retransmit_count`).
    pub retransmit_count: u16,
    /// Number of payloads in the queue of the transmitter, including the one in flight
    /// (`CONFIG_ESB_TX_FIFO_SIZE`).
    pub transmit_queue: usize,
    /// Payloads in the queue of the receiver (`CONFIG_ESB_RX_FIFO_SIZE`).
    pub receive_queue: usize,
    /// Time from the end of an exchange to the start of the radio for the next packet of the queue:
    /// the library's interrupts.
    pub next_packet: Duration,
    /// Time from the end of an exchange until a receiver starts its radio again.
    pub rearm: Duration,
}

impl Config {
    /// Address on the air.
    #[must_use]
    pub fn address(&self) -> &[u8] {
        &self.address[..usize::from(self.format.address.min(5))]
    }

    /// Time from the end of a packet to the start of its acknowledgement.
    #[must_use]
    pub const fn turn(&self) -> Duration {
        let ns = detection(self.format.rate).as_ns() + self.ramp_up.transmit().as_ns();
        Duration::from_ns(ns)
    }

    /// Shortest retransmit delay that leaves time for an acknowledgement. It is the sum of the
    /// ramp-up of the receiver, the longest wait for the address of the acknowledgement, the
    /// duration of the other bits of the acknowledgement, and the ramp-up of the transmitter for
    /// the retransmission.
    #[must_use]
    pub const fn shortest_retransmit_delay(&self) -> Duration {
        let rest = self.format.duration_ns(0) - self.format.address_ns();
        let ramps = self.ramp_up.receive().as_ns() + self.ramp_up.transmit().as_ns();
        Duration::from_ns(ramps + ack_timeout(self.format.rate).as_ns() + rest)
    }
}
