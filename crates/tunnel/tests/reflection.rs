//! An end without a peer, and an attacker without the key who has all frames of this end only: no
//! session, no packet, and none reported as delivered.

use std::time::Duration;

use airlag_tunnel::codel::Limits;
use airlag_tunnel::endpoint::{Arq, PacketOutcome, Renew};
use airlag_tunnel::{Config, Endpoint, Instant, Lifetime, Protection, fair};
use proptest::prelude::*;

use crate::world::{Draws, PACE};

fn end(draws: &mut Draws, arq: Arq) -> Endpoint {
    let limits = Limits {
        target: Duration::from_millis(15),
        interval: Duration::from_millis(100),
        mtu: 1_400,
    };
    let config = Config {
        protection: Protection::Sealed([3; 32]),
        mtu: 1_400,
        queue: fair::Config { limits, queues: 64, room: 1 << 16 },
        frame: 32,
        arq,
        shared: true,
        pace: PACE,
        lifetime: Lifetime::default(),
    };
    let mut end = Endpoint::new(config, draws.entropy());
    end.greet();
    end
}

/// Actions of the attacker.
#[derive(Clone, Copy, Debug)]
enum Step {
    Offer,
    /// It sends, and receives one of its earlier frames as the response, an empty response, or
    /// none.
    Answered(usize),
    AnsweredEmpty,
    Unanswered,
    /// It receives one of its earlier frames.
    Hears(usize),
    /// It receives all of its latest frames, in this order.
    HearsLast(usize),
    /// It restarts.
    Restart,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        Just(Step::Offer),
        (0..40_usize).prop_map(Step::Answered),
        Just(Step::AnsweredEmpty),
        Just(Step::Unanswered),
        (0..40_usize).prop_map(Step::Hears),
        (0..200_usize).prop_map(Step::Hears),
        (1..6_usize).prop_map(Step::HearsLast),
        Just(Step::Restart),
    ]
}

/// An end, with all frames that it and its predecessors sent.
struct Lone {
    draws: Draws,
    arq: Arq,
    end: Endpoint,
    now: Instant,
    said: Vec<Vec<u8>>,
}

impl Lone {
    fn new(seed: u64, arq: Arq) -> Self {
        let mut draws = Draws(seed);
        let end = end(&mut draws, arq);
        Self { draws, arq, end, now: Instant::from_ns(1), said: Vec::new() }
    }

    fn ago(&self, back: usize) -> Option<Vec<u8>> {
        self.said.len().checked_sub(1 + back).map(|at| self.said[at].clone())
    }

    fn hear(&mut self, frame: &[u8]) {
        self.now = self.now + PACE.frame;
        match self.end.heard(self.now, frame) {
            Renew::No => {}
            Renew::Now | Renew::Behind(_) => {
                let answer = self.end.answer(self.now);
                self.said.push(answer.bytes().to_vec());
            }
        }
    }

    fn burst(&mut self) {
        if let Some(wake) = self.end.wake() {
            self.now = self.now.max(wake);
        }
        if let Some(frames) = self.end.burst(self.now) {
            self.said.extend(frames.iter().map(|frame| frame.bytes().to_vec()));
        }
        self.now = self.now + PACE.answer;
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Offer => drop(self.end.offer(&[7; 100], self.now)),
            Step::Answered(back) => {
                self.burst();
                let answer = self.ago(back);
                self.end.answered(self.now, answer.as_deref());
            }
            Step::AnsweredEmpty => {
                self.burst();
                self.end.answered(self.now, Some(&[]));
            }
            Step::Unanswered => {
                self.burst();
                self.end.answered(self.now, None);
            }
            Step::Hears(back) => {
                self.ago(back).into_iter().for_each(|frame| self.hear(&frame));
            }
            Step::HearsLast(count) => {
                let from = self.said.len().saturating_sub(count);
                self.said[from..].to_vec().iter().for_each(|frame| self.hear(frame));
            }
            Step::Restart => self.end = end(&mut self.draws, self.arq),
        }
    }

    fn is_alone(&mut self) -> bool {
        let confirmed = std::iter::from_fn(|| self.end.outcome())
            .any(|outcome| matches!(outcome, PacketOutcome::Confirmed(_)));
        !self.end.is_up() && self.end.packet().is_none() && !confirmed
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn an_end_has_no_session_with_itself_whatever_of_its_own_it_hears(
        seed: u64,
        laid: bool,
        steps in prop::collection::vec(step(), 1..250),
    ) {
        let mut lone = Lone::new(seed, if laid { Arq::Laid } else { Arq::Asked });
        for step in steps {
            lone.take(step);
            prop_assert!(lone.is_alone());
        }
    }
}

/// The attack on an earlier version of the handshake: each frame is returned at once, as a burst of
/// the other end and as its response.
#[test]
fn a_mirror_is_no_peer() {
    for arq in [Arq::Laid, Arq::Asked] {
        let mut lone = Lone::new(5, arq);
        for _ in 0..10_000 {
            lone.take(Step::Offer);
            lone.take(Step::Answered(0));
            lone.take(Step::HearsLast(3));
            assert!(lone.is_alone());
        }
        assert!(lone.said.len() > 10_000, "it went on trying");
    }
}
