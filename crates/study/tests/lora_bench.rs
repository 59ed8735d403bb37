//! The virtual LoRa bench without captures: values that follow from the datasheet and from
//! arithmetic.

use crate::bench;
use airlag_link::airtime::lora::{Bandwidth, CodingRate, Frame, SpreadingFactor};
use airlag_rig::stimulus::Periodic;
use airlag_rig::{Error, Options, Stimulus, run};
use airlag_sim::Duration;
use airlag_stats::pair::{NONE, Outcome};
use airlag_study::timeline::timeline;
use proptest::prelude::*;

const QUIET: (&str, &str) = ("disturbances", "0");

fn spans(link: &str, size: usize, period_ms: u64, count: usize) -> airlag_rig::Run {
    let options = Options { seed: 1, spans: true, ..Options::default() };
    let stimulus = bench::every(period_ms, count);
    run(&bench::profile(link, &[]), size, &stimulus, options).expect("the bench runs")
}

#[test]
fn every_latency_is_the_sum_of_its_slices_and_none_is_unexplained() {
    for (link, size, period_ms) in [
        ("lora-sf7-250k", 12, 250),
        ("lora-sf7-250k", 1024, 1_500),
        ("lora-sf11-62k5", 128, 6_500),
        ("lora-sf11-62k5", 1024, 50_000),
    ] {
        let run = spans(link, size, period_ms, 20);
        let transfers = bench::transfers(&run);
        for (&begin, &end) in transfers.trigger_ns.iter().zip(&transfers.completion_ns) {
            if end == NONE {
                continue;
            }
            let parts = timeline(&run, begin, end);
            assert_eq!(parts.iter().map(|p| p.end_ns - p.begin_ns).sum::<i64>(), end - begin);
            assert!(parts.windows(2).all(|pair| pair[0].end_ns == pair[1].begin_ns));
            assert!(parts.iter().all(|part| part.name != "other"), "{parts:?}");
        }
    }
}

#[test]
fn a_kilobyte_is_four_full_packets_and_one_of_four_bytes() {
    let run = spans("lora-sf7-250k", 1024, 1_500, 1);
    let transfers = bench::transfers(&run);
    let parts = timeline(&run, transfers.trigger_ns[0], transfers.completion_ns[0]);
    let air = parts.iter().filter(|part| part.name == "air");
    let durations: Vec<u64> = air.map(|part| (part.end_ns - part.begin_ns) as u64).collect();
    let frame = Frame::new(SpreadingFactor::Sf7, Bandwidth::Khz250, CodingRate::Cr4_5);
    let (full, rest) = (frame.duration_ns(255), frame.duration_ns(4));
    assert_eq!(durations, [full, full, full, full, rest]);
}

#[test]
fn one_packet_passes_every_station_on_its_way_in_the_time_worked_out_by_hand() {
    let still = ["trigger_jitter", "interrupt_jitter", "send_grid", "receive_grid", "disturbances"];
    let profile = bench::profile("lora-sf7-250k", &still.map(|name| (name, "0")));
    let options = Options { seed: 1, spans: true, ..Options::default() };
    let run = run(&profile, 12, &bench::every(250, 1), options).expect("the bench runs");
    let transfers = bench::transfers(&run);
    let parts = timeline(&run, transfers.trigger_ns[0], transfers.completion_ns[0]);
    // Bytes on the bus: 1095 ns each, and 210 ns per transaction.
    let spi = |transactions: i64, bytes: i64| transactions * 210 + bytes * 1_095;
    let expected = [
        ("interrupt", 500),
        // The meaning of DIO0, and clearing of all flags.
        ("SPI registers", spi(2, 4)),
        ("SPI mode", spi(1, 2)),
        ("crystal start", 158_600),
        ("interrupt", 500),
        // Position and length of the payload.
        ("SPI registers", spi(2, 4)),
        ("SPI write payload", spi(1, 13)),
        ("SPI mode", spi(1, 2)),
        ("mode switch", 163_400),
        ("air", 20_608_000),
        // 0.783 symbols of 512 us, less 12 us.
        ("receiver latency", 400_896 - 12_000),
        ("interrupt", 500),
        // Flags, cleared; signal quality; position and length; pointer.
        ("SPI registers", spi(2, 4) + spi(2, 10) + spi(1, 2)),
        ("SPI read payload", spi(1, 13)),
        ("SPI mode", spi(1, 2)),
        ("software", 12 * 160),
    ];
    let parts: Vec<(&str, i64)> =
        parts.iter().map(|part| (part.name, part.end_ns - part.begin_ns)).collect();
    assert_eq!(parts, expected);
}

#[test]
fn a_chip_that_does_not_sleep_saves_the_start_of_its_crystal() {
    let median = |idle: &str| {
        let profile = bench::profile("lora-sf7-250k", &[QUIET, ("idle", idle)]);
        let run = bench::bench(&profile, 12, &bench::every(250, 50), 1);
        let mut latencies = bench::transfers(&run).latencies_ns();
        latencies.sort_unstable();
        (latencies.len(), latencies[25])
    };
    let ((slept, asleep), (stood, awake)) = (median("sleep"), median("ready"));
    assert_eq!((slept, stood), (50, 50));
    // 158.6 us for the crystal, and two fewer transactions at each end.
    assert!((158_600..180_000).contains(&(asleep - awake)), "{}", asleep - awake);
}

#[test]
fn triggers_closer_than_a_message_lose_messages_and_hang_nothing() {
    let profile = bench::profile("lora-sf11-62k5", &[QUIET]);
    let run = bench::bench(&profile, 12, &bench::every(700, 40), 1);
    let transfers = bench::transfers(&run);
    assert_eq!(run.sent.messages, 20);
    assert!(transfers.count(Outcome::Lost) > 0);
}

#[test]
fn a_share_of_lost_frames_is_a_share_of_lost_messages() {
    let changes = [QUIET, ("frame_loss", "0.1")];
    let profile = bench::profile("lora-sf7-250k", &changes);
    let run = bench::bench(&profile, 12, &bench::every(250, 1_000), 1);
    let transfers = bench::transfers(&run);
    let (lost, max) = (transfers.count(Outcome::Lost), transfers.latencies_ns());
    // Five standard deviations of a binomial with n = 1000, p = 0.1.
    assert!((53..=147).contains(&lost), "{lost}");
    assert!(max.iter().all(|&latency| latency < 22_000_000));
}

#[test]
fn a_lost_packet_is_a_lost_message_and_never_a_late_or_early_one() {
    for seed in 1..=20 {
        let profile = bench::profile("lora-sf7-250k", &[("disturbances", "0.2")]);
        let run = bench::bench(&profile, 1024, &bench::every(1_500, 200), seed);
        let latencies = bench::transfers(&run).latencies_ns();
        let (least, most) = (latencies.iter().min(), latencies.iter().max());
        let spread = most.expect("some arrive") - least.expect("some arrive");
        assert!(latencies.len() < 200 && spread < 15_000, "seed {seed}: {spread} ns");
    }
}

#[test]
fn settings_without_a_header_carry_messages_too() {
    for size in [12, 255, 600] {
        let changes = [QUIET, ("header", "implicit"), ("crc", "false")];
        let profile = bench::profile("lora-sf7-250k", &changes);
        let run = bench::bench(&profile, size, &bench::every(1_000, 5), 1);
        assert_eq!(run.received.messages, 5, "{size} B");
    }
}

#[test]
fn what_the_chip_does_not_have_is_refused_in_one_line() {
    let mut profile = bench::profile("lora-sf7-250k", &[]);
    let refused = profile.set("bandwidth", "64.5").expect_err("no such bandwidth").to_string();
    assert!(refused.contains("62.5") && !refused.contains('\n'), "{refused}");
    assert!(matches!(profile.set("spreading_factor", "5"), Err(Error::OutOfRange { .. })));
    assert!(matches!(
        profile.set("spreding_factor", "8"),
        Err(Error::UnknownParameter { nearest: "spreading_factor", .. })
    ));
    profile.set("spreading_factor", "6").expect("in range");
    let stimulus = bench::every(100, 1);
    let refused = run(&profile, 12, &stimulus, Options::default()).expect_err("needs no header");
    assert!(refused.to_string().contains("implicit"), "{refused}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_setting_carries_any_message(
        factor in 7_u32..=12, bandwidth in 0_usize..7, rate in 5_u32..=8, size in 7_usize..600,
        optimize: bool, idle in prop::sample::select(vec!["sleep", "ready"]), seed: u64,
    ) {
        let bandwidths = ["20.8", "31.25", "41.7", "62.5", "125", "250", "500"];
        // The datasheet requires it for symbols longer than 16 ms (SX1276, 4.1.1.6).
        let khz: f64 = bandwidths[bandwidth].parse().expect("a number");
        let optimize = if optimize || f64::from(1 << factor) / khz > 16.0 { "on" } else { "off" };
        let (factor, rate) = (factor.to_string(), format!("4/{rate}"));
        let changes = [
            QUIET,
            ("spreading_factor", factor.as_str()),
            ("bandwidth", bandwidths[bandwidth]),
            ("coding_rate", rate.as_str()),
            ("low_data_rate_optimize", optimize),
            ("idle", idle),
        ];
        let profile = bench::profile("lora-sf7-250k", &changes);
        let stimulus = Stimulus::Periodic(Periodic::new(Duration::from_secs(600), 3));
        let one = bench::bench(&profile, size, &stimulus, seed);
        prop_assert_eq!(one.received.messages, 3);
        prop_assert_eq!(&one, &bench::bench(&profile, size, &stimulus, seed));
    }
}
