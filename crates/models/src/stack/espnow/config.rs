//! Rates, contention, beacons, queues.

use airlag_air::Band;
use airlag_link::airtime::wifi::{Rate, SLOT_NS};
use airlag_sim::Duration;

use super::frame::{Address, Format};
use crate::stack::wifi::access::{self, Unreadable, channel_band};

/// What happens to long-range frames that are too long for the faster rate: a hypothesis. They fail
/// at 512 kbit/s and are sent again at 256.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fallback {
    /// Longest body a receiver reads at 512 kbit/s.
    pub longest: usize,
}

/// When an access point says that it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beacons {
    /// Time units of 1.024 ms between two beacons.
    pub interval_tu: u16,
    /// When the first is due, on the board's clock.
    pub phase: Duration,
    /// At which rate.
    pub rate: Rate,
}

/// A station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Its address.
    pub address: Address,
    /// Whom it sends to; an address of a group acknowledges nothing.
    pub peer: Address,
    /// Its channel, 1 to 13.
    pub channel: u8,
    /// Rate of its frames.
    pub rate: Rate,
    /// Long-range frames that need the slower rate.
    pub fallback: Option<Fallback>,
    /// How its frames are made.
    pub format: Format,
    /// Slots of the interframe space behind SIFS: the AIFSN of its access category (9.3.2.3.6).
    pub space_slots: u8,
    /// Smallest and largest contention window, slots (9.3.3). Doubled, and one more, a retry.
    pub cw_min: u16,
    /// See [`Config::cw_min`].
    pub cw_max: u16,
    /// How often a frame without acknowledgement is sent again.
    pub max_retries: u8,
    /// Whether it is an access point.
    pub beacons: Option<Beacons>,
    /// Frames it holds for its program.
    pub receive_queue: usize,
}

impl Config {
    /// The spectrum of its channel.
    #[must_use]
    pub const fn band(&self) -> Band {
        channel_band(self.channel)
    }

    /// What its radio is told: the slot of 802.11b, whose carrier takes 15 us to be found
    /// (aCCATime, Table 17-9).
    pub(super) fn access(&self) -> access::Config {
        let over = |fallback: Fallback| {
            fallback.longest.saturating_add(self.format.overhead(fallback.longest))
        };
        access::Config {
            address: self.address,
            channel: self.channel,
            slot: Duration::from_ns(SLOT_NS),
            space_slots: self.space_slots,
            cca: Duration::from_us(15),
            cw_min: self.cw_min,
            cw_max: self.cw_max,
            max_retries: self.max_retries,
            unreadable: self
                .fallback
                .map(|fallback| Unreadable { rate: Rate::LongRange512, over: over(fallback) }),
        }
    }

    /// The rate of an attempt: `retry` tells whether one failed before.
    #[must_use]
    pub const fn rate_of(&self, retry: bool) -> Rate {
        match self.rate {
            Rate::LongRange512 if retry && self.fallback.is_some() => Rate::LongRange256,
            rate => rate,
        }
    }
}
