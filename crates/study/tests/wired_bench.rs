//! Every profile of the two wired fixtures on the bench, without a capture.

use crate::bench::{self, transfers};
use airlag_rig::family::profiles;
use airlag_rig::stimulus::Periodic;
use airlag_rig::{Options, Profile, Run, Stimulus, run};
use airlag_sim::Duration;
use airlag_study::timeline::{Part, timeline};
use proptest::prelude::*;

const FILES: [(&str, &str); 2] = [
    ("gpio", include_str!("../../../links/gpio.toml")),
    ("uart", include_str!("../../../links/uart.toml")),
];

fn all() -> Vec<Profile> {
    FILES
        .iter()
        .flat_map(|(name, text)| profiles(name, text, airlag_kinds::ALL).expect("right"))
        .collect()
}

fn profile(name: &str) -> Profile {
    bench::profile(name, &[])
}

/// Triggers at a period that is not a multiple of any period on a board.
fn triggered(profile: &Profile, size: usize, period: Duration, count: usize, spans: bool) -> Run {
    let stimulus = Stimulus::Periodic(Periodic::new(period, count));
    run(profile, size, &stimulus, Options { seed: 3, spans, ..Options::default() })
        .expect("the bench runs")
}

/// A period that is long enough for `size` bytes at any rate.
fn unhurried(size: usize) -> Duration {
    Duration::from_ns(2_345_679 + size as u64 * 1_300_003)
}

#[test]
fn every_name_other_tools_rely_on_is_there() {
    let names: Vec<String> = all().into_iter().map(|profile| profile.name).collect();
    for library in ["stm32-ll-o3", "stm32-ll-og", "stm32-ll-os"] {
        assert!(names.contains(&format!("gpio-{library}")), "{library}");
    }
    for library in ["stm32duino-o1", "stm32duino-og", "stm32duino-os"] {
        assert!(names.contains(&format!("gpio-{library}")), "{library}");
    }
    for baud in [9600, 19200, 38400, 57600, 115_200, 230_400, 460_800, 921_600, 1_843_200] {
        for mode in ["poll", "irq", "dma"] {
            assert!(names.contains(&format!("uart-{baud}-{mode}")), "{baud} {mode}");
        }
    }
    assert_eq!(names.len(), 6 + 27);
}

#[test]
fn every_transfer_of_every_profile_arrives_and_its_slices_add_up() {
    for profile in all() {
        for size in [7, 12, 128] {
            let seen = triggered(&profile, size, unhurried(size), 9, true);
            let transfers = transfers(&seen);
            assert_eq!(transfers.latencies_ns().len(), 9, "{} {size}", profile.name);
            for (&begin, &end) in transfers.trigger_ns.iter().zip(&transfers.completion_ns) {
                let parts = timeline(&seen, begin, end);
                let sum: i64 = parts.iter().map(|part| part.end_ns - part.begin_ns).sum();
                assert_eq!(sum, end - begin, "{} {size}", profile.name);
                let unexplained = parts.iter().find(|part| part.name == "other");
                assert_eq!(unexplained, None, "{} {size}: {parts:?}", profile.name);
            }
        }
    }
}

/// Nanoseconds of a transfer spent on `name`.
fn spent(parts: &[Part], name: &str) -> i64 {
    parts.iter().filter(|part| part.name == name).map(|part| part.end_ns - part.begin_ns).sum()
}

#[test]
fn the_wire_takes_ten_bits_a_byte_at_the_rate_of_the_divider() {
    // 42 MHz over 364.
    for mode in ["poll", "irq", "dma"] {
        let mut profile = profile(&format!("uart-115200-{mode}"));
        profile.set("sender_ppb", "0").expect("a parameter");
        let seen = triggered(&profile, 128, unhurried(128), 5, true);
        let transfers = transfers(&seen);
        for (&begin, &end) in transfers.trigger_ns.iter().zip(&transfers.completion_ns) {
            let wire = spent(&timeline(&seen, begin, end), "wire");
            let exact = 128 * 10 * 364 * 1_000 / 42;
            assert!((wire - exact).abs() <= 1, "{wire} {exact}");
        }
    }
}

#[test]
fn only_behind_a_ring_is_there_an_idle_line_and_three_times_in_four() {
    let idle = |mode: &str| -> Vec<bool> {
        let seen = triggered(&profile(&format!("uart-460800-{mode}")), 12, unhurried(12), 12, true);
        let transfers = transfers(&seen);
        let pairs = transfers.trigger_ns.iter().zip(&transfers.completion_ns);
        pairs.map(|(&t, &c)| spent(&timeline(&seen, t, c), "idle line") > 0).collect()
    };
    assert_eq!(idle("dma"), [true, true, true, false].repeat(3));
    assert_eq!(idle("irq"), [false; 12]);
    assert_eq!(idle("poll"), [false; 12]);
}

#[test]
fn whole_halves_of_the_ring_never_wait_for_an_idle_line() {
    let seen = triggered(&profile("uart-115200-dma"), 128, unhurried(128), 8, true);
    let transfers = transfers(&seen);
    for (&begin, &end) in transfers.trigger_ns.iter().zip(&transfers.completion_ns) {
        assert_eq!(spent(&timeline(&seen, begin, end), "idle line"), 0);
    }
}

#[test]
fn a_frozen_trigger_waits_equally_long_for_the_bit_clock_every_time() {
    let mut profile = profile("uart-115200-irq");
    for clock in ["sender_ppb", "receiver_ppb"] {
        profile.set(clock, "0").expect("a parameter");
    }
    // 1001 bits of 364 clocks at 42 MHz are 8.675333.. ms; three times this is a whole number of
    // nanoseconds.
    let seen = triggered(&profile, 12, Duration::from_us(26_026), 50, true);
    let transfers = transfers(&seen);
    let waits: Vec<i64> = (0..50)
        .map(|nth| {
            let parts = timeline(&seen, transfers.trigger_ns[nth], transfers.completion_ns[nth]);
            spent(&parts, "baud wait")
        })
        .collect();
    let (least, most) = (waits.iter().min().expect("50"), waits.iter().max().expect("50"));
    // The remaining variation is the position of the loop: an iteration of 8 cycles.
    assert!(most - least <= 60, "{waits:?}");
}

#[test]
fn the_same_seed_gives_the_same_edges_and_another_seed_others() {
    let profile = profile("uart-57600-dma");
    let with = |seed| {
        let stimulus = Stimulus::Periodic(Periodic::new(unhurried(12), 20));
        run(&profile, 12, &stimulus, Options { seed, spans: false, ..Options::default() })
            .expect("runs")
            .trace
    };
    assert_eq!(with(1), with(1));
    assert_ne!(with(1), with(2));
}

#[test]
fn triggers_faster_than_the_link_are_counted_as_lost_and_nothing_hangs() {
    // 128 bytes at 9600 baud take 133 ms.
    let seen = triggered(&profile("uart-9600-irq"), 128, Duration::from_us(10_003), 100, false);
    let transfers = transfers(&seen);
    assert!(seen.sent.messages < 20, "{:?}", seen.sent);
    assert!(transfers.latencies_ns().len() < 20);
    assert_eq!(transfers.trigger_ns.len(), 100);
}

#[test]
fn a_slower_build_is_slower_by_software_only() {
    let median = |build: &str| {
        let mut profile = profile("uart-115200-irq");
        profile.set("build", build).expect("a choice");
        let seen = triggered(&profile, 12, unhurried(12), 101, true);
        let transfers = transfers(&seen);
        let parts = timeline(&seen, transfers.trigger_ns[0], transfers.completion_ns[0]);
        let mut latencies = transfers.latencies_ns();
        latencies.sort_unstable();
        (latencies[50], spent(&parts, "wire"))
    };
    let (release, debug) = (median("release"), median("debug"));
    assert!(debug.0 > release.0 + 10_000, "{release:?} {debug:?}");
    assert!((debug.1 - release.1).abs() <= 1);
}

#[test]
fn what_the_port_cannot_do_is_refused_in_one_line() {
    let mut profile = profile("uart-115200-irq");
    let refused = profile.set("baud", "5000000").expect_err("too fast").to_string();
    assert_eq!(refused, "uart-115200-irq: `baud` is 5000000, but must be 1200 to 2625000 baud");
    let refused = profile.set("bauds", "9600").expect_err("a typo").to_string();
    assert_eq!(refused, "uart-115200-irq: no parameter `bauds`; did you mean `baud`?");
    profile.set("peripheral_divider", "16").expect("in range");
    profile.set("baud", "1843200").expect("in range");
    let stimulus = Stimulus::Periodic(Periodic::new(unhurried(12), 1));
    let refused = run(&profile, 12, &stimulus, Options::default()).expect_err("too fast");
    assert_eq!(
        refused.to_string(),
        "port stopped: 1843200 baud exceeds 656250, a sixteenth of the peripheral clock"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// At any rate, build and load, the bench terminates, only sent bytes arrive, and the slices of
    /// each transfer add up.
    #[test]
    fn any_serial_bench_ends_and_its_slices_add_up(
        baud in 1_200_u32..2_600_000, mode in 0_usize..3, build in 0_usize..3, ring in 2_u32..80,
        start in 0_u32..80, size in 7_usize..300, period_us in 60_u64..20_000, seed: u64,
        piece in 1_u32..64, queue in 8_u32..2_048, drift in -100_000_i32..100_000,
    ) {
        let mut profile = profile("uart-115200-irq");
        let numbers = [
            ("baud", baud), ("ring_size", ring), ("ring_start", start), ("read_piece", piece),
            ("write_queue", queue), ("read_queue", queue),
        ];
        for (name, number) in numbers {
            profile.set(name, &number.to_string()).expect("in range");
        }
        profile.set("receiver_ppb", &drift.to_string()).expect("in range");
        profile.set("mode", ["poll", "irq", "dma"][mode]).expect("a choice");
        profile.set("build", ["release", "minsize", "debug"][build]).expect("a choice");
        let stimulus = Stimulus::Periodic(Periodic::new(Duration::from_us(period_us), 20));
        let seen = run(&profile, size, &stimulus, Options { seed, spans: true, ..Options::default() }).expect("ends");
        prop_assert!(seen.received.messages <= seen.sent.messages + 1);
        let transfers = transfers(&seen);
        for (&begin, &end) in transfers.trigger_ns.iter().zip(&transfers.completion_ns) {
            if end != airlag_stats::NONE {
                let parts = timeline(&seen, begin, end);
                let sum: i64 = parts.iter().map(|part| part.end_ns - part.begin_ns).sum();
                prop_assert_eq!(sum, end - begin);
            }
        }
    }
}
