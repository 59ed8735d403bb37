use std::collections::BTreeMap;

use airlag_air::medium::AIR;
use airlag_app::receiver::Received;
use airlag_app::sender::Sent;
use airlag_models::chip::nrf24::slices as nrf24;
use airlag_models::slices::*;
use airlag_models::stack::espnow::slices as espnow;
use airlag_rig::draws::Draws;
use airlag_trace::Trace;
use proptest::prelude::*;

use super::*;

/// A run that contains only spans: track, slice, start, end.
fn run(spans: &[(&str, &'static Slice, i64, i64)]) -> Run {
    let mut tracks: Vec<String> = spans.iter().map(|span| span.0.to_owned()).collect();
    tracks.dedup();
    let place = |name: &str| tracks.iter().position(|track| track == name).expect("a track");
    let span = |&(track, slice, begin_ns, end_ns): &(&str, &'static Slice, i64, i64)| Span {
        track: place(track),
        slice,
        begin_ns,
        end_ns,
    };
    Run {
        places_ns: Vec::new(),
        fade_margin: None,
        trace: Trace::default(),
        ends_at_sender: false,
        matched: Vec::new(),
        draws: Draws::default(),
        spans: spans.iter().map(span).collect(),
        tracks,
        sent: Sent::default(),
        received: Received::default(),
        incidents: BTreeMap::new(),
        events: 0,
        seed: 1,
    }
}

fn summary(parts: &[Part]) -> Vec<(&'static str, Class, i64)> {
    parts.iter().map(|part| (part.name, part.class, part.end_ns - part.begin_ns)).collect()
}

#[test]
fn a_processor_at_the_far_end_delays_nothing_before_the_last_frame() {
    let seen = run(&[
        ("sender", &INTERRUPT, 0, 5),
        ("sender", &SPI_WRITE_PAYLOAD, 5, 15),
        ("sender nRF24", &nrf24::SETTLE, 15, 30),
        ("air", &AIR, 30, 50),
        ("receiver", &SPI_READ_PAYLOAD, 50, 90),
        ("sender nRF24", &nrf24::RECEIVE_TURNAROUND, 50, 65),
        ("receiver nRF24", &ACKNOWLEDGEMENT, 66, 70),
        ("air", &AIR, 66, 70),
        ("sender nRF24", &AWAIT_ACKNOWLEDGEMENT, 65, 70),
        ("air", &AIR, 100, 120),
        ("receiver", &SPI_READ_PAYLOAD, 120, 160),
        ("receiver nRF24", &ACKNOWLEDGEMENT, 136, 140),
        ("air", &AIR, 136, 140),
    ]);
    assert_eq!(
        summary(&timeline(&seen, 0, 160)),
        [
            ("interrupt", Class::Fixture, 5),
            ("SPI write payload", Class::Bus, 10),
            ("settle", Class::Radio, 15),
            ("air", Class::Medium, 20),
            ("receive turnaround", Class::Radio, 15),
            ("await acknowledgement", Class::Wait, 1),
            ("acknowledgement", Class::Answer, 4),
            // The sender has no activity left, so only the receiver counts.
            ("SPI read payload", Class::Bus, 20),
            ("other", Class::Other, 10),
            ("air", Class::Medium, 20),
            // The acknowledgement of the last frame overlaps the path to the strobe.
            ("SPI read payload", Class::Bus, 40),
        ]
    );
}

#[test]
fn only_what_leads_up_to_the_program_is_the_fixture_s() {
    let seen = run(&[
        ("board", &TICK_WAIT, 0, 10),
        ("board", &INTERRUPT, 10, 12),
        ("board", &SOFTWARE, 12, 20),
        ("board", &INTERRUPT, 20, 22),
        ("board", &PIN, 22, 23),
    ]);
    let classes: Vec<Class> = timeline(&seen, 0, 23).iter().map(|part| part.class).collect();
    assert_eq!(classes, [Class::Fixture, Class::Fixture, Class::Work, Class::Work, Class::Fixture]);
}

#[test]
fn a_beacon_counts_only_where_a_radio_waits_for_it() {
    let seen = run(&[
        ("sender", &TICK_WAIT, 0, 50),
        ("receiver radio", &espnow::BEACON, 20, 80),
        ("air", &AIR, 20, 80),
        ("sender", &HOST, 50, 60),
        ("sender radio", &espnow::MEDIUM_BUSY, 60, 80),
        ("air", &AIR, 85, 100),
        ("receiver", &HOST, 100, 140),
        ("receiver radio", &ACKNOWLEDGEMENT, 105, 110),
        ("air", &AIR, 105, 110),
        ("receiver radio", &espnow::BEACON, 115, 130),
        ("air", &AIR, 115, 130),
    ]);
    assert_eq!(
        summary(&timeline(&seen, 0, 140)),
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
        ("sender", &SOFTWARE, 0, 10),
        ("air", &AIR, 10, 20),
        ("receiver", &SOFTWARE, 20, 30),
        // Overlaps two transfers.
        ("sender", &BACKOFF, 90, 215),
        ("air", &AIR, 210, 220),
        ("receiver", &SOFTWARE, 220, 225),
    ]);
    let transfers = Transfers {
        trigger_ns: vec![0, 100, 200],
        completion_ns: vec![30, NONE, 225],
        ..Transfers::default()
    };
    let cut = timelines(&seen, &transfers);
    assert_eq!(cut, [timeline(&seen, 0, 30), timeline(&seen, 200, 225)]);
    assert_eq!(summary(&cut[1])[0], ("backoff", Class::Wait, 10));
}

/// Tracks of every rank and end.
const TRACKS: [&str; 4] = ["sender", "sender nRF24", "air", "receiver"];
static WORDS: [&Slice; 9] = [
    &SOFTWARE,
    &SPI,
    &nrf24::SETTLE,
    &BACKOFF,
    &AIR,
    &ACKNOWLEDGEMENT,
    &espnow::BEACON,
    &nrf24::LISTEN,
    &nrf24::ACKNOWLEDGEMENT_TURNAROUND,
];

/// Attribution of one nanosecond, computed independently.
fn best_at(seen: &Run, (begin, end): (i64, i64), at: i64) -> &'static str {
    let inside = || seen.spans.iter().filter(|s| s.end_ns > begin && s.begin_ns < end);
    let repeats = |span: &Span, slices: &[&Slice]| {
        inside().any(|other| {
            slices.contains(&other.slice)
                && other.begin_ns.max(begin) == span.begin_ns.max(begin)
                && other.end_ns.min(end) == span.end_ns.min(end)
                && other.end_ns > other.begin_ns
        })
    };
    let data = inside().filter(|s| {
        *s.slice == AIR
            && s.end_ns > s.begin_ns
            && !repeats(s, &[&ACKNOWLEDGEMENT, &espnow::BEACON])
    });
    let handed_over = data.map(|s| s.end_ns.min(end)).max();
    let rank = |span: &Span| {
        let slice = span.slice;
        let repeated = *slice == AIR && repeats(span, &[&espnow::BEACON]);
        if repeated || slice.class() == Class::Idle {
            return None;
        }
        let medium = matches!(slice.class(), Class::Medium | Class::Answer);
        let end = end_of(&seen.tracks[span.track]);
        match handed_over {
            Some(handed_over) if at >= handed_over => {
                (end != End::Sender && !medium).then_some((false, slice.precedence()))
            }
            Some(_) => Some((end == End::Receiver && !medium, slice.precedence())),
            None => Some((false, slice.precedence())),
        }
    };
    let going_on = seen.spans.iter().filter(|s| s.begin_ns <= at && s.end_ns > at);
    let ranked = going_on.filter_map(|span| Some((rank(span)?, span.slice.name())));
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
