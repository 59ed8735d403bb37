//! What a radio is told: where it is, how long it waits, how often it tries.

use airlag_air::{Band, Modulation};
use airlag_link::airtime::wifi::{Rate, space_ns};
use airlag_sim::Duration;

use crate::stack::wifi::frame::Address;

/// The radios that share frames.
pub const FAMILY: &str = "wifi";

/// Frames that are too long to be read at one rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// At this rate
    pub rate: Rate,
    /// a frame of more octets than this, its check included.
    pub over: usize,
}

/// A radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Its address.
    pub address: Address,
    /// Its channel, 1 to 13.
    pub channel: u8,
    /// How long a slot lasts.
    pub slot: Duration,
    /// Slots of the interframe space behind SIFS: 2 (DIFS, 9.3.2.3.5), or the AIFSN of an access
    /// category (9.3.2.3.6).
    pub space_slots: u8,
    /// How long a carrier must be there to be found. Two radios whose backoffs end closer together
    /// send at once.
    pub cca: Duration,
    /// Smallest and largest contention window, slots (9.3.3). Doubled, and one more, a retry.
    pub cw_min: u16,
    /// See [`Config::cw_min`].
    pub cw_max: u16,
    /// How often a frame without acknowledgement is sent again.
    pub max_retries: u8,
    /// What it cannot read.
    pub unreadable: Option<Unreadable>,
}

impl Config {
    /// The spectrum of its channel.
    #[must_use]
    pub const fn band(&self) -> Band {
        channel_band(self.channel)
    }

    /// How long the medium must be idle before a frame.
    #[must_use]
    pub const fn space(&self) -> Duration {
        Duration::from_ns(space_ns(self.space_slots, self.slot.as_ns()))
    }
}

/// The spectrum of a channel: 22 MHz around 2407 MHz plus 5 a channel (17.4.6.3).
#[must_use]
pub const fn channel_band(channel: u8) -> Band {
    Band::around(2_407_000 + 5_000 * channel as u32, 22_000)
}

/// How a frame at `rate` is modulated. Every receiver reads every rate.
#[must_use]
pub fn modulation(rate: Rate) -> Modulation {
    let place = Rate::ALL.iter().position(|one| *one == rate);
    Modulation { family: FAMILY, setting: place.map_or(u32::MAX, |place| place as u32) }
}

/// The rate of a frame, from how it is modulated.
#[must_use]
pub fn rate_of(modulation: Modulation) -> Option<Rate> {
    let ours = modulation.family == FAMILY;
    Rate::ALL.get(modulation.setting as usize).copied().filter(|_| ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_told_by_its_modulation() {
        for rate in Rate::ALL {
            assert_eq!(rate_of(modulation(rate)), Some(rate));
        }
        assert_eq!(rate_of(Modulation { family: "oven", setting: 0 }), None);
    }
}
