//! Faults of frames: no packet arrives corrupted or twice, each is reported as delivered or
//! dropped, and the link recovers by itself. [`world`] asserts this at every step.

use airlag_tunnel::Protection;
use airlag_tunnel::endpoint::Reason;
use proptest::prelude::*;
use std::time::Duration;

use crate::world::{Draws, Faults, World};

fn run(world: &mut World, draws: &mut Draws, packets: u32) {
    for _ in 0..packets {
        let from = draws.below(2) as usize;
        let len = if draws.chance(0.3) { draws.below(1400) } else { draws.below(120) };
        world.offer(from, len as usize);
        for _ in 0..draws.below(4) {
            world.step();
        }
    }
}

fn protection(sealed: bool) -> Protection {
    if sealed { Protection::Sealed([3; 32]) } else { Protection::Plain }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_interleaving_ends_with_every_packet_there_once_or_told_to_be_dropped(
        seed: u64,
        sealed: bool,
        loss in 0.0..0.6_f64,
        corruption in prop_oneof![Just(0.0), 0.0..0.2_f64],
        duplication in 0.0..0.2_f64,
        delay in 0.0..0.2_f64,
        garbage in prop_oneof![Just(0.0), 0.0..0.3_f64],
        restart in prop_oneof![Just(0.0), 0.0..0.02_f64],
        dead in prop_oneof![Just(0.0), 0.0..0.01_f64],
    ) {
        let faults = Faults { loss, corruption, duplication, delay, garbage, restart, dead };
        let mut world = World::new(seed, protection(sealed), 1500, faults);
        run(&mut world, &mut Draws(!seed), 200);
        let back = world.calm();
        prop_assert!(back < Duration::from_secs(1), "back after {back:?}");
        if restart == 0.0 && corruption == 0.0 && garbage == 0.0 {
            for end in &world.ends {
                prop_assert!(end.dropped.values().all(|&reason| reason != Reason::Restart));
                prop_assert!(end.forgotten.is_empty());
            }
        }
    }
}

/// A frame with the end of one packet and all of the next is truncated between the two: no arrived
/// packet is damaged, and no frame is missing.
#[test]
fn a_packet_that_was_cut_off_behind_another_is_not_confirmed() {
    let faults = Faults {
        loss: 0.309_187_742_696_011_85,
        corruption: 0.150_626_878_845_346_37,
        duplication: 0.157_427_866_106_754_3,
        delay: 0.040_318_175_380_390_876,
        garbage: 0.205_174_310_016_944_44,
        restart: 0.014_553_518_656_825_876,
        dead: 0.0,
    };
    let seed = 10_616_977_385_257_064_937;
    let mut world = World::new(seed, protection(false), 1500, faults);
    run(&mut world, &mut Draws(!seed), 200);
    assert!(world.calm() < Duration::from_secs(1));
}

/// Many consecutive delayed reports do not indicate a restart of the other end.
#[test]
fn late_reports_end_no_session() {
    let faults = Faults {
        loss: 0.061_442_290_908_025_16,
        duplication: 0.171_420_444_857_802_9,
        delay: 0.179_423_868_527_788_9,
        ..Faults::default()
    };
    let seed = 5_835_159_989_352_984_281;
    let mut world = World::new(seed, protection(true), 1500, faults);
    run(&mut world, &mut Draws(!seed), 200);
    assert!(world.calm() < Duration::from_secs(1));
    for end in &world.ends {
        assert!(end.dropped.values().all(|&reason| reason != Reason::Restart));
    }
}

#[test]
fn without_faults_everything_comes_and_nothing_is_sent_twice() {
    let mut world = World::new(1, protection(true), 1500, Faults::default());
    for _ in 0..10 {
        world.offer(0, 1000);
    }
    world.calm();
    let counts = world.ends[0].endpoint.counts();
    assert_eq!(world.ends[1].came.len() as u64, counts.offered);
    assert_eq!(world.ends[0].confirmed, world.ends[1].came);
    assert_eq!(world.ends[0].endpoint.counts().repeated, 0);
}

#[test]
fn an_end_with_another_key_gets_nothing() {
    let mut world = World::new(1, protection(true), 1500, Faults::default());
    let mut stranger = World::new(2, Protection::Sealed([4; 32]), 1500, Faults::default());
    std::mem::swap(&mut world.ends[1], &mut stranger.ends[1]);
    for _ in 0..20 {
        world.offer(0, 100);
        world.step();
    }
    for _ in 0..200 {
        world.step();
    }
    assert!(world.ends.iter().all(|end| !end.endpoint.is_up() && end.came.is_empty()));
}
