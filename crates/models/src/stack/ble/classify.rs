//! Channel classification: data channels that a connection avoids because of interference.
//!
//! The Core Specification (5.4, volume 6, part B, 4.5.8) allows a central to mark channels as
//! unused, as long as at least two channels remain in use. LL_MIN_USED_CHANNELS_IND (5.1.10) may
//! require more than two. The specification also defines the channel that replaces an unused
//! channel in the hopping sequence. How bad channels are detected is left to the implementation. In
//! this model, a channel is bad if at least [`BAD`] of the last [`SEEN`] connection events on this
//! channel ended with a damaged packet or without a packet. This criterion is a hypothesis. A bad
//! channel is tried again after [`REST`] events of the connection.
//!
//! The packet that informs the peripheral (LL_CHANNEL_MAP_IND) is not modelled. The peripheral
//! switches without it, after the number of events that the packet would have specified.

use std::cell::RefCell;

use super::hop::{ChannelMap, DATA_CHANNELS};

/// Number of the latest connection events that are evaluated per channel.
const SEEN: u32 = 4;
/// Number of bad events among them at which the channel counts as bad.
const BAD: u32 = 2;
/// Number of connection events for which a bad channel is avoided.
const REST: u64 = 2_000;
/// Events from the central's decision to the first one with the new map: at least six (part B,
/// 5.1.2), plus those that a peripheral may skip.
const NOTICE: u64 = 6;

/// Channel statistics of a central.
#[derive(Clone, Debug)]
pub struct Classifier {
    map: ChannelMap,
    /// Smallest number of channels in use.
    least: u8,
    /// For each channel: its last events, latest in the lowest bit; 1 is a bad event.
    last: [u8; DATA_CHANNELS as usize],
    /// For each channel: the number of events in `last`.
    seen: [u32; DATA_CHANNELS as usize],
    /// For each channel: the event at which it was removed.
    left: [u64; DATA_CHANNELS as usize],
}

impl Classifier {
    /// Creates a classifier that keeps at least `least` channels, and at least two in any case.
    #[must_use]
    pub const fn keeping(least: u8) -> Self {
        let none = [0; DATA_CHANNELS as usize];
        Self {
            map: ChannelMap::ALL,
            least,
            last: [0; DATA_CHANNELS as usize],
            seen: [0; DATA_CHANNELS as usize],
            left: none,
        }
    }

    /// Records connection event `event` on `channel`; returns the new map if it changes.
    pub fn learn(&mut self, event: u64, channel: u8, bad: bool) -> Option<ChannelMap> {
        let before = self.map;
        let at = usize::from(channel);
        if let Some(last) = self.last.get_mut(at) {
            *last = (*last << 1 | u8::from(bad)) & ((1 << SEEN) - 1);
            self.seen[at] = (self.seen[at] + 1).min(SEEN);
            let full = self.seen[at] == SEEN && last.count_ones() >= BAD;
            let room = self.map.count() > u32::from(self.least);
            let fewer = self.map.without(channel).filter(|_| full && room && self.map.has(channel));
            if let Some(fewer) = fewer {
                (self.map, self.left[at]) = (fewer, event);
            }
        }
        for channel in 0..DATA_CHANNELS {
            let at = usize::from(channel);
            if !self.map.has(channel) && event >= self.left[at] + REST {
                self.map = self.map.with(channel);
                (self.last[at], self.seen[at]) = (0, 0);
            }
        }
        (self.map != before).then_some(self.map)
    }
}

/// Channel maps of a connection, shared by both ends.
#[derive(Debug)]
pub struct Maps {
    central: RefCell<Classifier>,
    /// Each map with the event from which it applies, ascending.
    planned: RefCell<Vec<(u64, ChannelMap)>>,
}

impl Maps {
    /// Creates the maps of a central that keeps at least `least` channels.
    #[must_use]
    pub fn keeping(least: u8) -> Self {
        Self { central: RefCell::new(Classifier::keeping(least)), planned: RefCell::default() }
    }

    /// Map of an event.
    #[must_use]
    pub fn at(&self, event: u64) -> ChannelMap {
        let planned = self.planned.borrow();
        let latest = planned.iter().rev().find(|(from, _)| *from <= event);
        latest.map_or(ChannelMap::ALL, |&(_, map)| map)
    }

    /// Records the result of an event on `channel` at the central. A peripheral may skip `latency`
    /// events.
    pub fn learn(&self, event: u64, channel: u8, bad: bool, latency: u16) {
        if let Some(map) = self.central.borrow_mut().learn(event, channel, bad) {
            self.planned.borrow_mut().push((event + NOTICE + u64::from(latency), map));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_channel_is_left_and_tried_again() {
        let mut central = Classifier::keeping(2);
        assert_eq!(central.learn(0, 5, true), None);
        assert_eq!(central.learn(37, 5, false), None);
        assert_eq!(central.learn(74, 5, false), None);
        let left = central.learn(111, 5, true).expect("a new map");
        assert!(!left.has(5) && left.count() == 36);
        assert_eq!(central.learn(111 + REST - 1, 6, false), None);
        assert_eq!(central.learn(111 + REST, 6, false), Some(ChannelMap::ALL));
        // The statistics start again, so two bad events after the rest period are not enough.
        assert_eq!(central.learn(2_200, 5, true), None);
        assert_eq!(central.learn(2_237, 5, true), None);
    }

    #[test]
    fn as_many_channels_are_left_as_have_to_be_whatever_is_heard() {
        for (least, left) in [(0, 2), (2, 2), (15, 15), (37, 37)] {
            let mut central = Classifier::keeping(least);
            let mut map = ChannelMap::ALL;
            for event in 0..37 * 8 {
                map = central.learn(event, (event % 37) as u8, true).unwrap_or(map);
                assert!(map.count() >= left);
            }
            assert_eq!(map.count(), left);
        }
    }
}
