//! The bench of raw 802.15.4: times of its frames, and effects of its parameters.

use crate::bench;
use airlag_rig::run::Span;
use airlag_rig::{Options, Run, run};
use airlag_study::timeline::timeline;

/// Frames on the air, in order.
fn frames(run: &Run) -> Vec<Span> {
    let air = run.tracks.iter().position(|name| name == "air").expect("an air");
    let mut frames: Vec<Span> =
        run.spans.iter().copied().filter(|span| span.track == air).collect();
    frames.sort_by_key(|span| span.begin_ns);
    frames
}

fn traced(link: &str, changes: &[(&str, &str)], size: usize, count: usize) -> Run {
    let profile = bench::profile(link, changes);
    let options = Options { seed: 1, spans: true, ..Options::default() };
    run(&profile, size, &bench::every(200, count), options).expect("the bench runs")
}

/// Distances between the starts of corresponding data frames of successive messages.
fn spacings(link: &str) -> Vec<i64> {
    let run = traced(link, &[], 1_024, 1);
    let data = frames(&run).into_iter().filter(|frame| frame.end_ns - frame.begin_ns > 1_000_000);
    let starts: Vec<i64> = data.map(|frame| frame.begin_ns).collect();
    assert_eq!(starts.len(), 9);
    starts.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

#[test]
fn frames_follow_each_other_as_the_sniffer_saw() {
    for (link, captured) in [("ieee802154-blind", 4_913_000), ("ieee802154-ack", 5_423_000)] {
        for spacing in spacings(link) {
            assert!((spacing - captured).abs() < captured / 1_000, "{link}: {spacing}");
        }
    }
}

#[test]
fn every_nanosecond_of_a_transfer_is_explained() {
    for (link, changes) in [
        ("ieee802154-blind", &[][..]),
        ("ieee802154-ack", &[("csma", "true"), ("destination", "unicast")]),
        (
            "ieee802154-ack",
            &[("frame_loss", "0.2"), ("retries", "7"), ("interframe_space", "true")],
        ),
        ("ieee802154-ack-woken", &[]),
    ] {
        let run = traced(link, changes, 300, 20);
        let transfers = bench::transfers(&run);
        let mut explained = 0;
        for (&trigger, &completion) in transfers.trigger_ns.iter().zip(&transfers.completion_ns) {
            if completion == airlag_stats::NONE {
                continue;
            }
            let parts = timeline(&run, trigger, completion);
            assert_eq!(
                parts.iter().map(|p| p.end_ns - p.begin_ns).sum::<i64>(),
                completion - trigger
            );
            assert!(parts.iter().all(|part| part.name != "other"), "{link}: {parts:?}");
            explained += 1;
        }
        assert!(explained >= 18, "{link}: {explained} arrived");
    }
}

#[test]
fn a_lower_band_takes_as_much_longer_as_its_bits() {
    let air = |band| {
        let bands = if band == "2450" { "2450" } else { "868-915" };
        let run = traced("ieee802154-blind", &[("band", band), ("bands", bands)], 12, 1);
        let frame = frames(&run)[0];
        frame.end_ns - frame.begin_ns
    };
    // 29 octets: 928 us at 250 kbit/s.
    assert_eq!((air("2450"), air("915"), air("868")), (928_000, 5_800_000, 11_600_000));
}

#[test]
fn what_goes_wrong_has_a_name() {
    let lossy = [("frame_loss", "0.5"), ("retries", "0")];
    let run = traced("ieee802154-ack", &lossy, 12, 200);
    assert!(run.incidents.get("no acknowledgement").is_some_and(|&count| count > 100));
    assert_eq!(run.incidents.get("retry"), None);
    let retried = traced("ieee802154-ack", &[("frame_loss", "0.2"), ("retries", "7")], 12, 200);
    assert!(retried.incidents.get("retry").is_some_and(|&count| count > 50));
    assert_eq!(bench::transfers(&retried).latencies_ns().len(), 200);
    assert!(retried.incidents.get("duplicate").is_some_and(|&count| count > 10));
}

#[test]
fn a_woken_task_does_not_wait_for_the_tick() {
    let run = traced("ieee802154-blind-woken", &[], 12, 5);
    // Entry 58, turnaround 192, air 928, receiver 250 us.
    assert_eq!(bench::transfers(&run).latencies_ns(), [1_428_000; 5]);
}
