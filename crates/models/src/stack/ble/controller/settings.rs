//! Negotiated settings of a connection.

use airlag_link::airtime::ble::{INTER_FRAME_NS, MAX_DATA_LENGTH, MIN_DATA_LENGTH, Phy};
use airlag_sim::Duration;

use crate::stack::ble::cipher::MIC_LEN;
use crate::stack::ble::interval::Interval;

/// Longest supervision timeout, and its resolution (section 4.5.2).
const LONGEST_TIMEOUT: Duration = Duration::from_ms(32_000);
const SHORTEST_TIMEOUT: Duration = Duration::from_ms(100);
/// Longest frame space (version 6.0, section 2.4.2, LL_FRAME_SPACE_REQ).
const LONGEST_FRAME_SPACE: Duration = Duration::from_ms(10);
/// Largest number of connection events that a peripheral may skip in a row (section 4.5.1).
const MOST_LATENCY: u16 = 499;

/// Channel selection algorithms supported by both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelSelection {
    /// Algorithm #1 only: one end predates Bluetooth 5.
    One,
    /// Algorithm #2.
    Two,
}

/// The parameters of a connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Time between connection events.
    pub interval: Interval,
    /// Interval with which the connection is created, before the central changes it. `None` means
    /// the same interval.
    pub initial_interval: Option<Interval>,
    /// Interframe space of the connection, T_IFS: 150 us unless both ends have agreed on another
    /// one with the frame space update procedure.
    pub frame_space: Duration,
    /// Whether the interval changes by Nordic's low latency packet mode, whose packets are not
    /// documented and are therefore not sent.
    pub low_latency_mode: bool,
    /// Whether data PDUs are encrypted, starting before the first of them.
    pub encrypted: bool,
    /// Physical layer, the same in both directions.
    pub phy: Phy,
    /// Channel selection algorithm.
    pub channel_selection: ChannelSelection,
    /// Largest payload of a data channel PDU, 27 to 251 bytes.
    pub data_length: usize,
    /// Connection events that the peripheral may skip while it has nothing to send.
    pub latency: u16,
    /// Time without a valid packet after which the connection is lost.
    pub supervision_timeout: Duration,
    /// Largest number of data packets of each end per connection event.
    pub packets_per_event: u16,
    /// Longest duration of a connection event.
    pub event_length: Duration,
    /// Number of consecutive damaged packets after which an end closes a connection event: 2 in the
    /// specification (section 4.5.6), which allows an end to close it earlier.
    pub damaged_packets: u8,
    /// Probability that the central misses a connection event completely.
    pub slip: f64,
    /// Probability that data misses the next event if it arrives at an empty queue between two
    /// events.
    pub late: f64,
    /// Delay of each anchor point beyond one interval after the previous one, by the central's own
    /// clock: the rounding of a scheduler.
    pub interval_excess: Duration,
    /// Initial phase of the anchor points, by the central's clock.
    pub anchor_phase: Duration,
    /// Declared accuracy of each end's sleep clock, parts per million.
    pub sleep_clock_accuracy: u16,
    /// Length of the interval without transmissions of the central before the next anchor point. If
    /// this length is not zero, the central starts another exchange only if the longest possible
    /// exchange ends before the interval. In the longest exchange, both ends send a PDU of
    /// `data_length`. If this length is zero, the central starts any exchange that ends before the
    /// next anchor point.
    pub event_gap: Duration,
    /// Additional listening time for a distant peer: see [`range_delay`].
    pub range_delay: Duration,
    /// Whether channels with interference are avoided.
    pub adaptive_hopping: bool,
    /// Smallest number of channels kept.
    pub least_channels: u8,
    /// Processor time of each board per connection event. It affects the charge but no latency.
    pub event_processing: Duration,
}

/// Round-trip propagation time over `metres`, as in the specification: twice 4 ns per metre
/// (section 4.2.3).
#[must_use]
pub fn range_delay(metres: f64) -> Duration {
    Duration::from_ns((metres.max(0.0) * 8.0).ceil() as u64)
}

/// A setting that the specification does not allow, or that cannot work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Illegal {
    /// Invalid length of a data channel PDU.
    #[error("a PDU carries 27 to 251 bytes, not {0}")]
    DataLength(usize),
    /// Too many skipped events.
    #[error("a peripheral skips at most 499 events, not {0}")]
    Latency(u16),
    /// Outside 100 ms to 32 s, or not longer than two intervals with their latency.
    #[error(
        "the supervision timeout is {given_ms} ms, but must be {least_ms} to 32000 ms at this interval and latency"
    )]
    SupervisionTimeout {
        /// Requested timeout.
        given_ms: u64,
        /// Shortest allowed timeout.
        least_ms: u64,
    },
    /// A PDU and its response last longer than an interval.
    #[error(
        "a PDU of {data_length} B and its answer take {needs_us} us, the interval is {has_us} us"
    )]
    PduTooLong {
        /// Payload of the PDU.
        data_length: usize,
        /// Duration of the exchange.
        needs_us: u64,
        /// Available time.
        has_us: u64,
    },
    /// A connection would have to be created with an interval that only an update can set.
    #[error(
        "a new connection needs a multiple of 1.25 ms, at least 7.5 ms, such as 10 ms; it can change to {interval_us} us afterwards"
    )]
    InitialInterval {
        /// The interval of the connection.
        interval_us: u64,
    },
    /// The frame space is too long.
    #[error("a frame space is at most 10000 us, not {0} us")]
    FrameSpace(u64),
    /// A connection event without packets.
    #[error("a connection event carries at least one packet")]
    NoPackets,
}

impl Illegal {
    /// Name of the setting.
    #[must_use]
    pub const fn parameter(&self) -> &'static str {
        match self {
            Self::DataLength(_) | Self::PduTooLong { .. } => "data_length",
            Self::Latency(_) => "latency",
            Self::SupervisionTimeout { .. } => "supervision_timeout",
            Self::InitialInterval { .. } => "initial_interval",
            Self::FrameSpace(_) => "frame_space",
            Self::NoPackets => "packets_per_event",
        }
    }
}

impl Settings {
    /// A connection at `interval` that sends as much as fits, with exact anchor points.
    #[must_use]
    pub const fn new(interval: Interval, phy: Phy) -> Self {
        Self {
            interval,
            initial_interval: None,
            frame_space: Duration::from_ns(INTER_FRAME_NS),
            low_latency_mode: false,
            encrypted: false,
            phy,
            channel_selection: ChannelSelection::One,
            data_length: MAX_DATA_LENGTH,
            latency: 0,
            supervision_timeout: LONGEST_TIMEOUT,
            packets_per_event: u16::MAX,
            event_length: Duration::from_secs(4),
            damaged_packets: 2,
            slip: 0.0,
            late: 0.0,
            interval_excess: Duration::ZERO,
            anchor_phase: Duration::ZERO,
            sleep_clock_accuracy: 50,
            event_gap: Duration::ZERO,
            range_delay: Duration::ZERO,
            adaptive_hopping: false,
            least_channels: 2,
            event_processing: Duration::ZERO,
        }
    }

    /// Airtime of a PDU with `payload` bytes of a host, ns.
    #[must_use]
    pub const fn pdu_ns(&self, payload: usize) -> u64 {
        let sealed = if self.encrypted && payload > 0 { MIC_LEN } else { 0 };
        self.phy.duration_ns(payload + sealed)
    }

    /// Time before the next anchor point by which the central requires another exchange to end.
    /// `None` means the duration of that exchange.
    #[must_use]
    pub fn longest_exchange(&self) -> Option<Duration> {
        let longest = 2 * self.pdu_ns(self.data_length) + 2 * self.frame_space.as_ns();
        (!self.event_gap.is_zero()).then_some(Duration::from_ns(longest) + self.event_gap)
    }

    /// Interval with which the connection is created.
    #[must_use]
    pub fn first_interval(&self) -> Interval {
        self.initial_interval.unwrap_or(self.interval)
    }

    /// Returns true if the central changes the interval or the frame space after connecting.
    #[must_use]
    pub fn changes(&self) -> bool {
        self.first_interval() != self.interval || self.changes_frame_space()
    }

    /// Returns true if the frame space differs from that of a new connection.
    #[must_use]
    pub const fn changes_frame_space(&self) -> bool {
        self.frame_space.as_ns() != INTER_FRAME_NS
    }

    /// Shortest valid supervision timeout. It exceeds (1 + latency) * interval * 2, in steps of
    /// 10 ms (section 4.5.2).
    #[must_use]
    pub fn least_supervision_timeout(&self) -> Duration {
        let longest = self.initial_interval.map_or(self.interval, |first| first.max(self.interval));
        let events = longest.duration() * (1 + u64::from(self.latency)) * 2;
        let step = Duration::from_ms(10);
        let steps = events.as_ns() / step.as_ns() + 1;
        (step * steps).max(SHORTEST_TIMEOUT)
    }

    /// Checks the settings; the error names the first invalid one.
    pub fn check(&self) -> Result<(), Illegal> {
        if !(MIN_DATA_LENGTH..=MAX_DATA_LENGTH).contains(&self.data_length) {
            return Err(Illegal::DataLength(self.data_length));
        }
        if self.latency > MOST_LATENCY {
            return Err(Illegal::Latency(self.latency));
        }
        if self.packets_per_event == 0 {
            return Err(Illegal::NoPackets);
        }
        let least = self.least_supervision_timeout();
        if !(least..=LONGEST_TIMEOUT).contains(&self.supervision_timeout) {
            let (given_ms, least_ms) =
                (self.supervision_timeout.as_ns() / 1_000_000, least.as_ns() / 1_000_000);
            return Err(Illegal::SupervisionTimeout { given_ms, least_ms });
        }
        if self.frame_space > LONGEST_FRAME_SPACE {
            return Err(Illegal::FrameSpace(self.frame_space.as_ns() / 1_000));
        }
        if !self.first_interval().is_baseline() {
            let interval_us = self.interval.duration().as_ns() / 1_000;
            return Err(Illegal::InitialInterval { interval_us });
        }
        // Either end may send the long PDU. The other responds, and an interframe space precedes
        // the next anchor point.
        let spaces = 2 * self.frame_space.as_ns();
        let needs = self.pdu_ns(self.data_length) + self.phy.duration_ns(0) + spaces;
        let has = self.interval.duration().as_ns();
        if needs > has {
            let (data_length, needs_us, has_us) = (self.data_length, needs / 1000, has / 1000);
            return Err(Illegal::PduTooLong { data_length, needs_us, has_us });
        }
        Ok(())
    }
}
