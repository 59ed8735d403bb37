use std::collections::BTreeMap;

use airlag_app::receiver::Received;
use airlag_app::sender::Sent;
use airlag_trace::Trace;
use proptest::prelude::*;

use super::*;

/// A run of nothing but slices: track, name, begin, end.
fn run(slices: &[(&str, &'static str, i64, i64)]) -> Run {
    let mut tracks: Vec<String> = slices.iter().map(|slice| slice.0.to_owned()).collect();
    tracks.dedup();
    let place = |name: &str| tracks.iter().position(|track| track == name).expect("a track");
    let slice = |&(track, name, begin_ns, end_ns): &(&str, &'static str, i64, i64)| Slice {
        track: place(track),
        name,
        begin_ns,
        end_ns,
    };
    Run {
        trace: Trace { epoch_unix_ns: None, sample_rate_hz: None, channels: Vec::new() },
        spans: slices.iter().map(slice).collect(),
        tracks,
        sent: Sent::default(),
        received: Received::default(),
        incidents: BTreeMap::new(),
        events: 0,
        seed: 1,
    }
}

fn told(parts: &[Part]) -> Vec<(&'static str, Class, i64)> {
    parts.iter().map(|part| (part.name, part.class, part.end_ns - part.begin_ns)).collect()
}

#[test]
fn a_processor_at_the_far_end_delays_nothing_before_the_last_frame() {
    let seen = run(&[
        ("sender", "interrupt", 0, 5),
        ("sender", "SPI write payload", 5, 15),
        ("sender nRF24", "settle", 15, 30),
        ("air", "air", 30, 50),
        ("receiver", "SPI read payload", 50, 90),
        ("sender nRF24", "turn to receive", 50, 65),
        ("receiver nRF24", "acknowledgement", 66, 70),
        ("air", "air", 66, 70),
        ("sender nRF24", "await acknowledgement", 65, 70),
        ("air", "air", 100, 120),
        ("receiver", "SPI read payload", 120, 160),
        ("receiver nRF24", "acknowledgement", 136, 140),
        ("air", "air", 136, 140),
    ]);
    assert_eq!(
        told(&timeline(&seen, 0, 160)),
        [
            ("interrupt", Class::Fixture, 5),
            ("SPI write payload", Class::Bus, 10),
            ("settle", Class::Radio, 15),
            ("air", Class::Medium, 20),
            ("turn to receive", Class::Radio, 15),
            ("await acknowledgement", Class::Wait, 1),
            ("acknowledgement", Class::Answer, 4),
            // Nothing of the sending end: then what the receiving one does is all there is.
            ("SPI read payload", Class::Bus, 20),
            ("other", Class::Other, 10),
            ("air", Class::Medium, 20),
            // The acknowledgement of the last frame goes on beside what the strobe waits for.
            ("SPI read payload", Class::Bus, 40),
        ]
    );
}

#[test]
fn only_what_leads_up_to_the_program_is_the_fixture_s() {
    let seen = run(&[
        ("board", "tick wait", 0, 10),
        ("board", "interrupt", 10, 12),
        ("board", "software", 12, 20),
        ("board", "interrupt", 20, 22),
        ("board", "pin", 22, 23),
    ]);
    let classes: Vec<Class> = timeline(&seen, 0, 23).iter().map(|part| part.class).collect();
    assert_eq!(classes, [Class::Fixture, Class::Fixture, Class::Work, Class::Work, Class::Fixture]);
}

#[test]
fn a_beacon_counts_only_where_a_radio_waits_for_it() {
    let seen = run(&[
        ("sender", "tick wait", 0, 50),
        ("receiver radio", "beacon", 20, 80),
        ("air", "air", 20, 80),
        ("sender", "host", 50, 60),
        ("sender radio", "medium busy", 60, 80),
        ("air", "air", 85, 100),
        ("receiver", "host", 100, 140),
        ("receiver radio", "acknowledgement", 105, 110),
        ("air", "air", 105, 110),
        ("receiver radio", "beacon", 115, 130),
        ("air", "air", 115, 130),
    ]);
    assert_eq!(
        told(&timeline(&seen, 0, 140)),
        [
            ("tick wait", Class::Fixture, 50),
            ("host", Class::Work, 10),
            ("beacon", Class::Medium, 20),
            ("other", Class::Other, 5),
            ("air", Class::Medium, 15),
            ("host", Class::Work, 40),
        ]
    );
}

#[test]
fn every_transfer_is_cut_as_if_it_were_alone() {
    let seen = run(&[
        ("sender", "software", 0, 10),
        ("air", "air", 10, 20),
        ("receiver", "software", 20, 30),
        // Reaches over two transfers.
        ("sender", "backoff", 90, 215),
        ("air", "air", 210, 220),
        ("receiver", "software", 220, 225),
    ]);
    let transfers = Transfers {
        trigger_ns: vec![0, 100, 200],
        completion_ns: vec![30, NONE, 225],
        ..Transfers::default()
    };
    let cut = timelines(&seen, &transfers);
    assert_eq!(cut, [timeline(&seen, 0, 30), timeline(&seen, 200, 225)]);
    assert_eq!(told(&cut[1])[0], ("backoff", Class::Wait, 10));
}

/// Names of every rank, and ends.
const TRACKS: [&str; 4] = ["sender", "sender nRF24", "air", "receiver"];
const WORDS: [&str; 9] = [
    "software",
    "SPI",
    "settle",
    "backoff",
    "air",
    "acknowledgement",
    "beacon",
    "listen",
    "turn to acknowledge",
];

/// The rank of each slice at one nanosecond, worked out for that nanosecond alone.
fn best_at(seen: &Run, (begin, end): (i64, i64), at: i64) -> &'static str {
    let inside = || seen.spans.iter().filter(|s| s.end_ns > begin && s.begin_ns < end);
    let repeats = |slice: &Slice, names: &[&str]| {
        inside().any(|other| {
            names.contains(&other.name)
                && other.begin_ns.max(begin) == slice.begin_ns.max(begin)
                && other.end_ns > other.begin_ns
        })
    };
    let data = inside().filter(|s| {
        s.name == "air"
            && s.end_ns > s.begin_ns
            && !repeats(s, &["acknowledgement", "beacon", "yield"])
    });
    let handed_over = data.map(|s| s.end_ns.min(end)).max();
    let rank = |slice: &Slice| {
        let (rank, class) = known(slice.name)?;
        if slice.name == "air" && repeats(slice, &["beacon", "yield"]) {
            return None;
        }
        let medium = matches!(class, Class::Medium | Class::Answer);
        let end = end_of(&seen.tracks[slice.track]);
        match handed_over {
            Some(handed_over) if at >= handed_over => {
                (end != End::Sender && !medium).then_some(rank)
            }
            Some(_) if end == End::Receiver && !medium => Some(rank + AT_RECEIVER),
            _ => Some(rank),
        }
    };
    let going_on = seen.spans.iter().filter(|s| s.begin_ns <= at && s.end_ns > at);
    let ranked = going_on.filter_map(|slice| Some((rank(slice)?, slice.name)));
    ranked.min().map_or("other", |(_, name)| name)
}

proptest! {
    #[test]
    fn each_nanosecond_has_the_name_it_would_have_alone(
        slices in prop::collection::vec((0_usize..4, 0_usize..9, 0_i64..60, 0_i64..20), 0..25),
        begin in 0_i64..40,
        length in 1_i64..40,
    ) {
        let slices: Vec<_> = slices
            .into_iter()
            .map(|(track, word, from, long)| (TRACKS[track], WORDS[word], from, from + long))
            .collect();
        let mut by_track = slices;
        by_track.sort_by_key(|slice| slice.0);
        let seen = run(&by_track);
        let parts = timeline(&seen, begin, begin + length);
        prop_assert_eq!(parts.iter().map(|p| p.end_ns - p.begin_ns).sum::<i64>(), length);
        prop_assert!(parts.windows(2).all(|pair| pair[0].end_ns == pair[1].begin_ns));
        for part in &parts {
            for at in part.begin_ns..part.end_ns {
                prop_assert_eq!(part.name, best_at(&seen, (begin, begin + length), at), "{}", at);
            }
        }
    }
}
