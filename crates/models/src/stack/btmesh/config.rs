//! Settings of a node.

use airlag_sim::Duration;

use super::pdu::{ACCESS_MIC, MAX_SEGMENTS, OPCODE, SEGMENT, TID};

/// Repetition of a network PDU: Network Transmit of the source, Relay Retransmit of a relay (Mesh
/// Profile 1.0.1, 4.2.19 and 4.2.20).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transmit {
    /// Transmissions of each PDU, at least one: the count of the state plus one.
    pub transmissions: u8,
    /// Interval between transmissions.
    pub interval: Duration,
}

/// Time for which a PDU occupies the advertiser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occupancy {
    /// Until its transmissions have been counted.
    Counted,
    /// For a time that is computed in advance, after which advertising is stopped. Until then the
    /// controller continues to advertise.
    Timed,
}

/// Rules for segmented messages. The PDUs are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segmentation {
    /// Mesh Profile 1.0.1, 3.5.3: segments follow without an interval. A receiver acknowledges a
    /// segment after a delay that depends on the TTL, even while segments arrive.
    Profile10,
    /// Mesh Protocol 1.1, 3.5.3: segments have an interval. A receiver acknowledges when no new
    /// segment has arrived for a number of intervals.
    Protocol11,
}

/// Largest random addition to the interval between transmissions: advDelay (Bluetooth Core
/// Specification 5.4, volume 6, part B, 4.4.2.2.1; Mesh Profile 1.0.1, 4.2.19.2).
pub const ADV_DELAY: Duration = Duration::from_ms(10);
/// Shortest advertising interval (Bluetooth Core Specification 5.4, volume 6, part B, 4.4.2.2.1).
pub const SHORTEST_INTERVAL: Duration = Duration::from_ms(20);
/// Timers of the lower transport layer grow by this time per unit of TTL (Mesh Profile 1.0.1,
/// 3.5.3.3 and 3.5.3.4; Mesh Protocol 1.1, 4.2.48.5, default).
pub const TIMER_PER_TTL: Duration = Duration::from_ms(50);
/// Shortest acknowledgement timer of a receiver at a TTL of zero (Mesh Profile 1.0.1, 3.5.3.4).
pub const SHORTEST_ACK_TIMER: Duration = Duration::from_ms(150);
/// Twice the number of segment intervals without a new segment after which a receiver acknowledges
/// (Mesh Protocol 1.1, 4.2.49.2, default: 2.5 intervals).
pub const ACK_DELAY_DOUBLED: u64 = 5;
/// Time from the last new segment until an incomplete message is discarded (Mesh Profile 1.0.1,
/// 3.5.3.4; Mesh Protocol 1.1, 4.2.49.4, default).
pub const INCOMPLETE_TIMER: Duration = Duration::from_secs(10);
/// Shortest delay of a response to a unicast message, and the random addition to it (Mesh Profile
/// 1.0.1, 3.7.3.1).
pub const RESPONSE_DELAY: [Duration; 2] = [Duration::from_ms(20), Duration::from_ms(30)];

/// Configuration of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Network: nodes of different networks ignore each other.
    pub network: u16,
    /// Unicast address.
    pub address: u16,
    /// Address of the peer of its program.
    pub peer: u16,
    /// Time to live of its own PDUs.
    pub ttl: u8,
    /// Whether it relays.
    pub relay: bool,
    /// Network Transmit.
    pub network_transmit: Transmit,
    /// Relay Retransmit.
    pub relay_retransmit: Transmit,
    /// Time for which a PDU occupies the advertiser.
    pub occupancy: Occupancy,
    /// From the command to advertise to the first advertising event.
    pub start: Duration,
    /// Largest random addition to `start`.
    pub start_spread: Duration,
    /// From the end of an advertising PDU to the beginning of the next one of the event.
    pub channel_change: Duration,
    /// Time for which the scanner stays on a channel. It always scans, except while the node sends.
    pub scan_interval: Duration,
    /// From the end of a received PDU to the command to relay it.
    pub relay_processing: Duration,
    /// Largest random addition to `relay_processing`.
    pub relay_delay: Duration,
    /// PDUs in the queue of the advertiser; further ones to relay are dropped.
    pub queue: usize,
    /// Entries of the message cache.
    pub cache: usize,
    /// Whether messages request a response.
    pub acknowledged: bool,
    /// Largest number of transmissions of a message without a response.
    pub attempts: u8,
    /// From the end of a message to its next transmission without a response.
    pub response_timeout: Duration,
    /// Rules for segmented messages.
    pub segmentation: Segmentation,
    /// Shortest time from one segment of a message to the next (Mesh Protocol 1.1, 4.2.48.1).
    pub segment_interval: Duration,
    /// Interval between segments that a receiver expects (Mesh Protocol 1.1, 4.2.49.5).
    pub segment_reception_interval: Duration,
    /// Time without an acknowledgement after which segments are repeated, at the lowest TTL: 0 in
    /// version 1.0, 1 in version 1.1.
    pub segment_timer: Duration,
    /// Largest number of transmissions of the segments of a message.
    pub segment_attempts: u8,
}

impl Config {
    /// Interval between transmissions, without the random addition.
    #[must_use]
    pub fn interval(transmit: &Transmit) -> Duration {
        transmit.interval.max(SHORTEST_INTERVAL)
    }

    /// Time for which a PDU occupies a [timed](Occupancy::Timed) advertiser. `transmit` contains
    /// the number and the interval of the transmissions of the PDU. The time is the largest
    /// possible duration of all these transmissions, plus one advertising interval (`adv_send` of
    /// Zephyr's `adv_legacy.c`).
    #[must_use]
    pub fn timed(transmit: &Transmit) -> Duration {
        let interval = Self::interval(transmit);
        let each = (interval + ADV_DELAY).as_ns();
        interval + Duration::from_ns(u64::from(transmit.transmissions) * each)
    }

    /// Bytes of a message around its data: the opcode, and in an acknowledged message the
    /// transaction identifier.
    #[must_use]
    pub const fn overhead(acknowledged: bool) -> usize {
        OPCODE + if acknowledged { TID } else { 0 }
    }

    /// Longest data of a message.
    #[must_use]
    pub const fn most(acknowledged: bool) -> usize {
        MAX_SEGMENTS * SEGMENT - ACCESS_MIC - Self::overhead(acknowledged)
    }

    /// Shortest time from one segment to the next.
    #[must_use]
    pub const fn spacing(&self) -> Duration {
        match self.segmentation {
            Segmentation::Profile10 => Duration::ZERO,
            Segmentation::Protocol11 => self.segment_interval,
        }
    }

    /// Time without an acknowledgement after which segments are repeated.
    #[must_use]
    pub fn retransmission_wait(&self) -> Duration {
        let units = match self.segmentation {
            Segmentation::Profile10 => self.ttl,
            Segmentation::Protocol11 => self.ttl.saturating_sub(1),
        };
        self.segment_timer + TIMER_PER_TTL * u64::from(units)
    }

    /// Time from a segment to the acknowledgement of a message whose last segment is number `last`.
    #[must_use]
    pub fn acknowledgement_delay(&self, last: u8) -> Duration {
        match self.segmentation {
            Segmentation::Profile10 => SHORTEST_ACK_TIMER + TIMER_PER_TTL * u64::from(self.ttl),
            Segmentation::Protocol11 => {
                let doubled = (2 * u64::from(last) + 1).min(ACK_DELAY_DOUBLED);
                Duration::from_ns(doubled * self.segment_reception_interval.as_ns() / 2)
            }
        }
    }

    /// Shortest time between two acknowledgements of a complete message.
    #[must_use]
    pub fn acknowledgement_spacing(&self) -> Duration {
        match self.segmentation {
            Segmentation::Profile10 => Duration::ZERO,
            Segmentation::Protocol11 => self.acknowledgement_delay(u8::MAX),
        }
    }
}

/// Costs of the program and the stack at an end, on its board's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// From the program's call to the command to advertise.
    pub send: Duration,
    /// From the end of a message to its data in the program.
    pub receive: Duration,
}
