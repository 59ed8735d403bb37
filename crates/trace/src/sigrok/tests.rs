use std::io::Cursor;

use super::*;
use crate::made::{archive, session};
use crate::memory::MemoryLimit;
use crate::select::{Pick, Selection};
use crate::sink::Recorder;
use crate::trace::{Channel, Segment, Trace};

const METADATA: &str = "[global]\nsigrok version=0.5.2\n\n[device 1]\ncapturefile=logic-1\n\
    total probes=3\nsamplerate=1 MHz\ntotal analog=0\nprobe1=D0\nprobe2=D1\nprobe3=D 2\nunitsize=1\n";

fn parse_with(bytes: &[u8], options: &ReadOptions) -> Result<Trace, At> {
    let mut recorder = Recorder::default();
    read(Cursor::new(bytes), options, &mut recorder)?;
    Ok(recorder.into_trace())
}

fn parse(bytes: &[u8]) -> Result<Trace, At> {
    parse_with(bytes, &ReadOptions::default())
}

fn message(bytes: &[u8]) -> String {
    let at = parse(bytes).expect_err("bad input");
    format!("{}{}", at.place, at.problem)
}

fn segment(begin_ns: i64, end_ns: i64, initial: bool, edges_ns: &[i64]) -> Segment {
    Segment { begin_ns, end_ns, initial, edges_ns: edges_ns.to_vec() }
}

fn trace_of(begin_ns: i64, end_ns: i64, edges: &[&[i64]]) -> Trace {
    let channels = edges.iter().enumerate().map(|(index, edges)| Channel {
        name: format!("c{index}"),
        segments: vec![segment(begin_ns, end_ns, index % 2 == 1, edges)],
    });
    Trace { channels: channels.collect(), ..Trace::default() }
}

fn written(trace: &Trace) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    write(&mut bytes, trace).unwrap();
    bytes.into_inner()
}

fn member(bytes: &[u8], name: &str) -> Vec<u8> {
    Archive::open(Cursor::new(bytes), MemoryLimit::default()).unwrap().whole(name, "it").unwrap()
}

#[test]
fn pieces_are_one_capture_and_unused_bits_do_not_matter() {
    let bytes = session(METADATA, &[&[0b000, 0b001, 0b1000_0001], &[0b011, 0b010], &[0b110]]);
    let trace = parse(&bytes).unwrap();
    assert_eq!(trace.sample_rate_hz, Some(1e6));
    let edges: Vec<&[i64]> =
        trace.channels.iter().map(|c| c.segments[0].edges_ns.as_slice()).collect();
    assert_eq!(edges, [&[1_000, 4_000][..], &[3_000], &[5_000]]);
    assert_eq!(trace.channels[2].name, "D 2");
    assert_eq!((trace.begin_ns(), trace.end_ns()), (0, 6_000));
}

#[test]
fn samples_may_lie_across_pieces_and_be_of_any_width() {
    for unit in 1..=8 {
        let metadata = METADATA.replace("unitsize=1", &format!("unitsize={unit}"));
        let samples: Vec<u8> = (0..30_000u32)
            .flat_map(|n| u64::from(n / 777 % 2).to_le_bytes()[..unit].to_vec())
            .collect();
        let cut = samples.len() / 3;
        let trace = parse(&session(&metadata, &[&samples[..cut], &samples[cut..]])).unwrap();
        let expected: Vec<i64> = (1..=38).map(|n| n * 777_000).collect();
        assert_eq!(trace.channels[0].segments[0].edges_ns, expected, "{unit}");
    }
}

#[test]
fn channels_are_chosen_in_any_order_and_inverted() {
    let bytes = session(METADATA, &[&[0b000, 0b100, 0b110, 0b111]]);
    let picks = vec![Pick { channel: "D 2".into(), invert: true }, Pick::new("D0")];
    let options = ReadOptions { selection: Selection::Picks(picks), ..ReadOptions::default() };
    let trace = parse_with(&bytes, &options).unwrap();
    assert_eq!(trace.channels[0].segments, [segment(0, 4_000, true, &[1_000])]);
    assert_eq!(trace.channels[1].segments, [segment(0, 4_000, false, &[3_000])]);
}

#[test]
fn the_rate_is_the_coarsest_that_holds_every_edge() {
    for (edges, end, rate) in [
        (&[4_000, 10_000][..], 20_000, "500 kHz"),
        (&[4_000, 10_040], 20_000, "25 MHz"),
        (&[3, 7], 20, "1 GHz"),
        (&[1_000_000_000], 3_000_000_000, "1 Hz"),
        (&[300, 600], 900, "10 MHz"),
        (&[], 0, "1 GHz"),
    ] {
        let trace = trace_of(0, end, &[edges, &[]]);
        let bytes = written(&trace);
        let metadata = String::from_utf8(member(&bytes, "metadata")).unwrap();
        assert!(metadata.contains(&format!("samplerate={rate}\n")), "{metadata}");
        let read = parse(&bytes).unwrap();
        assert_eq!(read.channels[0].segments[0].edges_ns, edges);
        assert_eq!(read.end_ns(), end.max(1));
    }
}

#[test]
fn what_is_written_is_what_sigrok_expects() {
    let bytes = written(&trace_of(-5_000, 0, &[&[-3_000], &[-3_000, -2_000]]));
    assert_eq!(member(&bytes, "version"), b"2");
    assert_eq!(
        String::from_utf8(member(&bytes, "metadata")).unwrap(),
        "[global]\nsigrok version=0.5.2\n\n[device 1]\ncapturefile=logic-1\ntotal probes=2\n\
         samplerate=1 MHz\ntotal analog=0\nprobe1=c0\nprobe2=c1\nunitsize=1\n"
    );
    assert_eq!(member(&bytes, "logic-1-1"), [0b10, 0b10, 0b01, 0b11, 0b11]);
}

#[test]
fn an_edge_on_the_last_instant_gets_a_sample_of_its_own() {
    let read = parse(&written(&trace_of(0, 40, &[&[10, 40]]))).unwrap();
    assert_eq!(read.channels[0].segments, [segment(0, 50, false, &[10, 40])]);
}

#[test]
fn more_samples_than_a_piece_and_more_channels_than_a_byte_survive() {
    let edges: Vec<i64> = (1..100).map(|n| n * 123_457_000).collect();
    let many: Vec<&[i64]> = (0..17).map(|n| &edges[n..]).collect();
    let trace = trace_of(0, 13_000_000_000, &many);
    let read = parse(&written(&trace)).unwrap();
    assert_eq!(read.channels, trace.channels);
    assert_eq!(read.sample_rate_hz, Some(1e6));
}

#[test]
fn what_samples_cannot_hold_is_refused_with_what_can() {
    let refused = |trace: &Trace| {
        let problem = write(Cursor::new(Vec::new()), trace).unwrap_err().to_string();
        assert!(problem.starts_with("a sigrok session cannot represent "), "{problem}");
        assert!(problem.ends_with("; write VCD instead"), "{problem}");
        problem
    };
    let mut gap = trace_of(0, 100, &[&[10], &[20]]);
    gap.channels[1].segments = vec![segment(0, 30, false, &[]), segment(40, 100, true, &[])];
    assert!(refused(&gap).contains("gaps, which channel \"c1\" has"));
    gap.channels[1].segments = vec![segment(0, 90, false, &[])];
    assert!(refused(&gap).contains("gaps, which channel \"c1\" has"));
    let long = trace_of(0, 100_000_000_000, &[&[3]]);
    assert!(refused(&long).contains("100000000000 samples at 1 GHz, which exceed 4 GiB"));
    assert!(refused(&Trace::default()).contains("a trace without channels"));
}

#[test]
fn what_the_format_rules_out_is_refused() {
    let one: &[&[u8]] = &[&[0]];
    let with = |from: &str, to: &str| message(&session(&METADATA.replace(from, to), one));
    assert!(with("unitsize=1", "unitsize=").contains("member metadata: unitsize is missing"));
    assert!(with("unitsize=1", "unitsize=9").contains("unitsize is 9; expected 1 to 8"));
    assert!(with("1 MHz", "fast").contains("samplerate is fast; expected a rate such as 24 MHz"));
    assert!(with("1 MHz", "0").contains("samplerate is 0"));
    assert!(with("1 MHz", "2 GHz").contains("samplerate is 2 GHz; expected"));
    assert!(with("probe3", "probe9").contains("a probe is probe9; expected at most 8"));
    assert!(with("probe3", "probe99").contains("a probe is probe99; expected probe1 to"));
    assert!(with("probe3", "probe1").contains("a probe is probe1; expected each probe once"));
    assert!(with("probe3=D 2", "probe3").contains("a line is probe3; expected key=value"));
    assert!(with("probe", "pribe").contains("0 channel(s)"));
    assert!(with("unitsize=1", "unitsize=1\n[device 2]\ncapturefile=logic-2").contains("is 2;"));
    assert!(with("capturefile=logic-1\n", "analog1=A0\n").contains("analogue samples only"));
    assert!(with("capturefile=logic-1\n", "").contains("with a capturefile is 0; expected 1"));
    assert!(with("capturefile=logic-1", "capturefile=x").contains("the archive has no x-1"));
    let not_text = archive(&[("version", b"2"), ("metadata", &[0xff, 0xfe])]);
    assert!(message(&not_text).contains("member metadata: binary data where text"));
    let version = archive(&[("version", b"3"), ("metadata", METADATA.as_bytes())]);
    assert!(message(&version).contains("version 3 is unknown; airlag reads 1 and 2"));
    assert!(with("samplerate=1 MHz\n", "").contains("samplerate is missing; expected a rate such"));
    let analog = "total probes=0\ntotal analog=1\nanalog1=A0\nsamplerate=1 MHz\n";
    let analog = format!("[device 1]\ncapturefile=logic-1\n{analog}");
    assert!(message(&session(&analog, one)).contains("analogue samples only"));
    assert!(message(&session(METADATA, &[&[]])).contains("inside the samples: there is none"));
    let wide = METADATA.replace("unitsize=1", "unitsize=2");
    assert!(
        message(&session(&wide, &[&[0, 0, 0]])).contains("logic-1-1: the file ends inside a s")
    );
    let slow = METADATA.replace("1 MHz", "1 Hz");
    assert!(parse(&session(&slow, one)).is_ok());
}

#[test]
fn version_1_is_read_as_it_was_written() {
    let metadata = "[global]\nsigrok version = 0.1.0\n[device 1]\ndriver = fx2lafw\n\
        capturefile = logic-1\nunitsize = 1\ntotal probes = 8\nsamplerate = 200 kHz\n\
        probe1 = CS#\nprobe4 = Recv PAN1321/FTDI TX\n";
    let members: [(&str, &[u8]); 3] = [
        ("version", b"1"),
        ("logic-1", &[0b1000, 0b1001, 0b0001]),
        ("metadata", metadata.as_bytes()),
    ];
    let trace = parse(&archive(&members)).unwrap();
    let names: Vec<&str> = trace.channels.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["CS#", "Recv PAN1321/FTDI TX"]);
    assert_eq!(trace.sample_rate_hz, Some(2e5));
    assert_eq!(trace.channels[0].segments, [segment(0, 15_000, false, &[5_000])]);
    assert_eq!(trace.channels[1].segments, [segment(0, 15_000, true, &[10_000])]);
    let other = metadata.replace("logic-1", "capture.bin").replace("unitsize = 1\n", "");
    let renamed =
        [("version", members[0].1), ("metadata", other.as_bytes()), ("capture.bin", members[1].1)];
    assert_eq!(parse(&archive(&renamed)).unwrap(), trace);
}

#[test]
fn analogue_samples_beside_the_logic_are_passed_over() {
    let metadata = METADATA.replace("total analog=0\n", "total analog=1\nanalog4=A0\n");
    let members: [(&str, &[u8]); 4] = [
        ("version", b"2"),
        ("metadata", metadata.as_bytes()),
        ("analog-1-4-1", &[0; 8]),
        ("logic-1-1", &[0, 1]),
    ];
    let trace = parse(&archive(&members)).unwrap();
    assert_eq!(trace.channels.len(), 3);
    assert_eq!(trace.channels[0].segments[0].edges_ns, [1_000]);
}

#[test]
fn a_missing_piece_is_named() {
    let text: &[u8] = METADATA.as_bytes();
    let pieces: [(&str, &[u8]); 4] =
        [("version", b"2"), ("metadata", text), ("logic-1-1", &[0]), ("logic-1-3", &[0])];
    assert!(message(&archive(&pieces)).contains("the archive has no logic-1-2"));
    let whole: [(&str, &[u8]); 3] = [("version", b"2"), ("metadata", text), ("logic-1", &[0, 1])];
    assert_eq!(parse(&archive(&whole)).unwrap().channels[0].segments[0].edges_ns, [1_000]);
}

#[test]
fn an_archive_cut_or_changed_anywhere_is_an_error_or_the_same() {
    let whole = session(METADATA, &[&[0, 1, 3], &[2, 6, 7]]);
    let expected = parse(&whole).unwrap();
    for index in 0..whole.len() {
        assert!(parse(&whole[..index]).is_err(), "{index}");
        let mut changed = whole.clone();
        changed[index] ^= 0x04;
        if let Ok(trace) = parse(&changed) {
            assert_eq!(trace, expected, "byte {index}");
        }
    }
}

#[test]
fn an_archive_that_unpacks_to_too_much_is_refused() {
    let bomb = session(METADATA, &[&vec![0; 1 << 20], &vec![0; 1 << 20]]);
    let options = ReadOptions { memory: MemoryLimit::of(3 << 15), ..ReadOptions::default() };
    let refused = parse_with(&bomb, &options).unwrap_err().problem;
    assert!(matches!(refused, Problem::TooLarge { .. }), "{refused}");
    let text = vec![b'#'; 17 << 20];
    let bomb = archive(&[("version", b"2"), ("metadata", &text)]);
    assert!(
        message(&bomb).contains("expected at most 16MiB with a memory limit of 2GiB"),
        "{}",
        message(&bomb)
    );
}
