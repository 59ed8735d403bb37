//! Millions of frames from an attacker without the key, with a different attack in each phase,
//! while ends restart and sessions are renewed. The assertions of [`world`](crate::world) hold at
//! every step: no packet arrives that was not sent, and none twice.

use std::time::Duration;

use airlag_tunnel::{Instant, Lifetime, Protection};

use crate::attackers::{Flood, Junk, Middle};
use crate::world::{Attacker, Draws, Faults, World};

const SORTS: [Junk; 7] = [
    Junk::Random,
    Junk::Data,
    Junk::Changed,
    Junk::Repeated,
    Junk::Report,
    Junk::Greeting,
    Junk::OldGreeting,
];

fn attacker(draws: &mut Draws) -> Box<dyn Attacker> {
    let seed = draws.bits();
    if draws.chance(0.3) {
        return Box::new(Middle::new(seed, 0.5 + draws.below(50) as f64 / 100.0));
    }
    let junk = SORTS[draws.below(SORTS.len() as u64) as usize];
    let a_second = [1_000, 3_000, 10_000][draws.below(3) as usize];
    Box::new(Flood::new(junk, a_second, seed))
}

/// Attacks until `frames` frames were sent. Returns the number of packets that arrived.
fn attack(seed: u64, frames: u64) -> usize {
    let mut draws = Draws(seed);
    let renew = Duration::from_secs(3);
    let lifetime = Lifetime { renew, end: renew * 2, packets: 1_000 };
    let key = Protection::Sealed([5; 32]);
    let mut world = World::living(draws.bits(), key, 1_500, Faults::default(), lifetime);
    let (mut slowest, mut phases) = (Duration::ZERO, 0);
    while world.frames < frames {
        world.attacker = Some(attacker(&mut draws));
        let end = world.now + Duration::from_secs(2);
        while world.now < end {
            for from in [0, 1] {
                if world.ends[from].endpoint.waiting() < 2_000 && draws.chance(0.7) {
                    world.offer(from, draws.below(1_500) as usize);
                }
            }
            if draws.chance(0.001) {
                world.restart(draws.below(2) as usize);
            }
            if !world.step() {
                world.now = world.now + Duration::from_millis(1);
            }
        }
        slowest = slowest.max(world.calm());
        phases += 1;
        assert!(slowest < Duration::from_secs(1), "back after {slowest:?} in phase {phases}");
    }
    let came = world.ends.iter().map(|end| end.came.len()).sum();
    let (frames, now) = (world.frames, world.now.since(Instant::default()).as_secs());
    let told = format!(
        "{frames} frames in {now} s, {phases} phases, {came} packets, back after {slowest:?}\n"
    );
    std::io::Write::write_all(&mut std::io::stdout(), told.as_bytes()).expect("told");
    came
}

#[test]
fn half_a_million_frames_of_somebody_without_the_key_deliver_nothing_of_his() {
    assert!(attack(1, 500_000) > 5_000);
}

#[test]
#[ignore = "needs minutes"]
fn ten_million_frames_of_somebody_without_the_key_deliver_nothing_of_his() {
    assert!(attack(2, 10_000_000) > 100_000);
}
