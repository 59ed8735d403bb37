//! Over any link: no packet arrives corrupted, twice, or at an end with another key, each is
//! reported as delivered or dropped, and the link recovers by itself. [`links`] asserts this at
//! every arrival.

use airlag_sim::Duration;
use airlag_tunnel::Protection;
use airlag_tunnel::endpoint::Reason;
use proptest::prelude::*;

use crate::links::wire::{Faults, Shape};
use crate::links::{Pair, packet_time, shapes};

const KEY: Protection = Protection::Sealed([3; 32]);

fn run(pair: &mut Pair, shape: &Shape, packets: u64) {
    let mut draws = pair.time.stream("offers");
    let most = packet_time(shape);
    for _ in 0..packets {
        let from = draws.below(2) as usize;
        let len = if draws.chance(0.3) { draws.below(1_400) } else { draws.below(120) };
        pair.offer(from, len as usize);
        pair.pass(Duration::from_ns(draws.below(most.as_ns())));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn over_any_link_every_packet_comes_once_or_is_told_to_be_dropped(
        seed: u64,
        nth in 0..7_usize,
        loss in prop_oneof![Just(0.0), 0.0..0.4_f64],
        corruption in prop_oneof![Just(0.0), 0.0..0.1_f64],
        duplication in prop_oneof![Just(0.0), 0.0..0.2_f64],
        delay in prop_oneof![Just(0.0), 0.0..0.2_f64],
        swallowed in prop_oneof![Just(0.0), 0.0..0.1_f64],
        restart in prop_oneof![Just(0.0), 0.0..0.01_f64],
    ) {
        let faults = Faults { loss, corruption, duplication, delay, swallowed, restart };
        let (_, shape) = shapes()[nth];
        let mut pair = Pair::new(seed, shape, [KEY, KEY], faults);
        run(&mut pair, &shape, 60);
        pair.calm(packet_time(&shape) * 4);
        if restart == 0.0 && corruption == 0.0 {
            for ledger in pair.ledgers.borrow().iter() {
                prop_assert!(ledger.dropped.values().all(|&reason| reason != Reason::Restart));
                prop_assert!(ledger.forgotten.is_empty());
            }
        }
    }
}

#[test]
fn without_faults_everything_comes_over_any_link_and_nothing_is_sent_twice() {
    for (name, shape) in shapes() {
        let mut pair = Pair::new(1, shape, [KEY, KEY], Faults::default());
        for _ in 0..20 {
            pair.offer(0, 1_000);
            pair.pass(packet_time(&shape));
        }
        pair.pass(packet_time(&shape) * 40);
        let ledgers = pair.ledgers.borrow();
        let counts = pair.ends.each_ref().map(|end| end.endpoint.borrow().counts());
        assert_eq!(ledgers[1].came.len(), 20, "{name}: {counts:?}");
        assert_eq!(ledgers[0].confirmed, ledgers[1].came, "{name}");
        let counts = pair.ends[0].endpoint.borrow().counts();
        assert_eq!(counts.repeated, 0, "{name}: {counts:?}");
    }
}

#[test]
fn where_the_link_confirms_frames_answers_are_few() {
    let (_, shape) = shapes()[3];
    let mut pair = Pair::new(1, shape, [KEY, KEY], Faults::default());
    for _ in 0..20 {
        pair.offer(0, 1_400);
    }
    pair.pass(packet_time(&shape) * 60);
    let counts = pair.ends[0].endpoint.borrow().counts();
    let answers = pair.medium.chunks.get() - counts.frames;
    assert!(counts.frames > 200 && answers < counts.frames / 8, "{answers}: {counts:?}");
}

#[test]
fn an_end_with_another_key_gets_nothing_over_any_link() {
    for (name, shape) in shapes() {
        let keys = [KEY, Protection::Sealed([4; 32])];
        let mut pair = Pair::new(1, shape, keys, Faults::default());
        run(&mut pair, &shape, 30);
        let ledgers = pair.ledgers.borrow();
        assert!(ledgers.iter().all(|ledger| ledger.came.is_empty()), "{name}");
        assert!(pair.ends.iter().all(|end| !end.endpoint.borrow().is_up()), "{name}");
    }
}
