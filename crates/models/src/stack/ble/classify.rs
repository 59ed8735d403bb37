//! Which data channels a connection leaves because others fill them.
//!
//! The Core Specification (5.4, volume 6, part B, 4.5.8) lets a central mark channels as unused, at least
//! two being left, and says how a hop onto one of them is mapped to another; how a central finds out which
//! are bad it leaves to its maker. Here a channel is bad when at least [`BAD`] of the last [`SEEN`] events
//! on it ended with a damaged packet or with none at all, which is a hypothesis, and is tried again after
//! [`REST`] events of the connection.
//!
//! What is left out: the packet that tells the peripheral (LL_CHANNEL_MAP_IND). It knows without one, as
//! many events later as the packet would have to announce.

use std::cell::RefCell;

use super::hop::DATA_CHANNELS;

/// Events on a channel that are remembered.
const SEEN: u32 = 4;
/// Of these, bad ones that make the channel bad.
const BAD: u32 = 2;
/// Events of the connection for which a channel is left alone.
const REST: u64 = 2_000;
/// Events from the central's decision to the first one with the new map: six and more (part B, 5.1.2), plus
/// those that a peripheral may skip.
const NOTICE: u64 = 6;

/// Channels that are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Map(u64);

impl Map {
    /// Every data channel.
    pub const ALL: Self = Self((1 << DATA_CHANNELS) - 1);

    /// True if it uses this channel.
    #[must_use]
    pub const fn uses(self, channel: u8) -> bool {
        self.0 >> channel & 1 == 1
    }

    /// How many it uses.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The channel that a hop onto `unmapped` leads to: itself if it is used, otherwise the one of the used
    /// channels, in ascending order, whose place is the remainder by their number (4.5.8.2).
    #[must_use]
    pub fn of(self, unmapped: u8) -> u8 {
        if self.uses(unmapped) || self.0 == 0 {
            return unmapped;
        }
        let place = usize::from(unmapped) % self.count() as usize;
        (0..DATA_CHANNELS).filter(|&channel| self.uses(channel)).nth(place).unwrap_or(unmapped)
    }

    const fn without(self, channel: u8) -> Self {
        Self(self.0 & !(1 << channel))
    }

    const fn with(self, channel: u8) -> Self {
        Self(self.0 | 1 << channel)
    }
}

/// What a central knows of its channels.
#[derive(Clone, Debug)]
pub struct Classifier {
    map: Map,
    /// By channel: its last events, the latest lowest, a one for a bad one.
    last: [u8; DATA_CHANNELS as usize],
    /// By channel: how many of these there were.
    seen: [u32; DATA_CHANNELS as usize],
    /// By channel: the event at which it was left.
    left: [u64; DATA_CHANNELS as usize],
}

impl Default for Classifier {
    fn default() -> Self {
        let none = [0; DATA_CHANNELS as usize];
        Self {
            map: Map::ALL,
            last: [0; DATA_CHANNELS as usize],
            seen: [0; DATA_CHANNELS as usize],
            left: none,
        }
    }
}

impl Classifier {
    /// Learns of connection event `event`, on `channel`; the new map, if it is another.
    pub fn learn(&mut self, event: u64, channel: u8, bad: bool) -> Option<Map> {
        let before = self.map;
        let at = usize::from(channel);
        if let Some(last) = self.last.get_mut(at) {
            *last = (*last << 1 | u8::from(bad)) & ((1 << SEEN) - 1);
            self.seen[at] = (self.seen[at] + 1).min(SEEN);
            let full = self.seen[at] == SEEN && last.count_ones() >= BAD;
            if full && self.map.uses(channel) && self.map.count() > 2 {
                self.map = self.map.without(channel);
                self.left[at] = event;
            }
        }
        for channel in 0..DATA_CHANNELS {
            let at = usize::from(channel);
            if !self.map.uses(channel) && event >= self.left[at] + REST {
                self.map = self.map.with(channel);
                (self.last[at], self.seen[at]) = (0, 0);
            }
        }
        (self.map != before).then_some(self.map)
    }
}

/// The maps of a connection, which both ends know.
#[derive(Debug, Default)]
pub struct Maps {
    central: RefCell<Classifier>,
    /// From which event on each of them counts, ascending.
    planned: RefCell<Vec<(u64, Map)>>,
}

impl Maps {
    /// The map of an event.
    #[must_use]
    pub fn at(&self, event: u64) -> Map {
        let planned = self.planned.borrow();
        let latest = planned.iter().rev().find(|(from, _)| *from <= event);
        latest.map_or(Map::ALL, |&(_, map)| map)
    }

    /// What the central learns of an event on `channel`. A peripheral may skip `latency` events.
    pub fn learn(&self, event: u64, channel: u8, bad: bool, latency: u16) {
        if let Some(map) = self.central.borrow_mut().learn(event, channel, bad) {
            self.planned.borrow_mut().push((event + NOTICE + u64::from(latency), map));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn only(channels: &[u8]) -> Map {
        channels.iter().fold(Map(0), |map, &channel| map.with(channel))
    }

    #[test]
    fn a_hop_onto_an_unused_channel_is_mapped_as_by_hand() {
        // Used: 9, 10, 21, 22, 23, 33, 34, 35, 36. 12 mod 9 is 3: the fourth of them.
        let map = only(&[9, 10, 21, 22, 23, 33, 34, 35, 36]);
        assert_eq!((map.of(12), map.of(10), map.of(0), map.of(8)), (22, 10, 9, 36));
        assert_eq!((0..DATA_CHANNELS).map(|one| Map::ALL.of(one)).max(), Some(36));
        let reached: BTreeSet<u8> = (0..DATA_CHANNELS).map(|one| map.of(one)).collect();
        assert_eq!(reached.len(), 9);
    }

    #[test]
    fn a_bad_channel_is_left_and_tried_again() {
        let mut central = Classifier::default();
        assert_eq!(central.learn(0, 5, true), None);
        assert_eq!(central.learn(37, 5, false), None);
        assert_eq!(central.learn(74, 5, false), None);
        let left = central.learn(111, 5, true).expect("a new map");
        assert!(!left.uses(5) && left.count() == 36);
        assert_eq!(central.learn(111 + REST - 1, 6, false), None);
        assert_eq!(central.learn(111 + REST, 6, false), Some(Map::ALL));
        // It begins anew: two bad events alone are not four.
        assert_eq!(central.learn(2_200, 5, true), None);
        assert_eq!(central.learn(2_237, 5, true), None);
    }

    #[test]
    fn two_channels_are_left_whatever_is_heard() {
        let mut central = Classifier::default();
        let mut map = Map::ALL;
        for event in 0..37 * 8 {
            map = central.learn(event, (event % 37) as u8, true).unwrap_or(map);
            assert!(map.count() >= 2);
        }
        assert_eq!(map.count(), 2);
    }
}
