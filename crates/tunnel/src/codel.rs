//! CoDel queue: drops packets whose queueing delay exceeds a target for too long (RFC 8289). ECN-capable
//! packets are marked instead ([`crate::ecn`]; RFC 8290, section 5.2, ECN).

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::time::Duration;

use crate::ecn;
use crate::time::Instant;

/// A queued packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Identifier of the caller.
    pub id: u64,
    /// Bytes of the packet.
    pub packet: Vec<u8>,
    /// Time of arrival in the queue.
    pub since: Instant,
}

/// Parameters of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Target delay. RFC 8289, section 4.4: 5 ms, and at least the duration of the longest packet on the link.
    pub target: Duration,
    /// Time above the target before a packet is dropped, about the longest round trip of a connection. RFC
    /// 8289, section 4.3: 100 ms.
    pub interval: Duration,
    /// MTU, bytes. If a queue has at most this number of bytes, it is not a standing queue, and no packet is
    /// dropped.
    pub mtu: usize,
}

/// A CoDel queue.
#[derive(Debug, Default)]
pub struct Codel {
    waiting: VecDeque<Waiting>,
    bytes: usize,
    /// Time from which packets may be dropped, provided that the delay remains above the target
    /// until then.
    above_until: Option<Instant>,
    dropping: bool,
    next_drop: Instant,
    count: u64,
    last_count: u64,
    marked: u64,
}

impl Codel {
    /// Appends a packet.
    pub fn push(&mut self, packet: Waiting) {
        self.bytes += packet.packet.len();
        self.waiting.push_back(packet);
    }

    /// Queued bytes.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether the queue is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Takes the oldest packet, regardless of its delay.
    pub fn pop(&mut self) -> Option<Waiting> {
        let packet = self.waiting.pop_front()?;
        self.bytes -= packet.packet.len();
        Some(packet)
    }

    /// Takes the oldest packet, and returns whether it may be dropped (`dodequeue` in the appendix of RFC
    /// 8289).
    fn judge(&mut self, now: Instant, limits: &Limits) -> Option<(Waiting, bool)> {
        let Some(packet) = self.pop() else {
            self.above_until = None;
            return None;
        };
        let waited = now.since(packet.since);
        let may_drop = if waited < limits.target || self.bytes <= limits.mtu {
            self.above_until = None;
            false
        } else {
            let until = *self.above_until.get_or_insert(now + limits.interval);
            now >= until
        };
        Some((packet, may_drop))
    }

    /// Returns the number of packets marked since the last call.
    pub const fn take_marked(&mut self) -> u64 {
        core::mem::replace(&mut self.marked, 0)
    }

    /// Marks a packet that would be dropped. Returns whether it is ECN-capable.
    fn mark(&mut self, packet: Option<&mut Waiting>) -> bool {
        let marked = packet.is_some_and(|packet| ecn::mark(&mut packet.packet));
        self.marked += u64::from(marked);
        marked
    }

    /// Takes the next packet to send. Dropped packets go to `dropped`.
    pub fn take(
        &mut self,
        now: Instant,
        limits: &Limits,
        mut dropped: impl FnMut(Waiting),
    ) -> Option<Waiting> {
        let next = |queue: &mut Self| match queue.judge(now, limits) {
            Some((packet, may_drop)) => (Some(packet), may_drop),
            None => (None, false),
        };
        let (mut packet, mut may_drop) = next(self);
        if self.dropping {
            self.dropping = may_drop;
            while self.dropping && now >= self.next_drop {
                if self.mark(packet.as_mut()) {
                    self.count += 1;
                    self.next_drop = later(self.next_drop, self.count, limits);
                    break;
                }
                packet.take().into_iter().for_each(&mut dropped);
                self.count += 1;
                (packet, may_drop) = next(self);
                self.dropping = may_drop;
                if may_drop {
                    self.next_drop = later(self.next_drop, self.count, limits);
                }
            }
        } else if may_drop {
            if !self.mark(packet.as_mut()) {
                packet.take().into_iter().for_each(&mut dropped);
                (packet, _) = next(self);
            }
            self.dropping = true;
            // If the queue was in the dropping state recently, it continues with the previous drop rate.
            let since = self.count - self.last_count;
            let recent = now.since(self.next_drop) < limits.interval * 16;
            self.count = if since > 1 && recent { since } else { 1 };
            self.next_drop = later(now, self.count, limits);
            self.last_count = self.count;
        }
        packet
    }
}

/// Control law: the interval between drops decreases with the square root of their number.
fn later(at: Instant, count: u64, limits: &Limits) -> Instant {
    let interval = limits.interval.as_nanos();
    let wait = (interval * interval / u128::from(count.max(1))).isqrt();
    at + Duration::from_nanos(wait as u64)
}

#[cfg(test)]
mod tests {
    use std::vec;

    use super::*;

    const LIMITS: Limits = Limits {
        target: Duration::from_millis(5),
        interval: Duration::from_millis(100),
        mtu: 1500,
    };

    const fn ms(ms: u64) -> Instant {
        Instant::from_ns(ms * 1_000_000)
    }

    fn packet(id: u64, since: Instant) -> Waiting {
        Waiting { id, packet: vec![0; 1000], since }
    }

    /// One packet arrives per millisecond, and one leaves every `service` ms. Returns the number of drops,
    /// and the delay of the last sent packet.
    fn run(service: u64, until: u64) -> (usize, Duration) {
        let (mut queue, mut drops, mut waited) = (Codel::default(), 0, Duration::ZERO);
        for now in 0..until {
            queue.push(packet(now, ms(now)));
            if now % service == 0
                && let Some(sent) = queue.take(ms(now), &LIMITS, |_| drops += 1)
            {
                waited = ms(now).since(sent.since);
            }
        }
        (drops, waited)
    }

    #[test]
    fn a_link_that_keeps_up_loses_nothing() {
        assert_eq!(run(1, 10_000), (0, Duration::ZERO));
    }

    #[test]
    fn a_standing_queue_is_dropped_from_ever_more_often() {
        let (soon, _) = run(2, 1_000);
        let (later, _) = run(2, 4_000);
        assert!(soon > 10 && later > 6 * soon, "{soon} then {later}");
    }

    #[test]
    fn packets_whose_ends_know_marks_are_marked_as_often_as_others_are_dropped() {
        let mut queues = [0b00, 0b10].map(|ecn| {
            let mut queue = Codel::default();
            let (mut dropped, mut came) = (0, 0);
            for now in 0..4_000 {
                let mut ip = crate::flow::datagram(1, &[0; 900]);
                ip[1] = ecn;
                queue.push(Waiting { id: now, packet: ip, since: ms(now) });
                if now % 2 == 0 {
                    let sent = queue.take(ms(now), &LIMITS, |_| dropped += 1);
                    came += u64::from(sent.is_some_and(|sent| sent.packet[1] == 0b11));
                }
            }
            let marked = queue.take_marked();
            assert_eq!((came, queue.take_marked()), (marked, 0));
            (dropped, marked)
        });
        let [(dropped, 0), (0, marked)] = &mut queues else { panic!("{queues:?}") };
        // Dropping also shortens the queue, so the two numbers are not exactly equal.
        assert!(marked.abs_diff(*dropped) * 5 < *dropped, "{marked} and {dropped}");
    }

    #[test]
    fn nothing_is_dropped_before_an_interval_has_passed() {
        assert_eq!(run(2, 100).0, 0);
        assert!(run(2, 300).0 > 0);
    }

    #[test]
    fn a_single_packet_is_no_queue_however_long_it_waited() {
        let mut queue = Codel::default();
        for now in 0..20 {
            queue.push(packet(now, ms(now * 1_000)));
            let got = queue.take(ms(now * 1_000 + 900), &LIMITS, |gone| panic!("{gone:?}"));
            assert_eq!(got.map(|packet| packet.id), Some(now));
        }
    }

    #[test]
    fn drops_come_at_the_square_root_of_their_number() {
        for (count, us) in [(1, 100_000), (4, 50_000), (100, 10_000)] {
            assert_eq!(later(ms(0), count, &LIMITS), Instant::from_ns(us * 1_000), "{count}");
        }
    }
}
