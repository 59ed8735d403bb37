//! Configuration of a radio: channel, waiting times, retries.

use airlag_air::{Band, Modulation};
use airlag_link::airtime::wifi::{Rate, space_ns};
use airlag_sim::Duration;

use crate::stack::wifi::frame::Address;

/// Family of Wi-Fi radios.
pub const FAMILY: &str = "wifi";

/// Limit above which frames at one rate cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Rate.
    pub rate: Rate,
    /// Longest decodable frame at this rate, octets, FCS included.
    pub over: usize,
}

/// Configuration of a radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Address.
    pub address: Address,
    /// Channel, 1 to 13.
    pub channel: u8,
    /// Duration of a slot.
    pub slot: Duration,
    /// Slots of the interframe space after SIFS: 2 (DIFS, 9.3.2.3.5), or the AIFSN of an access
    /// category (9.3.2.3.6).
    pub space_slots: u8,
    /// Carrier detection time. Two radios whose backoffs end within this time send simultaneously.
    pub cca: Duration,
    /// Smallest contention window, slots (9.3.3). Each retry doubles the window and adds one, up to
    /// `cw_max`.
    pub cw_min: u16,
    /// Largest contention window, slots.
    pub cw_max: u16,
    /// Retries of an unacknowledged frame.
    pub max_retries: u8,
    /// Limit of decodable frames.
    pub unreadable: Option<Unreadable>,
}

impl Config {
    /// Frequency band of its channel.
    #[must_use]
    pub const fn band(&self) -> Band {
        channel_band(self.channel)
    }

    /// Required idle time of the medium before a frame.
    #[must_use]
    pub const fn space(&self) -> Duration {
        Duration::from_ns(space_ns(self.space_slots, self.slot.as_ns()))
    }
}

/// Frequency band of a channel: 22 MHz around 2407 MHz plus 5 MHz per channel (17.4.6.3).
#[must_use]
pub const fn channel_band(channel: u8) -> Band {
    Band::around(2_407_000 + 5_000 * channel as u32, 22_000)
}

/// Modulation of a frame at `rate`. Every receiver decodes every rate.
#[must_use]
pub fn modulation(rate: Rate) -> Modulation {
    let place = Rate::ALL.iter().position(|one| *one == rate);
    Modulation { family: FAMILY, setting: place.map_or(u32::MAX, |place| place as u32) }
}

/// Rate of a frame with this modulation.
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
