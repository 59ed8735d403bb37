//! Rates, contention, beacons, queues.

use airlag_air::{Band, Modulation};
use airlag_link::airtime::wifi::Rate;
use airlag_sim::Duration;

use super::frame::Address;

/// The radios that share frames.
pub const FAMILY: &str = "wifi";

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
    /// Whom it sends to.
    pub peer: Address,
    /// Its channel, 1 to 13.
    pub channel: u8,
    /// Rate of its frames.
    pub rate: Rate,
    /// Long-range frames that need the slower rate.
    pub fallback: Option<Fallback>,
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
    /// The spectrum of its channel: 22 MHz around 2407 MHz plus 5 a channel (17.4.6.3).
    #[must_use]
    pub const fn band(&self) -> Band {
        Band::around(2_407_000 + 5_000 * self.channel as u32, 22_000)
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

/// How a frame at `rate` is modulated. Every receiver reads every rate.
#[must_use]
pub const fn modulation(rate: Rate) -> Modulation {
    Modulation { family: FAMILY, setting: rate.kbps() }
}

/// The rate of a frame, from how it is modulated.
#[must_use]
pub fn rate_of(modulation: Modulation) -> Option<Rate> {
    let ours = modulation.family == FAMILY;
    Rate::ALL.into_iter().find(|rate| ours && rate.kbps() == modulation.setting)
}
