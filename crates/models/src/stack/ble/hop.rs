//! Which channel a connection event uses: channel selection algorithm #1 over all 37 data channels
//! (Bluetooth Core Specification 5.4, volume 6, part B, section 4.5.8.2), and where the channels
//! lie (part A, section 2; part B, section 1.4.1).

use airlag_air::Band;

/// Data channels.
pub const DATA_CHANNELS: u8 = 37;

/// The advertising channel connections are made on.
pub const ADVERTISING: u8 = 37;

/// The spectrum of a channel index: 2 MHz wide, data channels between the advertising ones.
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

/// The hop sequence of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hopping {
    increment: u8,
}

impl Hopping {
    /// Hops by `increment` channels, 5 to 16 (part B, section 2.3.3.1).
    #[must_use]
    pub const fn new(increment: u8) -> Self {
        let increment = if increment < 5 {
            5
        } else if increment > 16 {
            16
        } else {
            increment
        };
        Self { increment }
    }

    /// How many channels it hops by.
    #[must_use]
    pub const fn increment(self) -> u8 {
        self.increment
    }

    /// The channel of connection event `event`, counted from 0.
    #[must_use]
    pub const fn channel(self, event: u64) -> u8 {
        ((event + 1) % DATA_CHANNELS as u64 * self.increment as u64 % DATA_CHANNELS as u64) as u8
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn channels_follow_each_other_as_a_sniffer_saw_them() {
        // Hop increment 13, first events of a connection.
        let hopping = Hopping::new(13);
        let seen: Vec<u8> = (0..4).map(|event| hopping.channel(event)).collect();
        assert_eq!(seen, [13, 26, 2, 15]);
        // The same connection 24 and 35 events in.
        assert_eq!((hopping.channel(35), hopping.channel(68)), (24, 9));
    }

    #[test]
    fn every_increment_visits_every_channel() {
        for increment in 5..=16 {
            let hopping = Hopping::new(increment);
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
}
