//! Any trace is unchanged after it is written in any format and read back.
#![allow(clippy::unwrap_used)]

use std::io::Cursor;

use airlag_trace::{
    Channel, ReadOptions, Recorder, Segment, Trace, read_stream, saleae_csv_writer, sigrok, vcd,
};
use proptest::prelude::*;

fn back(bytes: Vec<u8>) -> Trace {
    let mut recorder = Recorder::default();
    read_stream(Cursor::new(bytes), "", &ReadOptions::default(), &mut recorder).unwrap();
    recorder.into_trace()
}

fn through_csv(trace: &Trace) -> Trace {
    let mut bytes = Vec::new();
    saleae_csv_writer::write(&mut bytes, trace).unwrap();
    back(bytes)
}

fn through_vcd(trace: &Trace) -> Trace {
    let mut bytes = Vec::new();
    vcd::write(&mut bytes, trace).unwrap();
    back(bytes)
}

fn through_sr(trace: &Trace) -> Trace {
    let mut bytes = Cursor::new(Vec::new());
    sigrok::write(&mut bytes, trace).unwrap();
    back(bytes.into_inner())
}

/// Distances between the edges of a channel, ns.
fn steps(most: i64) -> impl Strategy<Value = Vec<i64>> {
    prop::collection::vec(1..=most, 0..12)
}

/// A channel from `begin_ns` to `end_ns`. Each list of distances makes a segment, which is followed
/// by a gap.
fn wire(begin_ns: i64, end_ns: i64, initial: bool, parts: &[Vec<i64>]) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut at_ns = begin_ns;
    for (index, steps) in parts.iter().enumerate() {
        let mut segment = Segment { begin_ns: at_ns, end_ns, initial, edges_ns: Vec::new() };
        segment.initial ^= index % 3 == 1;
        for step in steps {
            at_ns += step;
            if at_ns <= end_ns {
                segment.edges_ns.push(at_ns);
            }
        }
        // An edge on the last instant before a gap would not be visible in the file.
        at_ns += 5;
        if segment.begin_ns > end_ns {
            break;
        }
        if index + 1 < parts.len() && at_ns < end_ns {
            segment.end_ns = at_ns;
        }
        let last = segment.end_ns == end_ns;
        segments.push(segment);
        if last {
            break;
        }
        at_ns += 7;
    }
    segments
}

prop_compose! {
    fn names()(name in "[ -~äß]{0,12}") -> String { name }
}

/// Traces with gaps. The first channel is observed throughout and determines the start and the end.
fn gapped() -> impl Strategy<Value = Trace> {
    let parts = || prop::collection::vec(steps(400), 1..4);
    let channel = (names(), any::<bool>(), parts());
    (
        prop::option::of(-4_000_000_000_000_000_000i64..4_000_000_000_000_000_000),
        -500i64..500,
        0i64..3_000,
        steps(900),
        prop::collection::vec(channel, 0..5),
    )
        .prop_map(|(epoch_unix_ns, begin_ns, length, first, rest)| {
            // With a date, the first instant is 0.
            let begin_ns = if epoch_unix_ns.is_some() { 0 } else { begin_ns };
            let end_ns = begin_ns + length;
            let first = wire(begin_ns, end_ns, true, &[first]);
            let mut channels = vec![Channel { name: "first".to_owned(), segments: first }];
            channels.extend(rest.into_iter().map(|(name, initial, parts)| Channel {
                name,
                segments: wire(begin_ns, end_ns, initial, &parts),
            }));
            Trace { epoch_unix_ns, channels, ..Trace::default() }
        })
}

/// Traces that samples can represent, with edges on a grid of `grid_ns`.
fn sampled() -> impl Strategy<Value = Trace> {
    (
        prop::sample::select(vec![1i64, 2, 10, 40, 83, 1_000, 3_000]),
        1i64..5_000,
        prop::collection::vec((any::<bool>(), steps(700)), 1..20),
    )
        .prop_map(|(grid_ns, length, wires)| {
            let channels = wires.into_iter().enumerate().map(|(index, (initial, steps))| {
                // The last instant belongs to no sample.
                let mut segments = wire(0, length - 1, initial, &[steps]);
                for segment in &mut segments {
                    segment.end_ns = length * grid_ns;
                    segment.edges_ns.iter_mut().for_each(|edge| *edge *= grid_ns);
                }
                Channel { name: format!("D{index}"), segments }
            });
            Trace { channels: channels.collect(), ..Trace::default() }
        })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn csv_holds_everything(trace in gapped()) {
        prop_assert_eq!(through_csv(&trace), trace);
    }

    #[test]
    fn vcd_holds_everything(trace in gapped(), rate in prop::option::of(1e-3..1e12)) {
        let trace = Trace { sample_rate_hz: rate, ..trace };
        prop_assert_eq!(through_vcd(&trace), trace);
    }

    #[test]
    fn from_csv_to_vcd_and_back_nothing_is_lost(trace in gapped()) {
        let csv = through_csv(&trace);
        prop_assert_eq!(through_csv(&through_vcd(&csv)), trace);
    }

    #[test]
    fn a_sigrok_session_holds_every_edge(trace in sampled()) {
        prop_assert_eq!(through_sr(&trace).channels, trace.channels.clone());
        prop_assert_eq!(through_csv(&through_sr(&through_vcd(&trace))).channels, trace.channels);
    }
}
