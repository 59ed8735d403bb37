//! Selects the data channel of each connection event from the data channels in use, with channel
//! selection algorithm #1 or #2 (Bluetooth Core Specification 5.4, volume 6, part B, section
//! 4.5.8). Also contains the frequencies of the channels (volume 6, part A, section 2, and part B,
//! section 1.4.1).

use airlag_air::Band;

/// Number of data channels.
pub const DATA_CHANNELS: u8 = 37;

/// Advertising channel on which connections are made.
pub const ADVERTISING: u8 = 37;

/// Frequency band of a channel index: 2 MHz wide, data channels between the advertising ones.
#[must_use]
pub const fn band(channel: u8) -> Band {
    let number = match channel {
        0..=10 => channel as u32 + 1,
        11..=36 => channel as u32 + 2,
        37 => 0,
        38 => 12,
        _ => 39,
    };
    Band::around(2_402_000 + 2_000 * number, 2_000)
}

/// Data channels in use: one bit each, as in CONNECT_IND.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelMap(u64);

impl ChannelMap {
    /// Every data channel.
    pub const ALL: Self = Self((1 << DATA_CHANNELS) - 1);

    /// Creates a map of the channels whose bits are set. Returns `None` for fewer than the two
    /// channels that a connection needs (section 4.5.8.1).
    #[must_use]
    pub const fn new(bits: u64) -> Option<Self> {
        let map = Self(bits & Self::ALL.0);
        if map.count() < 2 { None } else { Some(map) }
    }

    /// Returns a bit for each channel.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Number of channels.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns true if `channel` is in use.
    #[must_use]
    pub const fn has(self, channel: u8) -> bool {
        self.0 >> channel & 1 == 1
    }

    /// Adds `channel`.
    #[must_use]
    pub const fn with(self, channel: u8) -> Self {
        Self(self.0 | (1 << channel & Self::ALL.0))
    }

    /// Removes `channel`. Returns `None` if fewer than two would remain.
    #[must_use]
    pub const fn without(self, channel: u8) -> Option<Self> {
        Self::new(self.0 & !(1 << channel))
    }

    /// Channel at `index` in ascending order, from 0.
    fn at(self, index: u32) -> u8 {
        let mut from_index = self.0;
        for _ in 0..index {
            // Without its lowest bit.
            from_index &= from_index.saturating_sub(1);
        }
        if from_index == 0 { 0 } else { from_index.trailing_zeros() as u8 }
    }
}

/// Channel selection algorithm of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Algorithm #1: a constant hop increment of 5 to 16 channels per event (part B, sections
    /// 2.3.3.1 and 4.5.8.2).
    One {
        /// Increment, channels.
        increment: u8,
    },
    /// Algorithm #2: pseudo-random by event and access address (section 4.5.8.3).
    Two {
        /// Derived from the access address.
        identifier: u16,
    },
}

impl Selection {
    /// Algorithm #2 for a connection's access address.
    #[must_use]
    pub const fn two(access_address: u32) -> Self {
        Self::Two { identifier: (access_address >> 16) as u16 ^ access_address as u16 }
    }

    /// Hop increment field of CONNECT_IND, which algorithm #2 ignores.
    #[must_use]
    pub const fn increment(self) -> u8 {
        match self {
            Self::One { increment } => increment,
            Self::Two { .. } => 5,
        }
    }
}

/// The hop sequence of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hopping {
    /// The algorithm.
    pub selection: Selection,
    /// The channels in use.
    pub map: ChannelMap,
}

impl Hopping {
    /// Channel of connection event `event`, counted from 0.
    #[must_use]
    pub fn channel(self, event: u64) -> u8 {
        let used = self.map.count();
        let (unmapped, index) = match self.selection {
            Selection::One { increment } => {
                let hops = (event + 1) % u64::from(DATA_CHANNELS) * u64::from(increment);
                let unmapped = (hops % u64::from(DATA_CHANNELS)) as u8;
                (unmapped, u32::from(unmapped) % used)
            }
            Selection::Two { identifier } => {
                let number = pseudo_random(event as u16, identifier);
                let unmapped = (number % u16::from(DATA_CHANNELS)) as u8;
                (unmapped, (used * u32::from(number)) >> 16)
            }
        };
        if self.map.has(unmapped) { unmapped } else { self.map.at(index) }
    }
}

/// Pseudo-random number of algorithm #2 for an event counter: three rounds of bit reversal in each
/// byte and a multiplication (section 4.5.8.3.2).
fn pseudo_random(counter: u16, identifier: u16) -> u16 {
    let mut number = counter ^ identifier;
    for _ in 0..3 {
        let reversed = number.reverse_bits().swap_bytes();
        number = reversed.wrapping_mul(17).wrapping_add(identifier);
    }
    number ^ identifier
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn by(increment: u8) -> Hopping {
        Hopping { selection: Selection::One { increment }, map: ChannelMap::ALL }
    }

    #[test]
    fn channels_follow_each_other_as_a_sniffer_saw_them() {
        // Hop increment 13, first events of a connection.
        let hopping = by(13);
        let seen: Vec<u8> = (0..4).map(|event| hopping.channel(event)).collect();
        assert_eq!(seen, [13, 26, 2, 15]);
        // The same connection 24 and 35 events later.
        assert_eq!((hopping.channel(35), hopping.channel(68)), (24, 9));
    }

    #[test]
    fn every_increment_visits_every_channel() {
        for increment in 5..=16 {
            let hopping = by(increment);
            let all: BTreeSet<u8> = (100..137).map(|event| hopping.channel(event)).collect();
            assert_eq!(all.len(), 37, "{increment}");
        }
    }

    #[test]
    fn channels_lie_between_the_advertising_ones_without_overlap() {
        let centre = |channel| band(channel).low_khz + 1_000;
        assert_eq!(
            [0, 10, 11, 36, 37, 38, 39].map(centre),
            [2_404_000, 2_424_000, 2_428_000, 2_478_000, 2_402_000, 2_426_000, 2_480_000]
        );
        for a in 0..40 {
            for b in 0..a {
                assert!(!band(a).overlaps(&band(b)));
            }
        }
    }

    #[test]
    fn algorithm_2_gives_the_sample_data_of_the_specification() {
        // Volume 6, part C, section 3: access address 0x8E89BED6, all channels and nine of them.
        let selection = Selection::two(0x8E89_BED6);
        assert_eq!(selection, Selection::Two { identifier: 0x305F });
        let numbers = [56_857, 1_685, 38_301, 27_475];
        let all = Hopping { selection, map: ChannelMap::ALL };
        for (event, (number, channel)) in numbers.into_iter().zip([25, 20, 6, 21]).enumerate() {
            assert_eq!(pseudo_random(event as u16, 0x305F), number);
            assert_eq!(all.channel(event as u64), channel);
        }
        let nine = [9, 10, 21, 22, 23, 33, 34, 35, 36].iter().map(|channel| 1_u64 << channel).sum();
        let few = Hopping { selection, map: ChannelMap::new(nine).expect("nine") };
        assert_eq!([6, 7, 8].map(|event| few.channel(event)), [23, 9, 34]);
    }

    #[test]
    fn algorithm_1_takes_another_channel_for_one_that_is_not_used() {
        // 13, 26, 2 and 15 with all channels. With only 2, 13 and 30, channel 26 is remapped to the
        // third of them and 15 to the first.
        let map = ChannelMap::new(1 << 2 | 1 << 13 | 1 << 30).expect("three");
        let few = Hopping { map, ..by(13) };
        assert_eq!([0, 1, 2, 3].map(|event| few.channel(event)), [13, 30, 2, 2]);
        assert_eq!(ChannelMap::new(1 << 4), None);
    }

    proptest::proptest! {
        #[test]
        fn a_connection_stays_on_its_channels(
            bits: u64, access: u32, increment in 5_u8..=16, event in 0_u64..200_000,
        ) {
            let Some(map) = ChannelMap::new(bits) else { return Ok(()) };
            for selection in [Selection::One { increment }, Selection::two(access)] {
                let hopping = Hopping { selection, map };
                proptest::prop_assert!(map.has(hopping.channel(event)));
            }
        }
    }
}
