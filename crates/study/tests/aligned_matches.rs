//! Virtual captures whose triggers follow the link's own transmissions are matched with their own
//! link.

use crate::bench;
use airlag_rig::stimulus::{Aligned, Stimulus};
use airlag_sim::Duration;
use airlag_study::matching::{Match, OFFSET, Options, hold};

const COUNT: usize = 600;
const OFFSETS: [Duration; 2] = [Duration::ZERO, Duration::from_us(7_300)];

/// A match with a capture of `link` whose triggers come `offset` after its transmissions.
fn matched(
    link: &str,
    changes: &[(&str, &str)],
    period_ms: u64,
    offset: Duration,
    seed: u64,
) -> Match {
    let profile = bench::profile(link, changes);
    let period = Duration::from_ms(period_ms);
    let aligned = Stimulus::Aligned(Aligned { offset, period, count: COUNT, skipped: 0 });
    let captured = bench::transfers(&bench::bench(&profile, 12, &aligned, seed));
    let options = Options { seed: 3, ..Options::default() };
    hold(&profile, 12, &captured, &options).expect("a match")
}

/// The offset that was fitted, us.
fn offset_us(found: &Match) -> Option<f64> {
    let offset = found.fitted.iter().find(|one| one.name == OFFSET)?;
    Some(1e3 * offset.value.to_string().parse::<f64>().expect("a number"))
}

/// For virtual captures of `link` with triggers at least `period_ms` apart, the match finds the
/// original offset.
fn is_found(
    link: &str,
    changes: &[(&str, &str)],
    period_ms: u64,
    offsets: &[Duration],
    seeds: std::ops::Range<u64>,
) {
    for &offset in offsets {
        for seed in seeds.clone() {
            let found = matched(link, changes, period_ms, offset, seed);
            let us = offset.as_ns() as f64 / 1e3;
            let what = format!("{link}, {us} us, seed {seed}: {:?}", found.fitted);
            assert!(offset_us(&found).is_some_and(|found| (found - us).abs() < 5.0), "{what}");
            assert!(found.ks < 0.1, "{what}: {}", found.ks);
            assert!(found.explains(), "{what}: {:?}", found.evidence);
        }
    }
}

#[test]
fn an_offset_from_turns_of_a_telemetry_radio_is_found() {
    is_found("sik-64k", &[], 100, &OFFSETS, 11..14);
}

#[test]
fn an_offset_from_connection_events_is_found() {
    is_found("ble-nus-notify", &[], 200, &OFFSETS, 11..14);
}

#[test]
fn an_offset_from_beacons_is_found() {
    is_found("wifi-udp-default", &[], 450, &OFFSETS[1..], 11..12);
}

#[test]
fn an_offset_from_polls_of_a_sleepy_device_is_found() {
    is_found("thread-down", &[("poll_period", "240ms")], 400, &OFFSETS, 11..12);
}

#[test]
fn a_trigger_that_is_ready_again_as_a_poll_comes_still_follows_the_polls() {
    // Two poll periods: a trigger catches a poll that is late because of its backoff, and misses an
    // early one. The offset is therefore uncertain by a few slots of 320 us.
    let offset = Duration::from_us(7_300);
    let found = matched("thread-down", &[("poll_period", "240ms")], 480, offset, 11);
    let what = format!("{:?}, {}, {:?}", found.fitted, found.ks, found.evidence);
    assert!(offset_us(&found).is_some_and(|us| (us - 7_300.0).abs() < 1_000.0), "{what}");
    assert!(found.explains(), "{what}");
}
