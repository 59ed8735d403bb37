//! Frequency hopping (`freq_hopping.c`).

use airlag_sim::Stream;

/// The frequencies that the firmware hops over (`main.c`, `radio_init`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// `MIN_FREQ`, kHz.
    pub low_khz: u32,
    /// `MAX_FREQ`, kHz.
    pub high_khz: u32,
}

impl Span {
    /// Channel spacing, kHz. The firmware leaves half a channel free at each edge. If both
    /// frequencies are equal, it hops over 1 MHz.
    #[must_use]
    pub const fn spacing_khz(self, channels: u8) -> u32 {
        let wide = self.high_khz.saturating_sub(self.low_khz);
        let wide = if wide == 0 { 1_000 } else { wide };
        wide / (channels as u32 + 2)
    }

    /// Centre of the lowest channel, kHz. The offset that the firmware derives from the network ID
    /// is omitted.
    const fn first_khz(self, channels: u8) -> u32 {
        self.low_khz + self.spacing_khz(channels) / 2
    }
}

/// Hopping sequence of a network, and a radio's position in it.
///
/// The firmware shuffles the channels with the random generator of its C library, seeded with the
/// network ID. The model uses another random generator, because only two properties of the
/// permutation matter: two radios of one network have the same permutation, and two networks have
/// different permutations.
#[derive(Clone, Debug)]
pub(super) struct Hopping {
    span: Span,
    order: Vec<u8>,
    transmit: usize,
    receive: usize,
    locked: bool,
}

impl Hopping {
    /// Radios of one network begin synchronised.
    pub(super) fn new(span: Span, channels: u8, network: u16) -> Self {
        let mut order: Vec<u8> = (0..channels.max(1)).collect();
        let mut stream = Stream::new(u64::from(network), "sik/hopping order");
        for at in (1..order.len()).rev() {
            order.swap(at, stream.below(at as u64 + 1) as usize);
        }
        Self { span, order, transmit: 0, receive: 0, locked: true }
    }

    /// Centre of the transmit channel, kHz.
    pub(super) fn transmit_khz(&self) -> u32 {
        self.khz(self.transmit)
    }

    /// Centre of the receive channel, kHz.
    pub(super) fn receive_khz(&self) -> u32 {
        self.khz(self.receive)
    }

    fn khz(&self, at: usize) -> u32 {
        let channels = self.order.len() as u8;
        self.span.first_khz(channels) + u32::from(self.order[at]) * self.span.spacing_khz(channels)
    }

    /// Called when a window of this radio starts or ends.
    pub(super) fn window_changed(&mut self) {
        self.transmit = (self.transmit + 1) % self.order.len();
        if self.locked {
            self.receive = self.transmit;
        } else if self.transmit == 0 {
            // While it searches, it stays on a channel long enough for the peer to visit it.
            self.receive = (self.receive + 1) % self.order.len();
        }
    }

    /// Called on reception: the peer is on this channel.
    pub(super) fn lock(&mut self) {
        self.locked = true;
        self.transmit = self.receive;
    }

    /// Called after a long time without reception.
    pub(super) fn unlock(&mut self) {
        self.locked = false;
        self.receive = (self.receive + 1) % self.order.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: Span = Span { low_khz: 915_000, high_khz: 928_000 };

    #[test]
    fn every_channel_is_visited_once_before_any_twice() {
        let mut hopping = Hopping::new(SPAN, 50, 25);
        let mut seen: Vec<u32> = (0..50)
            .map(|_| {
                hopping.window_changed();
                hopping.transmit_khz()
            })
            .collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 50);
        assert!(seen[0] > SPAN.low_khz && seen[49] < SPAN.high_khz);
    }

    #[test]
    fn one_channel_stands_half_a_distance_above_the_lowest_frequency() {
        // main.c: the spacing is a third of the span, and the first channel is half of that from
        // the edge.
        let span = Span { low_khz: 869_475, high_khz: 869_775 };
        let mut hopping = Hopping::new(span, 1, 25);
        assert_eq!(span.spacing_khz(1), 100);
        for _ in 0..3 {
            assert_eq!(hopping.transmit_khz(), 869_525);
            hopping.window_changed();
        }
        // With equal limits, the frequency is the lower edge of a span of 1 MHz.
        assert_eq!(Span { low_khz: 868_000, high_khz: 868_000 }.spacing_khz(8), 100);
    }

    #[test]
    fn a_network_has_one_order_and_another_network_another() {
        let order = |network| Hopping::new(SPAN, 50, network).order;
        assert_eq!(order(25), order(25));
        assert_ne!(order(25), order(26));
    }

    #[test]
    fn without_lock_it_listens_in_one_place_while_a_peer_goes_round() {
        let mut hopping = Hopping::new(SPAN, 50, 25);
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
