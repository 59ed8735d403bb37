//! Millions of frames with faults drawn from one seed: a different mixture in each phase, and
//! phases without faults between them. The assertions of [`world`] hold at every step.

use std::time::Duration;

use airlag_tunnel::Protection;

use crate::world::{Draws, Faults, World};

/// A mixture of faults: each absent, mild or severe.
fn mixture(draws: &mut Draws) -> Faults {
    let mut share = |most: f64| match draws.below(3) {
        0 => 0.0,
        1 => most / 10.0,
        _ => most,
    };
    Faults {
        loss: share(0.4),
        corruption: share(0.1),
        duplication: share(0.1),
        delay: share(0.1),
        garbage: share(0.5),
        restart: share(0.002),
        dead: share(0.001),
    }
}

#[test]
fn ten_million_frames_of_everything_that_can_go_wrong() {
    let mut draws = Draws(2);
    let key = Protection::Sealed([9; 32]);
    let mut world = World::new(draws.bits(), key, 1500, Faults::default());
    let (mut phases, mut slowest) = (0, Duration::ZERO);
    while world.frames < 10_000_000 {
        world.faults = mixture(&mut draws);
        let full = draws.chance(0.5);
        for _ in 0..2_000 {
            for from in [0, 1] {
                if draws.chance(if full { 0.6 } else { 0.1 }) {
                    let len = if draws.chance(0.5) { draws.below(1_500) } else { draws.below(100) };
                    world.offer(from, len as usize);
                }
            }
            world.step();
        }
        slowest = slowest.max(world.calm());
        assert!(slowest < Duration::from_secs(1), "back after {slowest:?} in phase {phases}");
        phases += 1;
    }
    let counts = world.ends.each_ref().map(|end| end.endpoint.counts());
    assert!(counts.iter().all(|counts| counts.offered > 0 && counts.received > 0));
    let came: usize = world.ends.iter().map(|end| end.came.len()).sum();
    assert!(came > 1_000, "{came}");
    let told =
        format!("{} frames, {phases} phases, {came} packets, back after {slowest:?}", world.frames);
    std::io::Write::write_all(&mut std::io::stdout(), format!("{told}\n").as_bytes())
        .expect("told");
}
