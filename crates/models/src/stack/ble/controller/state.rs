//! State of a connection in one controller, and the timing of its next event.

use std::rc::Rc;

use airlag_link::airtime::ble::INTER_FRAME_NS;
use airlag_sim::{Duration, Instant, Slice};

use super::Role;
use super::control::{Security, UPDATE_EVENTS};
use super::queue::Queue;
use super::settings::Settings;
use crate::stack::ble::classify::Maps;
use crate::stack::ble::hop::Hopping;
use crate::stack::ble::pdu::Address;
use crate::stack::ble::slices;

/// T_IFS of a new connection.
const INTER_FRAME: Duration = Duration::from_ns(INTER_FRAME_NS);
/// Deviation of a sleeping clock's instants in addition to its frequency error (section 4.2.2).
const SLEEP_JITTER: Duration = Duration::from_us(16);

/// A receive window: the packet must start in it.
pub(super) struct Window {
    pub(super) from: Instant,
    pub(super) until: Instant,
}

/// Constant properties of a connection.
pub(super) struct Connection {
    pub(super) role: Role,
    pub(super) settings: Settings,
    pub(super) address: Address,
    pub(super) hopping: Hopping,
    /// Channel maps with avoided channels. `None` if all channels are used.
    pub(super) maps: Option<Rc<Maps>>,
}

impl Connection {
    /// Channel of an event.
    pub(super) fn channel(&self, event: u64) -> u8 {
        let map = self.maps.as_ref().map_or(self.hopping.map, |maps| maps.at(event));
        Hopping { map, ..self.hopping }.channel(event)
    }
}

/// Variable state.
#[derive(Default)]
pub(super) struct State {
    pub(super) connection: Option<Connection>,
    pub(super) queue: Queue,
    pub(super) security: Security,
    /// Event from which the connection's final interval and frame space apply. `None` if they are
    /// not agreed yet, or are those of the new connection.
    pub(super) update: Option<u64>,
    pub(super) sn: bool,
    pub(super) nesn: bool,
    /// Number of the current or next event.
    pub(super) event: u64,
    /// Local time of the last known anchor point, and its event. For the central this is always
    /// event 0.
    pub(super) anchor_ns: i64,
    pub(super) anchored: u64,
    pub(super) in_event: bool,
    /// True until the first packet of the connection arrives.
    pub(super) fresh: bool,
    pub(super) skipping: bool,
    /// Event for which data was too late.
    pub(super) held: Option<u64>,
    pub(super) sent_data: u16,
    pub(super) damaged: u8,
    pub(super) my_more: bool,
    pub(super) their_more: bool,
    pub(super) window: Option<Window>,
    pub(super) last_valid: Instant,
    /// Time since which data has been waiting for an event, and the reason.
    pub(super) waits: Option<(Instant, &'static Slice)>,
}

impl State {
    /// State at the start of a connection whose first anchor point is at `anchor_ns` on this
    /// device's clock.
    pub(super) fn begin(
        connection: Connection,
        security: Security,
        anchor_ns: i64,
        now: Instant,
    ) -> Self {
        let mut queue = Queue::new(connection.settings.data_length);
        if connection.settings.encrypted {
            queue.hold_data();
        }
        // The packets of the low latency packet mode are not documented. Both ends therefore change
        // at the same event.
        let Settings { low_latency_mode, .. } = connection.settings;
        let update = (low_latency_mode && connection.settings.changes()).then_some(UPDATE_EVENTS);
        let connection = Some(connection);
        let (fresh, last_valid) = (true, now);
        Self {
            connection,
            queue,
            security,
            update,
            anchor_ns,
            fresh,
            last_valid,
            ..Self::default()
        }
    }

    pub(super) fn connected(&self) -> bool {
        self.connection.is_some()
    }

    /// Records the arrival of data. If there was none before, it starts to wait for a connection
    /// event.
    pub(super) fn data_since(&mut self, now: Instant) {
        if !self.queue.has_data() && self.waits.is_none() {
            self.waits = Some((now, &slices::INTERVAL_WAIT));
        }
    }

    pub(super) fn settings(&self) -> Option<&Settings> {
        self.connection.as_ref().map(|connection| &connection.settings)
    }

    /// T_IFS in the current event.
    pub(super) fn frame_space(&self) -> Duration {
        match self.settings() {
            Some(settings) if self.update.is_some_and(|update| self.event >= update) => {
                settings.frame_space
            }
            _ => INTER_FRAME,
        }
    }

    /// Local time of the anchor point of `event`, as estimated by this device.
    pub(super) fn anchor(&self, event: u64) -> i64 {
        let Some(connection) = &self.connection else { return self.anchor_ns };
        let excess = match connection.role {
            Role::Central => connection.settings.interval_excess * (event - self.anchored),
            Role::Peripheral => Duration::ZERO,
        };
        self.anchor_ns + (self.since_anchor(event) + excess).as_ns() as i64
    }

    /// Intervals from the last known anchor point to that of `event`.
    fn since_anchor(&self, event: u64) -> Duration {
        let Some(settings) = self.settings() else { return Duration::ZERO };
        let Settings { interval, initial_interval, .. } = *settings;
        let Some(initial) = initial_interval else {
            return interval.duration() * (event - self.anchored);
        };
        // An end that has not received the update continues with the old interval.
        let update = self.update.unwrap_or(u64::MAX).clamp(self.anchored, event.max(self.anchored));
        initial.duration() * (update - self.anchored) + interval.duration() * (event - update)
    }

    /// Window widening of a peripheral around the anchor point of `event` (section 4.2.2).
    pub(super) fn widening(&self, event: u64) -> Duration {
        let Some(settings) = self.settings() else { return Duration::ZERO };
        let elapsed = self.since_anchor(event);
        let ppm = 2 * u64::from(settings.sleep_clock_accuracy);
        let wide =
            SLEEP_JITTER + SLEEP_JITTER + Duration::from_ns(elapsed.as_ns() / 1_000_000 * ppm);
        // The transmit window of a new connection, or of a new interval, is wider (sections 4.5.3,
        // 5.1.1).
        let window = if self.fresh || self.update == Some(event) {
            Duration::from_us(1_250)
        } else {
            Duration::ZERO
        };
        let half = Duration::from_ns(settings.interval.duration().as_ns() / 2);
        (wide + window).min(half.saturating_sub(self.frame_space()))
    }

    /// Latest end of any packet in this event.
    pub(super) fn deadline(&self) -> i64 {
        let Some(settings) = self.settings() else { return 0 };
        let anchor = self.anchor(self.event);
        let next = self.anchor(self.event + 1) - self.frame_space().as_ns() as i64;
        next.min(anchor + settings.event_length.as_ns() as i64)
    }

    /// End of this event's time: the next anchor point, or earlier.
    pub(super) fn next_event(&self) -> i64 {
        let Some(settings) = self.settings() else { return 0 };
        let length = settings.event_length.as_ns() as i64;
        self.anchor(self.event + 1).min(self.anchor(self.event) + length)
    }

    /// Returns true if more data may be sent in this event, in addition to the packet in flight.
    pub(super) fn may_send_more(&self) -> bool {
        let most = self.settings().map_or(0, |settings| settings.packets_per_event);
        self.sent_data < most && self.held != Some(self.event)
    }
}
