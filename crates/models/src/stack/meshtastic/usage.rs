//! Channel utilisation and transmit time of a node, in periods of its clock (`airtime.cpp`).

use airlag_sim::Instant;

/// Sum of airtimes over the last periods, of which the current one is incomplete.
#[derive(Clone, Debug)]
struct Window<const N: usize> {
    ms: [u64; N],
    period_s: u64,
    /// Number of the current period.
    current: u64,
}

impl<const N: usize> Window<N> {
    const fn new(period_s: u64) -> Self {
        Self { ms: [0; N], period_s, current: 0 }
    }

    /// Empties the periods that have begun since the last call.
    fn advance(&mut self, now: Instant) {
        let current = now.as_ns() / 1_000_000_000 / self.period_s;
        let begun = (current - self.current).min(N as u64);
        for nth in 0..begun {
            self.ms[((current - nth) % N as u64) as usize] = 0;
        }
        self.current = current;
    }

    fn add(&mut self, now: Instant, ms: u64) {
        self.advance(now);
        self.ms[(self.current % N as u64) as usize] += ms;
    }

    /// Share of all periods, %.
    fn percent(&mut self, now: Instant) -> f64 {
        self.advance(now);
        let whole_ms = N as u64 * self.period_s * 1_000;
        self.ms.iter().sum::<u64>() as f64 / whole_ms as f64 * 100.0
    }
}

/// Airtimes that a node has sent and received.
#[derive(Clone, Debug)]
pub struct Usage {
    /// Six periods of 10 s: everything on the channel.
    channel: Window<6>,
    /// Sixty minutes: packets that the node sent.
    sent: Window<60>,
}

impl Default for Usage {
    fn default() -> Self {
        Self { channel: Window::new(10), sent: Window::new(60) }
    }
}

impl Usage {
    /// Records a packet that was sent until `now`.
    pub fn sent(&mut self, now: Instant, ms: u64) {
        self.sent.add(now, ms);
        self.channel.add(now, ms);
    }

    /// Records a packet that was received until `now`, or damaged.
    pub fn received(&mut self, now: Instant, ms: u64) {
        self.channel.add(now, ms);
    }

    /// Utilisation of the channel in the last minute, %.
    pub fn channel_percent(&mut self, now: Instant) -> f64 {
        self.channel.percent(now)
    }

    /// Share of the last hour in which the node sent, %.
    pub fn sent_percent(&mut self, now: Instant) -> f64 {
        self.sent.percent(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at_s(s: u64) -> Instant {
        Instant::from_ns(s * 1_000_000_000)
    }

    #[test]
    fn airtime_counts_until_its_period_is_over() {
        let mut usage = Usage::default();
        usage.sent(at_s(5), 600);
        usage.received(at_s(15), 1_200);
        assert_eq!(usage.channel_percent(at_s(15)), 3.0);
        // The first period begins again after a minute, the second one 10 s later.
        assert_eq!(usage.channel_percent(at_s(59)), 3.0);
        assert_eq!(usage.channel_percent(at_s(60)), 2.0);
        assert_eq!(usage.channel_percent(at_s(70)), 0.0);
        // 600 ms of an hour, which holds its first minute until the next hour.
        assert!((usage.sent_percent(at_s(3_599)) - 0.6 / 36.0).abs() < 1e-12);
        assert_eq!(usage.sent_percent(at_s(3_600)), 0.0);
    }

    #[test]
    fn a_long_silence_empties_all_periods() {
        let mut usage = Usage::default();
        for s in 0..3_600 {
            usage.sent(at_s(s), 100);
        }
        assert!((usage.sent_percent(at_s(3_599)) - 10.0).abs() < 1e-9);
        assert_eq!(usage.sent_percent(at_s(1_000_000)), 0.0);
        assert_eq!(usage.channel_percent(at_s(1_000_000)), 0.0);
    }
}
