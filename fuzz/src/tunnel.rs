//! What a tunnel hears: anything at all, between frames of its own.

use std::time::Duration;

use airlag_tunnel::codel::Limits;
use airlag_tunnel::endpoint::{Arq, Renew};
use airlag_tunnel::wire::Frame;
use airlag_tunnel::{Config, Endpoint, Instant, Lifetime, Pace, Protection, fair};

const MTU: usize = 1_500;

fn end(mut random: u64, protection: Protection) -> Endpoint {
    let limits = Limits {
        target: Duration::from_millis(15),
        interval: Duration::from_millis(100),
        mtu: MTU,
    };
    let pace = Pace {
        frame: Duration::from_nanos(164_500),
        answer: Duration::from_micros(302),
        turn: Duration::from_micros(800),
        burst: 24,
    };
    let queue = fair::Config { limits, queues: 16, room: 1 << 15 };
    let lifetime = Lifetime::default();
    let (frame, arq, shared) = (32, Arq::Laid, true);
    let config = Config { protection, mtu: MTU, queue, frame, arq, shared, pace, lifetime };
    Endpoint::new(config, move |bytes| {
        for byte in bytes {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            *byte = (random >> 56) as u8;
        }
    })
}

/// Two ends, and a channel on which somebody else sends.
struct Pair {
    now: Instant,
    ends: [Endpoint; 2],
    ready: [Option<Frame>; 2],
    sent: [Vec<Vec<u8>>; 2],
    came: [usize; 2],
}

impl Pair {
    fn new(protection: &Protection) -> Self {
        let ends = [1, 1 << 40].map(|random| end(random, protection.clone()));
        let (ready, sent) = ([None; 2], [Vec::new(), Vec::new()]);
        Self { now: Instant::from_ns(1), ends, ready, sent, came: [0; 2] }
    }

    fn offer(&mut self, from: usize, len: usize) {
        let number = self.sent[from].len() as u8;
        let mut packet: Vec<u8> = (0..len.clamp(1, MTU)).map(|at| at as u8 ^ number).collect();
        // Not of IP: all of one flow, hence in order.
        packet[0] = 0;
        self.ends[from].offer(&packet, self.now).expect("short enough");
        self.sent[from].push(packet);
    }

    /// What came was sent, and in that order: none of it twice.
    fn look(&mut self, at: usize) {
        while let Some(packet) = self.ends[at].packet() {
            let rest = &self.sent[1 - at][self.came[at]..];
            let nth = rest.iter().position(|sent| *sent == packet);
            self.came[at] += nth.expect("a packet that was sent, in its turn") + 1;
        }
        while self.ends[at].outcome().is_some() {}
    }

    fn hear(&mut self, at: usize, frame: &[u8]) {
        match self.ends[at].heard(self.now, frame) {
            Renew::Now => self.ready[at] = Some(self.ends[at].answer(self.now)),
            Renew::No | Renew::Behind(_) => {}
        }
        self.look(at);
    }

    /// A burst of one end; in place of frame `damaged`, if it has so many, something else is heard.
    fn burst(&mut self, from: usize, damaged: Option<(usize, &[u8])>) {
        let Some(wake) = self.ends[from].wake() else { return };
        let to = 1 - from;
        self.now = self.now.max(wake);
        if self.ready[to].is_none() {
            self.ready[to] = Some(self.ends[to].answer(self.now));
        }
        self.ready[from] = None;
        let frames = self.ends[from].burst(self.now).expect("it is time").to_vec();
        for (nth, frame) in frames.iter().enumerate() {
            self.now = self.now + Duration::from_micros(165);
            let other = damaged.and_then(|(at, bytes)| (at == nth).then_some(bytes));
            self.hear(to, other.unwrap_or(frame.bytes()));
        }
        let answer = self.ready[to].take();
        self.now = self.now + Duration::from_micros(302);
        let answer = answer.as_ref().map(Frame::bytes);
        self.ends[from].answered(self.now, answer);
        self.look(from);
    }
}

/// Bytes as what happens to a pair: packets, bursts, and frames that nobody of the two sent. The first byte
/// says whether packets are sealed.
///
/// # Panics
/// If a packet comes that was not sent, or one that was does not come afterwards.
pub fn tunnel(bytes: &[u8]) {
    let Some((&first, mut rest)) = bytes.split_first() else { return };
    let protection =
        if first & 1 == 0 { Protection::Plain } else { Protection::Sealed([first; 32]) };
    let mut pair = Pair::new(&protection);
    while let [what, value, tail @ ..] = rest {
        rest = tail;
        let at = usize::from(what & 1);
        match what >> 1 & 7 {
            0 => pair.offer(at, usize::from(*value) * 6),
            1 => pair.burst(at, None),
            kind => {
                let len = usize::from(*value).min(40).min(rest.len());
                let (frame, tail) = rest.split_at(len);
                rest = tail;
                match kind {
                    2 => pair.burst(at, Some((usize::from(what >> 4), frame))),
                    3 => pair.ends[at].answered(pair.now, Some(frame)),
                    4 => pair.ends[at].answered(pair.now, None),
                    _ => pair.hear(at, frame),
                }
                pair.look(at);
            }
        }
    }
    // Left alone, both ways open again: a flood is over a second after it ends.
    for from in [0, 1] {
        let came = pair.came[1 - from];
        for _ in 0..400 {
            if pair.came[1 - from] > came {
                break;
            }
            if pair.ends[from].waiting() == 0 {
                pair.offer(from, 40);
            }
            pair.burst(from, None);
            pair.burst(1 - from, None);
        }
        assert!(pair.came[1 - from] > came, "nothing comes any more from {from}");
    }
}
