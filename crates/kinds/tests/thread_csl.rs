//! A Thread device in coordinated sampled listening: latency, lower bound, refused settings, and
//! recorded frames.

use airlag_peers::dissect_with;
use airlag_rig::stimulus::Periodic;
use airlag_rig::{Options, Stimulus, run, sniff};
use airlag_sim::Duration;

use crate::bench::{bench, every, profile, transfers};

/// Key of the frames.
const KEY: [&str; 1] =
    [r#"uat:ieee802154_keys:"00112233445566778899aabbccddeeff","1","Thread hash""#];

/// Latencies, ms, sorted, of messages at times without a relation to the samples.
fn latencies(link: &str, changes: &[(&str, &str)], size: usize) -> Vec<f64> {
    latencies_every(Duration::from_us(2_345_678), 400, link, changes, size)
}

fn latencies_every(
    period: Duration,
    count: usize,
    link: &str,
    changes: &[(&str, &str)],
    size: usize,
) -> Vec<f64> {
    let stimulus = Stimulus::Periodic(Periodic::new(period, count));
    let run = bench(&profile(link, changes), size, &stimulus, 1);
    let mut found: Vec<f64> =
        transfers(&run).latencies_ns().into_iter().map(|ns| ns as f64 / 1e6).collect();
    assert_eq!(found.len(), count, "{changes:?}");
    found.sort_by(f64::total_cmp);
    found
}

#[test]
fn a_message_to_the_device_waits_for_a_sample_and_one_from_it_does_not() {
    // A frame is prepared 2 ms before its sample; a frame of 54 octets takes 1.92 ms. With the
    // software of both ends, a message takes 5 ms more than it waits.
    for (period, period_ms) in [("100ms", 100.0), ("1s", 1_000.0)] {
        let found = latencies("thread-down-quick", &[("csl_period", period)], 12);
        let (least, median, most) = (found[0], found[200], found[399]);
        assert!((4.4..4.9 + 0.02 * period_ms).contains(&least), "{period}: {least}");
        assert!((median / period_ms - 0.5).abs() < 0.1, "{period}: {median}");
        assert!((0.97 * period_ms..period_ms + 7.0).contains(&most), "{period}: {most}");
    }
    let quick = latencies("thread-up-quick", &[("csl_period", "1s")], 12);
    assert!(quick[399] < 6.0, "{quick:?}");
}

#[test]
fn further_fragments_are_requested_at_once() {
    // Three frames and two data requests with their acknowledgements: below 40 ms.
    let one = latencies("thread-down-quick", &[("csl_period", "1s")], 12);
    let three = latencies("thread-down-quick", &[("csl_period", "1s")], 200);
    assert!((15.0..40.0).contains(&(three[200] - one[200])), "{} {}", one[200], three[200]);
}

#[test]
fn no_message_is_faster_than_the_lower_bound_with_its_longer_frames() {
    let floor = |link: &str, changes: &[(&str, &str)]| {
        profile(link, changes).bind().expect("typed").floor(170).expect("a bound").ns()
    };
    let csl = [("csl_period", "1s")];
    for link in ["thread-up-quick", "thread-down-quick"] {
        let least = latencies(link, &csl, 170)[0];
        assert!(least * 1e6 >= floor(link, &csl) as f64, "{link}: {least}");
    }
    // Three frames with 8 octets of elements each, and two acknowledgements of 25 octets instead of
    // 5 before the end.
    let up = floor("thread-up-quick", &csl) - floor("thread-up-quick", &[]);
    assert_eq!(up, (3 * 8 + 2 * 20) * 32_000);
    // From the device's parent, only the acknowledgements are longer: 31 octets instead of 5.
    let down = floor("thread-down-quick", &csl) - floor("thread-down-quick", &[]);
    assert_eq!(down, 26 * 32_000 * 2);
}

#[test]
fn settings_that_openthread_refuses_are_refused() {
    for (changes, words) in [
        (&[("csl_period", "10ms")][..], "csl_period`: a multiple of 160 us"),
        (&[("csl_period", "1120us")], "set 9920us"),
        (&[("csl_period", "1s"), ("hops", "2")], "hops=1"),
        (&[("csl_period", "1s"), ("poll_period", "1s")], "poll_period=0"),
    ] {
        let link = profile("thread-down", changes);
        let refused = run(&link, 12, &every(1_000, 1), Options::default()).map(|_| ());
        let line = refused.expect_err("refused").to_string();
        assert!(line.contains(words), "{line}");
    }
}

#[test]
fn clocks_beyond_their_accuracy_lose_messages_to_the_next_data_request() {
    // The clocks drift apart by 200 ppm, and the device allows for 40 ppm. The parent finds the samples
    // only after a data request, which the device sends every 100 s. Each message is sent after the
    // previous one has arrived.
    let rare = Duration::from_ms(234_567);
    let off = [("csl_period", "1s"), ("sender_ppb", "100000"), ("receiver_ppb", "-100000")];
    let lost = latencies_every(rare, 21, "thread-down-quick", &off, 12);
    let near = [("csl_period", "1s"), ("sender_ppb", "20000"), ("receiver_ppb", "-20000")];
    let found = latencies("thread-down-quick", &near, 12);
    assert!(lost[10] > 10_000.0 && lost[20] < 110_000.0, "{lost:?}");
    assert!(found[399] < 1_010.0, "{}", found[399]);
}

#[test]
#[ignore = "needs tshark"]
fn frames_in_csl_are_dissected_with_their_elements_and_enhanced_acknowledgements() {
    let settings = [("csl_period", "1s"), ("csl_timeout", "3s")];
    for (link, elements) in [("thread-down-quick", "ack"), ("thread-up-quick", "data")] {
        let profile = profile(link, &settings);
        let (_, capture) =
            sniff(&profile, 12, &every(5_000, 4), Options::default()).expect("the bench runs");
        let fields = [
            "wpan.frame_type",
            "wpan.version",
            "wpan.header_ie.csl.period",
            "wpan.header_ie.csl.phase",
            "wpan.fcs_ok",
            "_ws.malformed",
            "_ws.expert.message",
            "udp.length",
            "wpan.cmd",
        ];
        let name = format!("csl-{link}");
        let Some(rows) = dissect_with(&name, &capture.pcapng, &KEY, &fields) else { return };
        let mut periods = 0;
        for row in &rows {
            let number = |text: &str| {
                let digits = text.trim_start_matches("0x");
                i64::from_str_radix(digits, if digits.len() < text.len() { 16 } else { 10 })
                    .unwrap_or(-1)
            };
            assert_eq!(number(&row[1]), 2, "{row:?}");
            assert!(row[4] == "1" || row[4] == "True", "{row:?}");
            // A frame with a short source address or none cannot be decrypted: the extended address
            // is in no frame of the capture.
            let is_readable =
                row[6].is_empty() || row[6] == "No extended source address - can't decrypt";
            assert!(row[5].is_empty() && is_readable, "{row:?}");
            if !row[2].is_empty() {
                assert_eq!(number(&row[2]), 6_250, "{row:?}");
                assert!((0..6_250).contains(&number(&row[3])), "{row:?}");
                periods += 1;
            }
            // All frames of the device have the element, and of its parent none.
            let from_device = match number(&row[0]) {
                2 => elements == "ack" && !row[2].is_empty(),
                3 => true,
                _ => elements == "data",
            };
            assert_eq!(from_device, !row[2].is_empty(), "{row:?}");
        }
        assert_eq!(rows.iter().filter(|row| row[7] == "20").count(), 4, "{rows:?}");
        assert!(periods >= 4 + 20 / 3, "{rows:?}");
    }
}
