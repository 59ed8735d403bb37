//! Two hundred thousand chunks over each kind of link, in phases with many faults and without any.
//! The assertions of [`links`] hold at every step.

use airlag_sim::Duration;
use airlag_tunnel::Protection;

use crate::links::wire::Faults;
use crate::links::{Pair, packet_time, shapes};

#[test]
fn many_chunks_of_everything_that_can_go_wrong_over_each_sort_of_link() {
    for (name, shape) in shapes() {
        let key = Protection::Sealed([9; 32]);
        let mut pair = Pair::new(2, shape, [key.clone(), key], Faults::default());
        let (mut draws, most) = (pair.time.stream("soak"), packet_time(&shape));
        let mut phases = 0;
        while pair.medium.chunks.get() < 200_000 {
            let mut share = |most: f64| [0.0, most / 10.0, most][draws.below(3) as usize];
            pair.medium.faults.set(Faults {
                loss: share(0.4),
                corruption: share(0.1),
                duplication: share(0.2),
                delay: share(0.2),
                swallowed: share(0.1),
                restart: share(0.002),
            });
            for _ in 0..400 {
                let from = draws.below(2) as usize;
                let len = if draws.chance(0.5) { draws.below(1_500) } else { draws.below(100) };
                pair.offer(from, len as usize);
                pair.pass(Duration::from_ns(draws.below(most.as_ns())));
            }
            pair.calm(most * 4);
            phases += 1;
        }
        let ledgers = pair.ledgers.borrow();
        let [came, confirmed] = [0, 1].map(|what| {
            ledgers.iter().map(|one| [one.came.len(), one.confirmed.len()][what]).sum::<usize>()
        });
        assert!(confirmed > 1_000 && came >= confirmed, "{name}: {came}, {confirmed}");
        let told = format!("{name}: {phases} phases, {came} packets came, {confirmed} confirmed\n");
        std::io::Write::write_all(&mut std::io::stdout(), told.as_bytes()).expect("told");
    }
}
