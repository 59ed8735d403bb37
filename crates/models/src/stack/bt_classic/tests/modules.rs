//! Two modules: times and destinations of bytes.

use super::*;

fn module_timing() -> ModuleTiming {
    ModuleTiming {
        baud: 460_800,
        input_buffer: 1_024,
        block: 64,
        handover: Duration::from_ms(10),
        notice: Duration::from_us(50),
        missed: 0.0,
        look: Duration::ZERO,
        rearm: Duration::from_ms(1),
        burst: 252,
    }
}

/// Two modules; bytes enter at one and leave on the wire of the other.
struct Modules {
    bench: Bench,
    near: Module,
    input: Wire,
    output: Wire,
}

fn modules(config: Config, window: Window, timing: ModuleTiming) -> Modules {
    let mut bench = bench(config);
    let [near, far] = channels(&mut bench, window, HOSTS);
    let wires: [Wire; 4] = std::array::from_fn(|_| Wire::new(&bench.sim));
    let [input, unused, silent, output] = &wires;
    let start = |name, wires, end| {
        let incident = counting(&bench.incidents);
        Module::start(&bench.sim, name, Clock::exact(), wires, end, timing, incident)
    };
    let near = start("near", (input, unused), near);
    start("far", (silent, output), far);
    Modules { near, input: input.clone(), output: output.clone(), bench }
}

impl Modules {
    /// Puts `count` bytes on the wire, back to back from `at_us`, `byte_us` each.
    fn write(&self, at_us: u64, count: usize, byte_us: u64) {
        for nth in 0..count as u64 {
            let at = |nth| Instant::from_ns((at_us + nth * byte_us) * 1_000);
            self.input.put(Character { value: nth as u8, begin: at(nth), end: at(nth + 1) });
        }
        self.input.announce();
    }

    /// Output bursts: start of each, us, and number of bytes.
    fn bursts(&self) -> Vec<(u64, usize)> {
        let mut bursts: Vec<(u64, usize)> = Vec::new();
        let mut free = Instant::START;
        while let Some(next) = self.output.take() {
            match bursts.last_mut() {
                Some(last) if next.begin == free => last.1 += 1,
                _ => bursts.push((next.begin.as_ns() / 1_000, 1)),
            }
            free = next.end;
        }
        bursts
    }

    fn conserves(&self) -> InputCount {
        let count = self.near.input();
        assert_eq!(count.received, count.handed_over + count.lost + count.held);
        count
    }
}

#[test]
fn the_first_bytes_leave_at_once_and_a_rest_waits_for_the_timer() {
    let modules = modules(config(), WINDOW, module_timing());
    modules.write(0, 12, 20);
    modules.bench.run_ms(100);
    let bursts = modules.bursts();
    // After 20 us of the first byte and 50 us until its detection, three bytes have arrived.
    assert_eq!(bursts.iter().map(|burst| burst.1).collect::<Vec<_>>(), [3, 9]);
    let apart = bursts[1].0 - bursts[0].0;
    assert!((10_000..=11_250).contains(&apart), "one timer, in whole pairs of slots: {apart}");
}

#[test]
fn a_full_block_does_not_wait_for_the_timer() {
    let modules = modules(config(), WINDOW, module_timing());
    modules.write(0, 3 + 64, 20);
    modules.bench.run_ms(100);
    let bursts = modules.bursts();
    assert_eq!(bursts.iter().map(|burst| burst.1).sum::<usize>(), 67);
    assert!(bursts.last().expect("bursts").0 < 13_000, "{bursts:?}");
}

#[test]
fn bytes_pile_up_into_full_frames_while_the_window_is_closed() {
    let modules = modules(config(), Window { frames: 1, ..WINDOW }, module_timing());
    modules.write(0, 3 + 126 + 126, 20);
    modules.bench.run_ms(500);
    let sizes: Vec<usize> = modules.bursts().iter().map(|burst| burst.1).collect();
    assert_eq!(sizes, [3, 126, 126]);
}

#[test]
fn bursts_are_a_rearm_apart_at_least_and_grow_at_a_low_rate() {
    let timing = ModuleTiming { baud: 9_600, ..module_timing() };
    let modules = modules(config(), Window { frames: 4, ..WINDOW }, timing);
    modules.write(0, 500, 1_042);
    modules.bench.run_ms(1_000);
    let bursts = modules.bursts();
    let byte_us = 1_050;
    for two in bursts.windows(2) {
        let gap = two[1].0 - (two[0].0 + two[0].1 as u64 * byte_us);
        assert!(gap >= 1_000, "{two:?}");
    }
    let (early, late) = (bursts[2].1, bursts[bursts.len() - 2].1);
    assert!(late > early, "{bursts:?}");
}

#[test]
fn a_byte_that_finds_the_buffer_full_is_lost_and_counted() {
    let timing = ModuleTiming { input_buffer: 200, ..module_timing() };
    let modules = modules(config(), Window { frames: 1, ..WINDOW }, timing);
    modules.write(0, 2_000, 20);
    modules.bench.run_ms(2_000);
    let count = modules.conserves();
    assert_eq!((count.received, count.held), (2_000, 0));
    assert!(count.lost > 0);
    assert_eq!(u64::from(modules.bench.incidents.borrow()[BUFFER_OVERFLOW]), count.lost);
    let out: usize = modules.bursts().iter().map(|burst| burst.1).sum();
    assert_eq!(out as u64, count.handed_over, "and what was not lost arrives");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn every_byte_is_delivered_or_lost_with_a_reason_or_still_there(
        writes in prop::collection::vec((1_usize..400, 0_u64..30_000), 1..8),
        buffer in 1_usize..600, loss in 0.0_f64..1.0, until_ms in 1_u64..400,
    ) {
        let timing = ModuleTiming { input_buffer: buffer, ..module_timing() };
        let lossy = Config { supervision: Duration::from_ms(100), ..config() };
        let modules = modules(lossy, WINDOW, timing);
        modules.bench.lose(Role::Master, Independent { probability: loss });
        let mut at = 0;
        for &(bytes, pause_us) in &writes {
            modules.write(at, bytes, 22);
            at += bytes as u64 * 22 + pause_us;
        }
        modules.bench.run_ms(until_ms);
        let count = modules.conserves();
        let out: usize = modules.bursts().iter().map(|burst| burst.1).sum();
        prop_assert!(out as u64 <= count.handed_over);
        let overflows = modules.bench.incidents.borrow().get(BUFFER_OVERFLOW).copied();
        prop_assert_eq!(u64::from(overflows.unwrap_or(0)), count.lost);
        modules.bench.sim.run_until(Instant::from_ns(60_000_000_000)).expect("no storm");
        if !modules.bench.piconet.is_gone() {
            let more: usize = modules.bursts().iter().map(|burst| burst.1).sum();
            let count = modules.conserves();
            prop_assert_eq!((count.held, (out + more) as u64), (0, count.handed_over));
        }
    }
}
