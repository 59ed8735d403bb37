//! A session is renewed while packets are in flight: none is lost because of it, and none arrives
//! twice.

use std::time::Duration;

use airlag_tunnel::endpoint::Reason;
use airlag_tunnel::{Instant, Lifetime, Protection};
use proptest::prelude::*;

use crate::world::{Draws, Faults, World};

const KEY: Protection = Protection::Sealed([3; 32]);

fn short(renew_ms: u64) -> Lifetime {
    let (renew, end) = (Duration::from_millis(renew_ms), Duration::from_millis(renew_ms * 3 / 2));
    Lifetime { renew, end, packets: u64::MAX }
}

fn run(world: &mut World, until: Duration, from: &[usize]) {
    let end = Instant::from_ns(until.as_nanos() as u64);
    while world.now < end {
        for &from in from {
            if world.ends[from].endpoint.waiting() < 3_000 {
                world.offer(from, 1_000);
            }
        }
        world.step();
    }
}

fn is_nothing_lost(world: &World) -> bool {
    world.ends.iter().all(|end| end.dropped.values().all(|&why| why != Reason::Restart))
}

#[test]
fn renewed_each_second_a_full_link_loses_nothing_and_hardly_any_time() {
    for from in [&[0][..], &[1], &[0, 1]] {
        let came = |lifetime| {
            let mut world = World::living(5, KEY, 1_500, Faults::default(), lifetime);
            run(&mut world, Duration::from_secs(20), from);
            world.calm();
            assert!(is_nothing_lost(&world));
            let sessions = world.ends[0].endpoint.counts().sessions;
            (world.ends.iter().map(|end| end.came.len()).sum::<usize>(), sessions)
        };
        let ((whole, once), (left, often)) = (came(Lifetime::default()), came(short(1_000)));
        assert_eq!(once, 1);
        assert!((16..=21).contains(&often), "{often} sessions");
        // 30 ms each.
        assert!(left * 100 >= whole * 97, "{left} of {whole}");
    }
}

#[test]
fn a_session_is_renewed_after_so_many_packets() {
    let lifetime = Lifetime { packets: 100, ..Lifetime::default() };
    let mut world = World::living(6, KEY, 1_500, Faults::default(), lifetime);
    run(&mut world, Duration::from_secs(10), &[0]);
    let (sessions, came) =
        (world.ends[0].endpoint.counts().sessions, world.ends[1].came.len() as u64);
    assert!((came / 120..=came / 100 + 1).contains(&sessions), "{sessions} for {came}");
    assert!(is_nothing_lost(&world));
}

#[test]
fn a_session_that_is_too_old_carries_nothing_until_it_is_renewed() {
    let mut world = World::living(7, KEY, 1_500, Faults::default(), short(1_000));
    run(&mut world, Duration::from_millis(500), &[0]);
    world.calm();
    // A packet after a long silence.
    world.now = world.now + Duration::from_secs(100);
    world.calm();
    assert_eq!(world.ends[0].endpoint.counts().sessions, 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn whatever_becomes_of_frames_while_it_is_renewed_nothing_is_lost(
        seed: u64,
        loss in 0.0..0.5_f64,
        duplication in 0.0..0.2_f64,
        delay in 0.0..0.2_f64,
        renew_ms in 50..400_u64,
    ) {
        let faults = Faults { loss, duplication, delay, ..Faults::default() };
        let mut world = World::living(seed, KEY, 1_500, faults, short(renew_ms));
        let mut draws = Draws(!seed);
        for _ in 0..8 {
            let from: &[usize] = [&[0][..], &[1], &[0, 1]][draws.below(3) as usize];
            let until = Duration::from_nanos(world.now.as_ns()) + Duration::from_millis(200);
            run(&mut world, until, from);
        }
        let back = world.calm();
        prop_assert!(back < Duration::from_secs(1), "back after {back:?}");
    }
}
