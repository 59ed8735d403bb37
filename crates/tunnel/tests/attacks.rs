//! Two ends, and an attacker without the key: frames that are replayed, delayed, modified or forged
//! start no session, end none, and deliver nothing twice. [`world`](crate::world) asserts at every
//! step that each packet arrives intact and once.

use std::time::Duration;

use airlag_tunnel::endpoint::Reason;
use airlag_tunnel::{Instant, Protection};
use proptest::prelude::*;

use crate::attackers::{Flood, Junk, Middle, Record, Sort, sort};
use crate::world::{Attacker, Draws, End, Faults, World};

const KEY: Protection = Protection::Sealed([3; 32]);

fn world(seed: u64) -> World {
    World::new(seed, KEY, 1_500, Faults::default())
}

/// Runs until this instant, with `most` bytes queued in each direction at any time.
fn run(world: &mut World, until: Duration, most: usize) {
    let end = Instant::from_ns(until.as_nanos() as u64);
    while world.now < end {
        for from in [0, 1] {
            if world.ends[from].endpoint.waiting() < most {
                world.offer(from, 1_000);
            }
        }
        world.step();
    }
}

fn sessions(world: &World) -> [u64; 2] {
    world.ends.each_ref().map(|end| end.endpoint.counts().sessions)
}

/// Replays earlier handshake frames, each a number of times, and no current ones.
struct Old {
    record: Record,
    each: Duration,
    next: usize,
    sent: Option<Instant>,
}

impl Attacker for Old {
    fn carry(&mut self, _: Instant, _: usize, frame: &[u8]) -> Vec<Vec<u8>> {
        vec![frame.to_vec()]
    }

    fn send(&mut self, now: Instant) -> Vec<(usize, Vec<u8>)> {
        let record = self.record.borrow();
        let mut at = *self.sent.get_or_insert(now);
        let mut sent = Vec::new();
        while at + self.each <= now && !record.is_empty() {
            at = at + self.each;
            self.next += 1;
            let (from, frame) = &record[self.next % record.len()];
            // To its receiver, and back to its sender.
            sent.extend([(1 - from, frame.clone()), (*from, frame.clone())]);
        }
        self.sent = Some(at);
        sent
    }
}

/// All frames of two ends with this key in a whole session, including its handshake.
fn recorded(seed: u64) -> Record {
    let mut world = world(seed);
    let flood = Flood::new(Junk::Random, 1, 1);
    let record = Record::clone(&flood.record);
    world.attacker = Some(Box::new(flood));
    run(&mut world, Duration::from_millis(400), 3_000);
    assert_eq!(sessions(&world), [1, 1]);
    record
}

#[test]
fn a_recorded_session_takes_none_over_and_ends_none() {
    let record = recorded(1);
    let mut world = world(2);
    let each = Duration::from_micros(500);
    world.attacker = Some(Box::new(Old { record, each, next: 0, sent: None }));
    run(&mut world, Duration::from_secs(20), 3_000);
    assert_eq!(sessions(&world), [1, 1]);
    assert!(world.ends.iter().all(|end| end.dropped.values().all(|&why| why != Reason::Restart)));
    assert!(world.ends.iter().all(|end| end.came.len() > 800), "packets went on");
    world.calm();
}

/// No frame arrives for longer than the timeout of a session, then all frames of a recorded session
/// arrive at once, as for an end that was suspended for a while.
#[test]
fn a_recorded_session_that_comes_at_once_after_a_silence_ends_none() {
    struct Late {
        record: Record,
        silent: [Instant; 2],
    }
    impl Attacker for Late {
        fn carry(&mut self, now: Instant, _: usize, frame: &[u8]) -> Vec<Vec<u8>> {
            let [from, until] = self.silent;
            if from <= now && now < until { Vec::new() } else { vec![frame.to_vec()] }
        }

        fn send(&mut self, now: Instant) -> Vec<(usize, Vec<u8>)> {
            if now < self.silent[1] {
                return Vec::new();
            }
            let all = std::mem::take(&mut *self.record.borrow_mut());
            all.into_iter().map(|(from, frame)| (1 - from, frame)).collect()
        }
    }
    let record = recorded(1);
    let mut world = world(2);
    let silent = [1_000, 1_700].map(|ms| Instant::from_ns(ms * 1_000_000));
    world.attacker = Some(Box::new(Late { record, silent }));
    run(&mut world, Duration::from_secs(5), 3_000);
    assert_eq!(sessions(&world), [1, 1]);
    assert!(world.ends.iter().all(|end| end.came.len() > 100), "packets went on");
    world.calm();
}

#[test]
fn an_end_whose_peer_has_gone_has_no_session_with_a_recorded_one() {
    let record = recorded(1);
    let mut world = world(2);
    // Frames of the second end are lost, and those of its earlier session are replayed.
    struct Alone(Old);
    impl Attacker for Alone {
        fn carry(&mut self, _: Instant, _: usize, _: &[u8]) -> Vec<Vec<u8>> {
            Vec::new()
        }

        fn send(&mut self, now: Instant) -> Vec<(usize, Vec<u8>)> {
            self.0.send(now)
        }
    }
    let old = Old { record, each: Duration::from_micros(200), next: 0, sent: None };
    world.attacker = Some(Box::new(Alone(old)));
    run(&mut world, Duration::from_secs(10), 3_000);
    assert_eq!(sessions(&world), [0, 0]);
    assert!(world.ends.iter().all(|end| end.came.is_empty() && end.confirmed.is_empty()));
}

/// Frames of the current handshake are replayed at every point of it to either end: as many as
/// there are other frames on the channel, before and after each of them.
#[test]
fn each_greeting_repeated_at_any_moment_changes_nothing() {
    struct Echo(Vec<Vec<u8>>, Draws);
    impl Echo {
        fn one(&mut self) -> Option<Vec<u8>> {
            let nth = self.1.below(self.0.len().max(1) as u64) as usize;
            self.0.get(nth).cloned()
        }
    }
    impl Attacker for Echo {
        fn carry(&mut self, _: Instant, _: usize, frame: &[u8]) -> Vec<Vec<u8>> {
            if sort(frame) == Sort::Greeting {
                self.0.push(frame.to_vec());
            }
            let before = self.one();
            before.into_iter().chain([frame.to_vec()]).collect()
        }

        fn send(&mut self, _: Instant) -> Vec<(usize, Vec<u8>)> {
            let to = self.1.below(2) as usize;
            self.one().map(|frame| (to, frame)).into_iter().collect()
        }
    }
    for seed in 0..100 {
        let mut world = world(seed);
        world.attacker = Some(Box::new(Echo(Vec::new(), Draws(seed))));
        run(&mut world, Duration::from_secs(2), 3_000);
        // If both ends begin and replayed frames delay them, there may be a second session, which
        // loses nothing.
        let [one, other] = sessions(&world);
        assert!(one == other && (1..=2).contains(&one), "seed {seed}: {one} and {other}");
        assert!(world.ends.iter().all(|end| end.came.len() > 50), "seed {seed}");
        let is_lost = |end: &End| end.dropped.values().any(|&why| why == Reason::Restart);
        assert!(!world.ends.iter().any(is_lost), "seed {seed}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn whatever_a_man_in_the_middle_does_every_packet_comes_once_and_the_link_comes_back(
        seed: u64,
        passes in 0.3..1.0_f64,
        restarts in 0..4_u32,
    ) {
        let mut world = world(seed);
        world.attacker = Some(Box::new(Middle::new(!seed, passes)));
        let mut draws = Draws(seed ^ 7);
        for part in 0..=restarts {
            if part > 0 {
                world.restart(draws.below(2) as usize);
            }
            let until = Duration::from_nanos(world.now.as_ns()) + Duration::from_millis(300);
            run(&mut world, until, 3_000);
        }
        let back = world.calm();
        prop_assert!(back < Duration::from_secs(1), "back after {back:?}");
    }
}

#[test]
fn ends_with_different_keys_have_no_session_however_many_greetings_there_are() {
    let mut world = world(1);
    let mut stranger = World::new(2, Protection::Sealed([4; 32]), 1_500, Faults::default());
    std::mem::swap(&mut world.ends[1], &mut stranger.ends[1]);
    world.attacker = Some(Box::new(Flood::new(Junk::OldGreeting, 10_000, 1)));
    run(&mut world, Duration::from_secs(5), 3_000);
    assert_eq!(sessions(&world), [0, 0]);
    assert!(world.ends.iter().all(|end| end.came.is_empty() && end.confirmed.is_empty()));
}

/// If both ends have the same random numbers, there is no session, rather than one without secrecy.
#[test]
fn ends_with_the_same_random_numbers_have_no_session() {
    let mut worlds = [world(1), world(1)];
    // The first ends of both worlds have drawn the same numbers.
    let [one, other] = &mut worlds;
    std::mem::swap(&mut one.ends[1], &mut other.ends[0]);
    run(one, Duration::from_secs(1), 3_000);
    assert_eq!(sessions(one), [0, 0]);
    assert!(one.ends.iter().all(|end| end.came.is_empty()));
}

#[test]
fn a_session_comes_up_within_a_second_under_a_flood_of_greetings() {
    for junk in [Junk::Greeting, Junk::Random, Junk::Report, Junk::Data] {
        let mut world = world(3);
        world.attacker = Some(Box::new(Flood::new(junk, 10_000, 1)));
        run(&mut world, Duration::from_secs(1), 3_000);
        assert_eq!(sessions(&world), [1, 1], "{junk:?}");
    }
}

#[test]
fn a_session_lives_through_ten_thousand_greetings_a_second() {
    for junk in [Junk::Greeting, Junk::OldGreeting] {
        let mut world = world(3);
        run(&mut world, Duration::from_millis(200), 3_000);
        world.attacker = Some(Box::new(Flood::new(junk, 10_000, 1)));
        run(&mut world, Duration::from_secs(10), 3_000);
        assert_eq!(sessions(&world), [1, 1], "{junk:?}");
        let came = world.ends.each_ref().map(|end| end.came.len());
        assert!(came.iter().all(|&came| came > 400), "{junk:?}: {came:?}");
    }
}

/// A Raspberry Pi starts with an arbitrary time, so freshness must not depend on the clock of an
/// end.
#[test]
fn an_end_whose_clock_is_set_back_is_found_again() {
    let mut world = world(4);
    world.clocks = [Duration::from_secs(1_000_000), Duration::from_secs(5)];
    run(&mut world, Duration::from_secs(1), 3_000);
    assert_eq!(sessions(&world), [1, 1]);
    world.clocks[0] = Duration::ZERO;
    world.restart(0);
    let before = world.ends[0].came.len();
    let until = Duration::from_nanos(world.now.as_ns()) + Duration::from_secs(1);
    run(&mut world, until, 3_000);
    assert_eq!(sessions(&world), [1, 2]);
    assert!(world.ends[0].came.len() > before + 20);
}
