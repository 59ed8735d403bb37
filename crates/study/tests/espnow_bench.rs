//! The bench of ESP-NOW: times of its frames, and effects of its parameters.

use crate::bench;
use airlag_rig::{Options, Run, run};
use airlag_study::timeline::timeline;

fn traced(link: &str, changes: &[(&str, &str)], size: usize, count: usize) -> Run {
    let profile = bench::profile(link, changes);
    let options = Options { seed: 1, spans: true, ..Options::default() };
    run(&profile, size, &bench::every(150, count), options).expect("the bench runs")
}

/// Changes that leave nothing to chance.
const CERTAIN: [(&str, &str); 2] = [("beacons", "false"), ("send_jitter", "0")];

#[test]
fn a_woken_task_needs_what_its_parts_need() {
    let run = traced("espnow-woken", &CERTAIN, 12, 5);
    // Entry 50, handing over 100, air 632, receiver 250 us.
    assert_eq!(bench::transfers(&run).latencies_ns(), [1_032_000; 5]);
}

#[test]
fn a_kilobyte_is_five_frames_each_behind_the_callback_of_the_one_before() {
    let run = traced("espnow-woken", &CERTAIN, 1_024, 5);
    // Four times: air, SIFS, acknowledgement, gate and handover.
    let cycle = 2_536_000 + 10_000 + 304_000 + 230_000 + 100_000;
    let last = 50_000 + 100_000 + 728_000 + 250_000;
    assert_eq!(bench::transfers(&run).latencies_ns(), [4 * cycle + last; 5]);
}

#[test]
fn a_faster_rate_shortens_the_air_and_nothing_else() {
    let latency = |rate| {
        let changes = [CERTAIN[0], CERTAIN[1], ("rate", rate)];
        bench::transfers(&traced("espnow-woken", &changes, 12, 1)).latencies_ns()[0]
    };
    // 55 octets: 632 us at 1 Mbit/s. At 54 Mbit/s: 20 us, three symbols of 4 us, and 6 us.
    assert_eq!(latency("1000") - latency("54000"), 632_000 - 38_000);
}

#[test]
fn every_nanosecond_of_a_transfer_is_explained() {
    for (link, changes) in [
        ("espnow", &[][..]),
        ("espnow-woken", &[("beacon_interval", "5"), ("cw_min", "31"), ("cw_max", "1023")]),
        ("espnow", &[("frame_loss", "0.2"), ("beacon_interval", "10")]),
        ("espnow-lr", &[]),
        ("espnow-lr", &[("fallback_over", "200"), ("stall", "0")]),
    ] {
        let run = traced(link, changes, 600, 30);
        let transfers = bench::transfers(&run);
        let mut explained = 0;
        for (&trigger, &completion) in transfers.trigger_ns.iter().zip(&transfers.completion_ns) {
            if completion == airlag_stats::NONE {
                continue;
            }
            let parts = timeline(&run, trigger, completion);
            let sum: i64 = parts.iter().map(|part| part.end_ns - part.begin_ns).sum();
            assert_eq!(sum, completion - trigger);
            assert!(parts.iter().all(|part| part.name != "other"), "{link}: {parts:?}");
            explained += 1;
        }
        assert!(explained >= 27, "{link} {changes:?}: {explained} arrived");
    }
}

#[test]
fn beacons_delay_as_many_transfers_as_they_meet() {
    // 16 ms of every 102.4 ms at two boards: one transfer in three.
    let run = traced("espnow", &[], 1_024, 600);
    let mut latencies = bench::transfers(&run).latencies_ns();
    latencies.sort_unstable();
    let late = latencies.iter().filter(|&&at| at > latencies[60] + 700_000).count();
    assert!((120..=280).contains(&late), "{late} of 600");
}

#[test]
fn what_goes_wrong_has_a_name() {
    let lossy = [("frame_loss", "0.5"), ("retries", "1")];
    let run = traced("espnow", &lossy, 12, 200);
    for name in ["retry", "no acknowledgement", "duplicate"] {
        assert!(run.incidents.get(name).is_some_and(|&count| count > 10), "{:?}", run.incidents);
    }
}
