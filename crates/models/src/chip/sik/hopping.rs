//! Which channel it is on (`freq_hopping.c`).

use airlag_sim::Stream;

/// Edges of the 915 MHz band the firmware hops over, kHz.
const LOW_KHZ: u32 = 915_000;
const HIGH_KHZ: u32 = 928_000;

/// From a channel to the next, kHz.
#[must_use]
pub const fn spacing_khz(channels: u8) -> u32 {
    (HIGH_KHZ - LOW_KHZ) / (channels as u32 + 2)
}

/// The order of channels of a network, and where a radio stands in it.
///
/// The firmware shuffles with its C library's generator, seeded with the network's number; which
/// permutation comes out does not matter here, only that two radios of one network agree on it and
/// that two networks differ.
#[derive(Clone, Debug)]
pub(super) struct Hopping {
    order: Vec<u8>,
    transmit: usize,
    receive: usize,
    locked: bool,
}

impl Hopping {
    /// Radios of one network begin in step.
    pub(super) fn new(channels: u8, network: u16) -> Self {
        let mut order: Vec<u8> = (0..channels.max(1)).collect();
        let mut stream = Stream::new(u64::from(network), "sik/hopping order");
        for at in (1..order.len()).rev() {
            order.swap(at, stream.below(at as u64 + 1) as usize);
        }
        Self { order, transmit: 0, receive: 0, locked: true }
    }

    /// The centre of the channel it sends on, kHz.
    pub(super) fn transmit_khz(&self) -> u32 {
        self.khz(self.transmit)
    }

    /// The centre of the channel it listens on, kHz.
    pub(super) fn receive_khz(&self) -> u32 {
        self.khz(self.receive)
    }

    fn khz(&self, at: usize) -> u32 {
        let spacing = spacing_khz(self.order.len() as u8);
        LOW_KHZ + spacing / 2 + u32::from(self.order[at]) * spacing
    }

    /// A window of its own begins or ends.
    pub(super) fn window_changed(&mut self) {
        self.transmit = (self.transmit + 1) % self.order.len();
        if self.locked {
            self.receive = self.transmit;
        } else if self.transmit == 0 {
            // Without lock it stays on a channel until the peer must have been there.
            self.receive = (self.receive + 1) % self.order.len();
        }
    }

    /// A packet came: the peer is on this channel.
    pub(super) fn lock(&mut self) {
        self.locked = true;
        self.transmit = self.receive;
    }

    /// Nothing has come for a long time.
    pub(super) fn unlock(&mut self) {
        self.locked = false;
        self.receive = (self.receive + 1) % self.order.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_channel_is_visited_once_before_any_twice() {
        let mut hopping = Hopping::new(50, 25);
        let mut seen: Vec<u32> = (0..50)
            .map(|_| {
                hopping.window_changed();
                hopping.transmit_khz()
            })
            .collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 50);
        assert!(seen[0] > LOW_KHZ && seen[49] < HIGH_KHZ);
    }

    #[test]
    fn a_network_has_one_order_and_another_network_another() {
        let order = |network| Hopping::new(50, network).order;
        assert_eq!(order(25), order(25));
        assert_ne!(order(25), order(26));
    }

    #[test]
    fn without_lock_it_listens_in_one_place_while_a_peer_goes_round() {
        let mut hopping = Hopping::new(50, 25);
        hopping.unlock();
        let stays = hopping.receive_khz();
        for _ in 0..49 {
            hopping.window_changed();
            assert_eq!(hopping.receive_khz(), stays);
        }
        hopping.window_changed();
        assert_ne!(hopping.receive_khz(), stays);
        hopping.lock();
        assert_eq!(hopping.transmit_khz(), hopping.receive_khz());
    }
}
