//! Two ends that exchange greetings: unit tests, and properties over any order of events.

use alloc::boxed::Box;
use core::time::Duration;
use std::vec;
use std::vec::Vec;

use proptest::prelude::*;

use super::*;
use crate::wire::{Kind, Parsed};

const KEY: Protection = Protection::Sealed([1; 32]);
const PACE: Pace = Pace {
    frame: Duration::from_nanos(164_500),
    answer: Duration::from_micros(302),
    turn: Duration::from_micros(800),
    burst: 24,
};

fn entropy(seed: u64) -> Entropy {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    Box::new(move |bytes| {
        for byte in bytes {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            *byte = (state >> 56) as u8;
        }
    })
}

/// An end with its sessions.
struct End {
    handshake: Handshake,
    sessions: Vec<(u32, SessionState)>,
    keys: Option<Box<Pair>>,
    standing: SessionState,
}

impl End {
    fn new(key: Protection, seed: u64) -> Self {
        let handshake = Handshake::new(key, 32, entropy(seed));
        Self { handshake, sessions: vec![], keys: None, standing: SessionState::default() }
    }

    fn hear(&mut self, now: Instant, frame: &Frame) -> bool {
        let Some(Kind::Greeting(greeting)) = Parsed::parse(frame.bytes()).map(|one| one.kind)
        else {
            panic!("no greeting: {frame:?}")
        };
        match self.handshake.take(now, &greeting, self.standing) {
            Event::Ignored => return false,
            Event::Up(pair, theirs) => {
                self.standing = SessionState { session: pair.session, opened: 7 };
                self.sessions.push((pair.session, theirs));
                self.keys = Some(pair);
            }
            Event::Heard | Event::Agreed | Event::Again => {}
        }
        true
    }
}

struct Two {
    now: Instant,
    ends: [End; 2],
    said: Vec<Frame>,
}

impl Two {
    fn new() -> Self {
        Self { now: Instant::from_ns(1), ends: [End::new(KEY, 1), End::new(KEY, 2)], said: vec![] }
    }

    /// One end sends its due greetings. The other end receives those for which `passes` is true.
    fn say(&mut self, from: usize, passes: impl Fn(usize) -> bool) {
        let due = self.ends[from].handshake.due();
        if due.is_none_or(|at| at > self.now) {
            return;
        }
        let frames = self.ends[from].handshake.burst(self.now, &PACE, 24);
        for (_, frame) in frames.iter().enumerate().filter(|&(nth, _)| passes(nth)) {
            self.ends[1 - from].hear(self.now, frame);
        }
        self.said.extend(frames);
    }

    fn pass(&mut self, time: Duration) {
        self.now = self.now + time;
    }

    /// Exchanges greetings until neither end has any left.
    fn settle(&mut self) {
        for _ in 0..200 {
            self.say(0, |_| true);
            self.say(1, |_| true);
            self.pass(Duration::from_millis(5));
            self.report();
        }
    }

    /// Both ends exchange a report, which is accepted if they are in the same session.
    fn report(&mut self) {
        if self.is_agreed() {
            self.ends.iter_mut().for_each(|end| end.handshake.settle());
        }
    }

    /// Whether both ends have the same last session, with opposite roles and matching keys.
    fn is_agreed(&self) -> bool {
        let [Some(one), Some(other)] = self.ends.each_ref().map(|end| end.keys.as_deref()) else {
            return false;
        };
        let matches = |from: &Pair, to: &Pair| {
            let (content, tag) = from.send.confirm(*b"12345678");
            to.receive.confirmed(content, tag).is_some()
        };
        one.session == other.session
            && one.is_initiator != other.is_initiator
            && matches(one, other)
            && matches(other, one)
    }
}

#[test]
fn an_end_that_wants_a_session_gets_one_with_its_peer() {
    let mut two = Two::new();
    two.ends[0].handshake.want(two.now);
    two.settle();
    assert!(two.is_agreed());
    assert!(two.ends.iter().all(|end| end.sessions.len() == 1));
    assert!(two.ends.iter().all(|end| end.handshake.due().is_none()), "nothing is due");
    // The greetings are two hellos, the first and second message and two confirmations, with at
    // most 32 bytes each.
    assert!(two.said.len() <= 10, "{} frames", two.said.len());
}

#[test]
fn ends_that_both_want_a_session_get_the_same_one() {
    for seed in 0..50 {
        let mut two = Two::new();
        two.ends = [End::new(KEY, seed), End::new(KEY, seed + 100)];
        two.ends.iter_mut().for_each(|end| end.handshake.want(Instant::default()));
        two.settle();
        assert!(two.is_agreed(), "seed {seed}");
    }
}

#[test]
fn a_renewed_session_reports_what_came_in_the_one_before() {
    let mut two = Two::new();
    two.ends[0].handshake.want(two.now);
    two.settle();
    let first = two.ends[0].sessions[0];
    assert_eq!(first.1, SessionState::default());
    two.ends[1].handshake.want(two.now);
    two.settle();
    assert!(two.is_agreed());
    for end in &two.ends {
        assert_eq!(end.sessions[1].1, SessionState { session: first.0, opened: 7 });
        assert_ne!(end.sessions[1].0, first.0);
    }
}

#[test]
fn recorded_greetings_bring_up_no_session_and_replace_none() {
    let mut two = Two::new();
    two.ends[0].handshake.want(two.now);
    two.settle();
    let recorded = two.said.clone();
    let sessions = two.ends.each_ref().map(|end| end.sessions.clone());
    let mut stranger = End::new(KEY, 9);
    for _ in 0..50 {
        for frame in &recorded {
            two.pass(Duration::from_millis(1));
            for end in &mut two.ends {
                end.hear(two.now, frame);
                end.handshake.burst(two.now, &PACE, 24);
            }
            stranger.hear(two.now, frame);
            stranger.handshake.burst(two.now, &PACE, 24);
        }
    }
    assert_eq!(two.ends.each_ref().map(|end| end.sessions.clone()), sessions);
    assert!(stranger.sessions.is_empty());
}

#[test]
fn a_greeting_without_the_key_is_ignored() {
    for key in [Protection::Sealed([2; 32]), Protection::Plain] {
        let (mut stranger, mut end) = (End::new(key, 9), End::new(KEY, 1));
        stranger.handshake.want(Instant::default());
        for frame in stranger.handshake.burst(Instant::from_ns(1), &PACE, 24) {
            assert!(!end.hear(Instant::from_ns(1), &frame));
            assert!(end.handshake.due().is_none());
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Want(usize),
    /// An end sends. Parts whose bit is set are received.
    Say(usize, u8),
    Replay(usize, usize),
    /// Time passes, microseconds.
    Pass(u32),
    Restart(usize),
    Report,
}

fn step() -> impl Strategy<Value = Step> {
    let end = 0..2_usize;
    prop_oneof![
        1 => end.clone().prop_map(Step::Want),
        6 => (end.clone(), any::<u8>()).prop_map(|(at, heard)| Step::Say(at, heard)),
        3 => (end.clone(), 0..100_usize).prop_map(|(at, back)| Step::Replay(at, back)),
        3 => (0..100_000_u32).prop_map(Step::Pass),
        1 => end.prop_map(Step::Restart),
        1 => Just(Step::Report),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// With any losses, replays and restarts, a session that comes up at an end was answered by a
    /// current handshake of the other end, no end has the same session twice, and finally both ends
    /// have the same session.
    #[test]
    fn any_order_of_events_leads_to_one_session(steps in prop::collection::vec(step(), 1..200)) {
        let mut two = Two::new();
        let mut seeds = 100;
        for step in steps {
            match step {
                Step::Want(at) => two.ends[at].handshake.want(two.now),
                Step::Say(from, heard) => two.say(from, |nth| heard >> (nth % 8) & 1 != 0),
                Step::Replay(to, back) => {
                    let at = two.said.len().checked_sub(1 + back);
                    if let Some(frame) = at.map(|at| two.said[at]) {
                        two.ends[to].hear(two.now, &frame);
                    }
                }
                Step::Pass(us) => two.pass(Duration::from_micros(us.into())),
                Step::Restart(at) => {
                    seeds += 1;
                    two.ends[at] = End::new(KEY, seeds);
                }
                Step::Report => two.report(),
            }
            for end in &two.ends {
                let mut numbers: Vec<_> = end.sessions.iter().map(|&(number, _)| number).collect();
                numbers.sort_unstable();
                prop_assert!(numbers.windows(2).all(|pair| pair[0] != pair[1]));
            }
        }
        two.pass(Duration::from_secs(2));
        two.ends.iter_mut().for_each(|end| end.handshake.want(two.now));
        two.settle();
        prop_assert!(two.is_agreed());
    }
}
