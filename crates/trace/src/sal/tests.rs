use std::io::Cursor;

use proptest::prelude::*;

use super::*;
use crate::error::Problem;
use crate::made::{Wire, archive, meta, run, sal};
use crate::memory::MemoryLimit;
use crate::select::{Pick, Selection};
use crate::sink::Recorder;
use crate::trace::Segment;

const EPOCH: i64 = 1_700_000_000_123_456_000;

fn parse(bytes: &[u8]) -> Result<Trace, At> {
    let kept = read_trace(Cursor::new(bytes), &ReadOptions::default());
    let mut recorder = Recorder::default();
    let streamed = read(Cursor::new(bytes), &ReadOptions::default(), &mut recorder);
    assert_eq!(kept.is_ok(), streamed.is_ok());
    if let Ok(kept) = &kept {
        assert_eq!(*kept, recorder.into_trace());
    }
    kept
}

fn message(bytes: &[u8]) -> String {
    let at = parse(bytes).expect_err("bad input");
    format!("{}{}", at.place, at.problem)
}

fn one(wire: Wire) -> Segment {
    let trace = parse(&sal(&[(0, wire)], &[])).unwrap();
    assert_eq!(trace.channels[0].segments.len(), 1);
    trace.channels[0].segments[0].clone()
}

/// A `.sal` of one channel with a modified binary part.
fn tampered(tamper: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut wire = Wire::new(50_000_000, 2_000, false, &[100, 1_500]).bytes();
    tamper(&mut wire);
    archive(&[("digital-0.bin", &wire), ("meta.json", meta(&[]).as_bytes())])
}

#[test]
fn runs_are_coded_as_the_captures_have_them() {
    assert_eq!(run(1_671_168), [0x40, 0xe5, 0xff, 0x7f]);
    assert_eq!(run(2_500), [0x53, 0x43]);
    assert_eq!(run(868), [0x46, 0x63]);
    assert_eq!((run(1), run(64)), (vec![0x00], vec![0x3f]));
}

#[test]
fn wires_have_their_numbers_and_the_users_names() {
    let wires = [
        (5, Wire::new(50_000_000, 2_500, true, &[1, 2, 64, 65, 130, 2_200])),
        (0, Wire::new(50_000_000, 2_500, false, &[2_200])),
    ];
    let trace = parse(&sal(&wires, &[(5, "Board TX"), (0, " ")])).unwrap();
    assert_eq!(trace.epoch_unix_ns, Some(EPOCH));
    assert_eq!(trace.sample_rate_hz, Some(50e6));
    let [zero, five] = &trace.channels[..] else { panic!("two channels") };
    assert_eq!((zero.name.as_str(), five.name.as_str()), ("Channel 0", "Board TX"));
    assert_eq!(zero.segments[0].edges_ns, [44_000]);
    assert!(five.segments[0].initial);
    assert_eq!(five.segments[0].edges_ns, [20, 40, 1_280, 1_300, 2_600, 44_000]);
    assert_eq!(trace.end_ns(), 50_000);
}

#[test]
fn an_edge_between_two_chunks_is_kept() {
    let segment = one(Wire::new(100_000_000, 3_000, false, &[999, 1_000, 2_000]));
    assert_eq!(segment.edges_ns, [9_990, 10_000, 20_000]);
}

#[test]
fn what_lies_outside_the_view_is_left_out() {
    let mut wire = Wire::new(100_000_000, 9_000, false, &[3_100, 4_500, 4_700, 5_999, 6_000]);
    wire.begin = 3_000;
    (wire.first_shown, wire.last_shown) = (Some(4_500), Some(5_999));
    let trace = parse(&sal(&[(1, wire.clone())], &[])).unwrap();
    let segment = &trace.channels[0].segments[0];
    // The signal is low again at sample 4,500, because an edge on the first sample is not visible.
    assert!(!segment.initial);
    assert_eq!(segment.edges_ns, [2_000, 14_990]);
    assert_eq!((segment.begin_ns, segment.end_ns), (0, 15_000));
    assert_eq!(trace.epoch_unix_ns, Some(EPOCH + 45_000));
    (wire.first_shown, wire.last_shown) = (Some(9_000), None);
    assert!(message(&sal(&[(1, wire)], &[])).contains("over at sample 9000"));
}

#[test]
fn a_rate_without_whole_nanoseconds_rounds_each_sample_on_its_own() {
    let segment = one(Wire::new(24_000_000, 24_000, false, &[1, 2, 3, 23_999]));
    assert_eq!(segment.edges_ns, [42, 83, 125, 999_958]);
    assert_eq!(segment.end_ns, 1_000_000);
}

#[test]
fn channels_can_be_chosen_twice_and_inverted() {
    let bytes = sal(&[(3, Wire::new(1_000_000, 900, false, &[7]))], &[(3, "rx")]);
    let picks = vec![Pick::new("rx"), Pick { channel: "0".into(), invert: true }];
    let options = ReadOptions { selection: Selection::Picks(picks), ..ReadOptions::default() };
    let trace = read_trace(Cursor::new(&bytes), &options).unwrap();
    let levels: Vec<bool> = trace.channels.iter().map(|c| c.segments[0].initial).collect();
    assert_eq!(levels, [false, true]);
    let mut recorder = Recorder::default();
    read(Cursor::new(&bytes), &options, &mut recorder).unwrap();
    assert_eq!(recorder.into_trace(), trace);
}

#[test]
fn every_constant_and_length_is_asserted() {
    let cases: [(usize, &[u8], &str); 12] = [
        (0x00, b"{", "expected <SALEAE>"),
        (0x08, &[2], "digital-N.bin version 2 is unknown; airlag reads 1"),
        (0x0c, &[0], "the type is 0; expected 100"),
        (0x10, &[0], "the byte after the type is 0"),
        (0x11, &[1], "the sample rate is 50000000.00000"),
        (0x11, &f64::NAN.to_le_bytes(), "the sample rate is NaN"),
        (0x19, &[0xff; 8], "time 18446744073709551615 ms since 1970 is outside"),
        (0x21, &1.5f64.to_le_bytes(), "the fraction of a millisecond is 1.5"),
        (0x29, &[2], "a trim flag is 2"),
        (0x2b, &[0; 8], "the number of chunks is 0"),
        (0x2b, &[0xff; 8], "the file ends inside a chunk header"),
        (0x2b, &[1], "what follows the last chunk is more data"),
    ];
    for (offset, bytes, expected) in cases {
        let file = tampered(|wire| wire[offset..offset + bytes.len()].copy_from_slice(bytes));
        assert!(message(&file).starts_with("member digital-0.bin, byte "), "{}", message(&file));
        assert!(message(&file).contains(expected), "{}", message(&file));
    }
    // Parts of the first chunk: its header, 3 bytes of runs, and its index.
    let chunk: [(usize, &[u8], &str); 12] = [
        (0, &[0xff; 8], "the end of a chunk is 1000"),
        (8, &[0xff; 8], "the end of a chunk is 18446744073709551615"),
        (16, &[1], "the length of a chunk is "),
        (24, &[1], "the sample rate of a chunk is "),
        (32, &[0], "the number after the rate is 0"),
        (40, &[0xff; 8], "the bytes of a chunk is 18446744073709551615"),
        (40, &[2], "the index of a chunk"),
        (48, &[0x80], "the runs of a chunk is broken off or malformed at byte 0"),
        (48, &[0x41], "the runs of a chunk is "),
        (52, &[0; 8], "the number of index entries is 0"),
        (60, &[1], "index entry 0 is sample 1, byte 0"),
        (76, &[2], "the level of a chunk is 2"),
    ];
    for (offset, bytes, expected) in chunk {
        let offset = 0x33 + offset;
        let file = tampered(|wire| wire[offset..offset + bytes.len()].copy_from_slice(bytes));
        assert!(message(&file).contains(expected), "{offset}: {}", message(&file));
    }
}

#[test]
fn a_wire_that_ends_early_is_an_error_wherever_it_ends() {
    let whole = Wire::new(50_000_000, 2_000, false, &[100, 1_500]).bytes();
    for length in 0..whole.len() {
        let file = tampered(|wire| wire.truncate(length));
        assert!(message(&file).contains("the file ends inside"), "{length}: {}", message(&file));
    }
}

#[test]
fn an_archive_cut_anywhere_is_an_error() {
    let whole = sal(&[(0, Wire::new(50_000_000, 2_000, false, &[100]))], &[]);
    for length in 0..whole.len() {
        assert!(parse(&whole[..length]).is_err(), "{length}");
    }
}

#[test]
fn a_changed_byte_of_packed_data_does_not_go_unnoticed() {
    let whole = sal(&[(0, Wire::new(50_000_000, 2_000, false, &[100]))], &[]);
    let expected = parse(&whole).unwrap();
    for index in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[index] ^= 0x10;
        if let Ok(trace) = parse(&bytes) {
            assert_eq!(trace, expected, "byte {index}");
        }
    }
}

#[test]
fn the_version_of_the_settings_says_nothing_about_the_edges() {
    let wire = Wire::new(1_000_000, 900, false, &[7]).bytes();
    let with = |meta: &str| archive(&[("digital-0.bin", &wire), ("meta.json", meta.as_bytes())]);
    let expected = parse(&with(r#"{"version":15}"#)).unwrap();
    for meta in [
        "{}",
        r#"{"version":10,"data":{}}"#,
        r#"{"version":"22","data":{"rowsSettings":{"new":"shape"}},"added":[1]}"#,
        r#"{"version":16,"data":{"rowsSettings":[7,{"name":"a"},{"name":5,"channel":null}]}}"#,
    ] {
        assert_eq!(parse(&with(meta)).unwrap(), expected, "{meta}");
    }
}

#[test]
fn names_are_found_where_each_version_keeps_them() {
    let wires = [(1, Wire::new(1_000_000, 900, false, &[7]))];
    let bytes = wires[0].1.bytes();
    for (channel, name) in [
        (r#"{"type":"Digital","deviceChannel":1}"#, "CS#"),
        (r#"{"type":"Digital","index":1}"#, "CS#"),
        (r#"{"category":"legacy","type":"Digital","deviceChannel":1}"#, "CS#"),
        (r#"{"category":"instrument","type":"Digital","deviceChannel":1}"#, "Channel 1"),
        (r#"{"category":"legacy","type":"Analog","deviceChannel":1}"#, "Channel 1"),
    ] {
        let row = format!(r#"{{"name":"CS#","channel":{channel}}}"#);
        let meta = format!(r#"{{"version":16,"data":{{"rowsSettings":[{row}]}}}}"#);
        let file = archive(&[("meta.json", meta.as_bytes()), ("digital-1.bin", &bytes)]);
        assert_eq!(parse(&file).unwrap().channels[0].name, name, "{channel}");
    }
}

#[test]
fn members_that_hold_no_digital_samples_are_passed_over() {
    let wire = Wire::new(1_000_000, 900, false, &[7]).bytes();
    let meta = meta(&[]);
    let file = archive(&[
        ("analog-0.bin", b"<SALEAE>\x01\0\0\0\x65\0\0\0"),
        ("digital-0.bin", &wire),
        ("instrument-0-Digital-0.bin", b"?"),
        ("trigger-store.bin", b"?"),
        ("meta.json", meta.as_bytes()),
    ]);
    let trace = parse(&file).unwrap();
    assert_eq!(trace.channels.len(), 1);
    assert_eq!(trace.channels[0].segments[0].edges_ns, [7_000]);
}

#[test]
fn a_wire_that_stops_before_another_has_a_gap_to_the_end() {
    let wires = [
        (0, Wire::new(1_000_000, 900, false, &[7])),
        (2, Wire::new(1_000_000, 2_900, false, &[7, 2_000])),
    ];
    let trace = parse(&sal(&wires, &[])).unwrap();
    assert_eq!(trace.channels[0].segments[0].end_ns, 900_000);
    assert_eq!(trace.channels[1].segments[0].edges_ns, [7_000, 2_000_000]);
    assert_eq!(trace.end_ns(), 2_900_000);
}

#[test]
fn what_is_needed_and_missing_is_named() {
    let wire = Wire::new(1_000_000, 900, false, &[7]).bytes();
    let with = |meta: &str| archive(&[("digital-0.bin", &wire), ("meta.json", meta.as_bytes())]);
    assert!(message(&with("{")).contains("member meta.json: the JSON text is EOF"));
    let missing = archive(&[("digital-0.bin", &wire)]);
    assert!(message(&missing).contains("the archive has no meta.json"));
    let empty = archive(&[("meta.json", meta(&[]).as_bytes())]);
    assert!(message(&empty).contains("the archive has no digital-0.bin"));
    let analog = archive(&[("meta.json", b"{}"), ("analog-0.bin", b"")]);
    assert!(message(&analog).contains("the file contains analogue samples only"));
}

#[test]
fn channels_of_another_capture_are_refused() {
    let mut other = Wire::new(1_000_000, 900, false, &[7]);
    let first = other.clone();
    other.unix_ms += 1;
    assert!(message(&sal(&[(0, first), (1, other)], &[])).contains("as in other channels"));
}

#[test]
fn an_archive_that_unpacks_to_too_much_is_refused() {
    let zeros = vec![0; 100_000];
    let bomb = archive(&[("meta.json", meta(&[]).as_bytes()), ("digital-0.bin", &zeros)]);
    let options = ReadOptions { memory: MemoryLimit::of(4_000), ..ReadOptions::default() };
    let declared = read_trace(Cursor::new(&bomb), &options).unwrap_err().problem;
    assert!(matches!(declared, Problem::TooLarge { .. }), "{declared}");
    // The directory at the end of the archive declares a wrong size.
    let mut lying = bomb.clone();
    let size = 100_000u32.to_le_bytes();
    for at in 0..lying.len() - 4 {
        if lying[at..at + 4] == size {
            lying[at..at + 4].copy_from_slice(&1_000u32.to_le_bytes());
        }
    }
    assert!(parse(&lying).is_err());
    let spaces = vec![b' '; 17 << 20];
    let wire = Wire::new(1_000_000, 900, false, &[7]).bytes();
    let settings = archive(&[("meta.json", &spaces), ("digital-0.bin", &wire)]);
    let expected = "expected at most 16MiB with a memory limit of 2GiB; raise it with --memory";
    assert!(message(&settings).contains(expected));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_edges_in_any_chunks_seen_through_any_view_are_found(
        steps in prop::collection::vec(1u64..3_000, 0..60),
        chunk in 1u64..5_000,
        initial: bool,
        view in prop::option::of((0u64..20_000, 1u64..20_000)),
    ) {
        let edges: Vec<u64> = steps
            .iter()
            .scan(0, |at, step| {
                *at += step;
                Some(*at)
            })
            .collect();
        let end = edges.last().map_or(1, |last| last + 1);
        let (first, last) = view.map_or((0, end - 1), |(first, length)| {
            let first = first % end;
            (first, (first + length).min(end - 1))
        });
        prop_assume!(first < last || view.is_none());
        let mut wire = Wire::new(50_000_000, end, initial, &edges);
        wire.chunk = chunk;
        if view.is_some() {
            (wire.first_shown, wire.last_shown) = (Some(first), Some(last));
        }
        let ns = |sample: u64| ((sample - first) * 20).cast_signed();
        let before = edges.iter().filter(|&&edge| edge <= first).count();
        let shown = edges.iter().filter(|&&edge| edge > first && edge <= last);
        let expected = Segment {
            begin_ns: 0,
            end_ns: ns(last + 1),
            initial: initial ^ (before % 2 == 1),
            edges_ns: shown.map(|&edge| ns(edge)).collect(),
        };
        prop_assert_eq!(one(wire), expected);
    }
}
