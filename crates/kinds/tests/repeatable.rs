//! The same seed gives the same run; a further node or another thread has no effect.

use crate::bench;
use airlag_air::Medium;
use airlag_models::chip::nrf24::{Nrf24, Timing};
use airlag_rig::ends::Bench;
use airlag_rig::programs::triggered::Triggered;
use airlag_sim::{Clock, Duration, Instant, Simulation};
use proptest::prelude::*;

const LOSSY: [(&str, &str); 1] = [("frame_loss", "0.1")];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn the_same_seed_gives_the_same_trace(seed: u64, size in 7_usize..300) {
        let (profile, stimulus) = (bench::profile("nrf24-2m", &LOSSY), bench::every(60, 20));
        let one = bench::bench(&profile, size, &stimulus, seed);
        prop_assert_eq!(&one, &bench::bench(&profile, size, &stimulus, seed));
    }
}

#[test]
fn another_seed_gives_another_run() {
    let (profile, stimulus) = (bench::profile("nrf24-2m", &LOSSY), bench::every(60, 50));
    let runs = [1, 2].map(|seed| bench::bench(&profile, 128, &stimulus, seed).trace);
    assert_ne!(runs[0], runs[1]);
}

#[test]
fn two_benches_in_two_threads_agree_with_one() {
    let work = || bench::bench(&bench::profile("nrf24-2m", &LOSSY), 128, &bench::every(60, 50), 5);
    let alone = work();
    std::thread::scope(|scope| {
        let threads = [scope.spawn(work), scope.spawn(work)];
        for thread in threads {
            assert_eq!(thread.join().expect("it ran"), alone);
        }
    });
}

/// Strobe edges of a bench with or without a third node that receives on the same address.
fn strobes(third: bool) -> Vec<Instant> {
    let profile = bench::profile("nrf24-2m", &LOSSY);
    let bench = Simulation::new(9);
    let air = Medium::new(&bench);
    let program = Triggered::new(&bench, 128);
    let (trigger, strobe) = (program.wires.trigger.clone(), program.wires.strobe.clone());
    let place = Bench::on(&bench, &air);
    profile.bind().and_then(|link| link.start(128, &program, &place)).expect("a bench");
    let _third =
        third.then(|| Nrf24::new(&air, "third", &bench, Clock::exact(), Timing::default()));
    bench.run_until(Instant::START + Duration::from_ms(200)).expect("no livelock");
    strobe.record();
    for _ in 0..100 {
        trigger.set(true);
        bench.run_until(bench.now() + Duration::from_ms(1)).expect("no livelock");
        trigger.set(false);
        bench.run_until(bench.now() + Duration::from_ms(49)).expect("no livelock");
    }
    strobe.take_edges()
}

#[test]
fn a_third_node_shifts_nobodys_draws() {
    let two = strobes(false);
    assert!(two.len() > 150, "{}", two.len());
    assert_eq!(two, strobes(true));
}
