//! Virtual captures whose triggers follow the link's own transmissions, matched with the link they are of.

use crate::bench;
use airlag_rig::stimulus::{Aligned, Stimulus};
use airlag_sim::Duration;
use airlag_study::matching::{EVENTS, Match, OFFSET, Options, hold};

const COUNT: usize = 600;
const SEEDS: std::ops::Range<u64> = 11..14;

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
    let options = Options { seed: 3, events: EVENTS, ..Options::default() };
    hold(&profile, 12, &captured, &options).expect("a match")
}

/// The offset that was fitted, us.
fn offset_us(found: &Match) -> Option<f64> {
    let offset = found.fitted.iter().find(|one| one.name == OFFSET)?;
    Some(1e3 * offset.value.to_string().parse::<f64>().expect("a number"))
}

fn is_found(link: &str, changes: &[(&str, &str)], period_ms: u64) {
    for offset in [Duration::ZERO, Duration::from_us(7_300)] {
        for seed in SEEDS {
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
    is_found("sik-64k", &[], 100);
}

#[test]
fn an_offset_from_connection_events_is_found() {
    is_found("ble-nus-notify", &[], 200);
}
