//! Rates, contention, beacons, queues.

use airlag_air::Band;
use airlag_link::airtime::wifi::{Rate, SLOT_NS};
use airlag_sim::Duration;

use super::frame::{Address, Format};
use crate::stack::wifi::access::{self, Unreadable, channel_band};

/// Hypothetical fallback of long-range frames that are too long for the faster rate: they fail at
/// 512 kbit/s and are retransmitted at 256 kbit/s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fallback {
    /// Longest body that a receiver decodes at 512 kbit/s.
    pub longest: usize,
}

/// Beacons of an access point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beacons {
    /// Beacon interval in time units of 1.024 ms.
    pub interval_tu: u16,
    /// Due time of the first beacon, on the board's clock.
    pub phase: Duration,
    /// Rate.
    pub rate: Rate,
}

/// Configuration of a station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Its address.
    pub address: Address,
    /// Destination address. Group addresses are not acknowledged.
    pub peer: Address,
    /// Its channel, 1 to 13.
    pub channel: u8,
    /// Rate of its frames.
    pub rate: Rate,
    /// Fallback for long-range frames.
    pub fallback: Option<Fallback>,
    /// Frame format.
    pub format: Format,
    /// Slots of the interframe space after SIFS: the AIFSN of its access category (9.3.2.3.6).
    pub space_slots: u8,
    /// Smallest contention window, slots (9.3.3). Each retry doubles the window and adds one, up to
    /// `cw_max`.
    pub cw_min: u16,
    /// Largest contention window, slots.
    pub cw_max: u16,
    /// Retries of an unacknowledged frame.
    pub max_retries: u8,
    /// Beacons, if the station is an access point.
    pub beacons: Option<Beacons>,
    /// Frames queued for its program.
    pub receive_queue: usize,
}

impl Config {
    /// Frequency band of its channel.
    #[must_use]
    pub const fn band(&self) -> Band {
        channel_band(self.channel)
    }

    /// Medium access configuration, with the slot of 802.11b, whose carrier detection takes 15 us
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

    /// Rate of an attempt; `retry` is true if an earlier one failed.
    #[must_use]
    pub const fn rate_of(&self, retry: bool) -> Rate {
        match self.rate {
            Rate::LongRange512 if retry && self.fallback.is_some() => Rate::LongRange256,
            rate => rate,
        }
    }
}
