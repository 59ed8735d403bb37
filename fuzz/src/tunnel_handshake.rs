//! The handshake of a tunnel: two ends that agree on sessions, one that hears both of them and is heard by nobody,
//! and somebody without the key who loses, changes, replays and makes up greetings.

use std::time::Duration;

use airlag_tunnel::handshake::{Event, Handshake, Pair, SessionState};
use airlag_tunnel::wire::{Kind, Parsed};
use airlag_tunnel::{Instant, Pace, Protection};

const PACE: Pace = Pace {
    frame: Duration::from_nanos(164_500),
    answer: Duration::from_micros(302),
    turn: Duration::from_micros(800),
    burst: 24,
};
/// The end that nobody hears.
const ALONE: usize = 2;

/// One end, and its session.
struct End {
    handshake: Handshake,
    keys: Option<Box<Pair>>,
}

fn end(seed: u64) -> End {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let entropy = move |bytes: &mut [u8]| {
        for byte in bytes {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            *byte = (state >> 56) as u8;
        }
    };
    let handshake = Handshake::new(Protection::Sealed([5; 32]), 32, Box::new(entropy));
    End { handshake, keys: None }
}

/// The ends, and all that was said.
struct Ends {
    now: Instant,
    ends: [End; 3],
    said: Vec<Vec<u8>>,
    seeds: u64,
}

impl Ends {
    fn new() -> Self {
        let ends = [1, 2, 3].map(end);
        Self { now: Instant::from_ns(1), ends, said: Vec::new(), seeds: 3 }
    }

    fn hear(&mut self, at: usize, frame: &[u8]) {
        let parsed = Parsed::parse(frame);
        let Some(Kind::Greeting(greeting)) = parsed.map(|parsed| parsed.kind) else { return };
        let end = &mut self.ends[at];
        let session = end.keys.as_ref().map_or(0, |keys| keys.session);
        let standing = SessionState { session, opened: 0 };
        if let Event::Up(keys, _) = end.handshake.take(self.now, &greeting, standing) {
            assert!(at != ALONE, "a session without a peer");
            assert!(keys.session != session, "the same session twice");
            end.keys = Some(keys);
        }
    }

    /// An end sends what is due. The parts whose bit is set come; the end that is alone hears all.
    fn say(&mut self, from: usize, passes: u8) {
        let end = &mut self.ends[from];
        if end.handshake.due().is_none_or(|at| at > self.now) {
            return;
        }
        let frames = end.handshake.burst(self.now, &PACE, PACE.burst);
        for (nth, frame) in frames.iter().enumerate() {
            if from != ALONE {
                self.hear(ALONE, frame.bytes());
                if passes >> (nth % 8) & 1 != 0 {
                    self.hear(1 - from, frame.bytes());
                }
            }
            self.said.push(frame.bytes().to_vec());
        }
    }

    /// Whether both ends are in one session: a report of either would be taken by the other.
    fn is_agreed(&self) -> bool {
        let [Some(one), Some(other), _] = self.ends.each_ref().map(|end| end.keys.as_deref())
        else {
            return false;
        };
        let matches = |from: &Pair, to: &Pair| {
            let (content, tag) = from.send.confirm(*b"fuzzing!");
            to.receive.confirmed(content, tag).is_some()
        };
        one.is_initiator != other.is_initiator && matches(one, other) && matches(other, one)
    }

    fn report(&mut self) {
        if self.is_agreed() {
            self.ends[..ALONE].iter_mut().for_each(|end| end.handshake.settle());
        }
    }
}

/// Bytes as what happens to the ends.
///
/// # Panics
/// If an end has a session without a peer or the same one twice, or if both do not agree on one once nothing is lost
/// any more.
pub fn tunnel_handshake(bytes: &[u8]) {
    let (mut ends, mut rest) = (Ends::new(), bytes);
    while let [what, value, tail @ ..] = rest {
        rest = tail;
        let at = usize::from(what & 3) % 3;
        let recorded = ends.said.len().checked_sub(1 + usize::from(*value));
        match what >> 2 & 7 {
            0 => ends.ends[at].handshake.want(ends.now),
            1 => ends.say(at, *value),
            2 => ends.now = ends.now + Duration::from_micros(u64::from(*value) * 500),
            3 => {
                if let Some(frame) = recorded.map(|nth| ends.said[nth].clone()) {
                    ends.hear(at, &frame);
                }
            }
            4 => {
                // One that was said, with a byte changed.
                if let (Some(nth), [place, by, tail @ ..]) = (recorded, rest) {
                    rest = tail;
                    let mut frame = ends.said[nth].clone();
                    let place = usize::from(*place) % frame.len();
                    frame[place] ^= by;
                    ends.hear(at, &frame);
                }
            }
            5 => {
                let (frame, tail) = rest.split_at(usize::from(*value).min(40).min(rest.len()));
                rest = tail;
                ends.hear(at, frame);
            }
            6 => ends.report(),
            _ => {
                ends.seeds += 1;
                ends.ends[at] = end(ends.seeds);
            }
        }
    }
    // What was made up before has used up how often ends answer: they do so again soon.
    ends.now = ends.now + Duration::from_secs(2);
    for at in 0..ALONE {
        ends.ends[at].handshake.want(ends.now);
    }
    for _ in 0..400 {
        for at in 0..ALONE {
            ends.say(at, u8::MAX);
        }
        ends.report();
        ends.now = ends.now + Duration::from_millis(5);
    }
    assert!(ends.is_agreed(), "two ends that hear each other agree on a session");
}
