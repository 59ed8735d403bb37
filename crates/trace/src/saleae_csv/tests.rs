use super::*;
use crate::select::{Pick, Selection};
use crate::sink::Recorder;
use crate::trace::Trace;

fn parse_with(text: &str, options: &ReadOptions) -> Result<Trace, At> {
    let mut recorder = Recorder::default();
    read(text.as_bytes(), options, &mut recorder)?;
    Ok(recorder.into_trace())
}

fn parse(text: &str) -> Result<Trace, At> {
    parse_with(text, &ReadOptions::default())
}

fn message(text: &str) -> String {
    let at = parse(text).expect_err("bad input");
    format!("{}{}", at.place, at.problem)
}

const ISO: &str = "Time [s],Channel 0,Channel 1\n\
    2024-01-02T03:04:05.999999990+00:00,0,1\n\
    2024-01-02T03:04:06.000000010+00:00,1,1\n\
    2024-01-02T03:04:06.000000020+00:00,0,0\n\
    2024-01-02T03:04:06.000000040+00:00,1,0\n\
    2024-01-02T03:04:07.000000000+00:00,1,0\n";

#[test]
fn iso_stamps_count_from_the_first_row() {
    let trace = parse(ISO).unwrap();
    assert_eq!(trace.epoch_unix_ns, Some(1_704_164_645_999_999_990));
    let [trigger, done] = &trace.channels[..] else { panic!("two channels") };
    assert_eq!(trigger.segments[0].edges_ns, [20, 30, 50]);
    assert!(done.segments[0].initial);
    assert_eq!(done.segments[0].edges_ns, [30]);
    assert_eq!(trace.end_ns(), 1_000_000_010);
}

#[test]
fn a_zone_other_than_utc_is_the_same_instant() {
    let there = ISO.replace("T03:", "T14:").replace("+00:00", "+11:00");
    assert_eq!(parse(&there).unwrap(), parse(ISO).unwrap());
}

#[test]
fn windows_line_ends_a_byte_order_mark_and_a_missing_last_line_end_change_nothing() {
    let expected = parse(ISO).unwrap();
    assert_eq!(parse(&ISO.replace('\n', "\r\n")).unwrap(), expected);
    assert_eq!(parse(&format!("\u{feff}{ISO}")).unwrap(), expected);
    assert_eq!(parse(ISO.trim_end()).unwrap(), expected);
}

#[test]
fn seconds_keep_their_own_zero_and_grow_digits() {
    let trace = parse(
        "Time [s],a\n-0.000000010,0\n0.000000000,1\n9.999999999,0\n10.000000000,1\n10.500000000,1\n",
    )
    .unwrap();
    assert_eq!(trace.epoch_unix_ns, None);
    assert_eq!(trace.begin_ns(), -10);
    assert_eq!(trace.channels[0].segments[0].edges_ns, [0, 9_999_999_999, 10_000_000_000]);
}

#[test]
fn names_may_be_quoted() {
    let trace = parse("Time [s],\"Tx, \"\"node\"\"\",b\n0.0,0,0\n1.0,1,0\n").unwrap();
    assert_eq!(trace.channels[0].name, "Tx, \"node\"");
}

#[test]
fn channels_are_chosen_by_name_then_number_and_can_be_inverted() {
    let picks = vec![Pick { channel: "Channel 1".into(), invert: true }, Pick::new("0")];
    let options = ReadOptions { selection: Selection::Picks(picks), ..ReadOptions::default() };
    let trace = parse_with(ISO, &options).unwrap();
    assert!(!trace.channels[0].segments[0].initial);
    assert_eq!(trace.channels[0].segments[0].edges_ns, [30]);
    assert_eq!(trace.channels[1].segments[0].edges_ns, [20, 30, 50]);
}

#[test]
fn x_is_a_gap_of_its_channel() {
    let trace = parse("Time [s],a,b\n0,0,X\n1,1,X\n2,X,1\n3,0,1\n4,1,0\n5,X,X\n").unwrap();
    let [a, b] = &trace.channels[..] else { panic!("two channels") };
    let spans = |c: &crate::trace::Channel| {
        c.segments.iter().map(|s| (s.begin_ns / 1_000_000_000, s.end_ns / 1_000_000_000)).collect()
    };
    let (a_spans, b_spans): (Vec<_>, Vec<_>) = (spans(a), spans(b));
    assert_eq!(a_spans, [(0, 2), (3, 5)]);
    assert_eq!(b_spans, [(2, 5)]);
    assert_eq!(a.segments[1].edges_ns, [4_000_000_000]);
}

#[test]
fn errors_name_the_line_and_what_would_be_right() {
    let head = "Time [s],a,b\n0.0,0,0\n";
    let cases = [
        (format!("{head}1.0,1\n"), "line 3: 2 columns where the header names 3"),
        (format!("{head}1.0,1,2\n"), "line 3: bad level \"2\"; expected 0, 1 or X"),
        (format!("{head}soon,1,0\n"), "line 3: bad timestamp \"soon\""),
        (format!("{head}2.0,1,0\n1.0,0,0\n"), "line 4: time goes back"),
        (format!("{head}1.0,\u{0}\u{1},0\n"), "line 3: binary data where text is expected"),
        (format!("{head}1.0,0.31,2.2\n"), "line 3: the file contains analogue samples"),
        (format!("{head}9999999999.0,1,0\n"), "line 3: time 9999999999.0 is outside"),
        ("Time [ms],a,b\n0,0,0\n".to_owned(), "line 1: unit \"ms\" is unknown"),
        ("Time [s],a,b\n".to_owned(), "the file ends inside the header"),
        ("Time [s],a,b".to_owned(), "the file ends inside the header line"),
    ];
    for (text, expected) in cases {
        assert!(message(&text).starts_with(expected), "{text:?}: {}", message(&text));
    }
}

#[test]
fn a_line_without_end_is_refused_in_bounded_memory() {
    let endless = std::io::repeat(b'7').take(4 << 30);
    let input = b"Time [s],a,b\n0.0,0,0\n".chain(endless);
    let problem = read(input, &ReadOptions::default(), &mut Recorder::default())
        .expect_err("refused")
        .problem;
    assert!(matches!(problem, Problem::LineTooLong { .. }));
}

/// A capture of several blocks from a simple generator: rows at increasing distances.
fn long_capture(rows: u64) -> String {
    let mut text = String::from("Time [s],a,b\n");
    let mut at_ns = 0u64;
    for row in 0..rows {
        at_ns += 1 + (row * 7919) % 100_003;
        let (seconds, nanos) = (at_ns / 1_000_000_000, at_ns % 1_000_000_000);
        text += &format!("{seconds}.{nanos:09},{},{}\n", row % 2, row / 3 % 2);
    }
    text
}

fn parse_on(cores: usize, text: &str) -> Result<Trace, At> {
    let mut recorder = Recorder::default();
    read_on(cores, text.as_bytes(), &ReadOptions::default(), &mut recorder)?;
    Ok(recorder.into_trace())
}

#[test]
fn more_cores_read_the_same() {
    let text = long_capture(200_000);
    let alone = parse_on(1, &text).unwrap();
    assert_eq!(alone.channels[0].edge_count(), 199_999);
    for cores in 2..=5 {
        assert_eq!(parse_on(cores, &text).unwrap(), alone);
    }
}

#[test]
fn more_cores_find_the_same_error_on_the_same_line() {
    let good = long_capture(200_000);
    let lines: Vec<&str> = good.lines().collect();
    for (at, wrong) in [(60_000, "0.0,1,0"), (150_001, "oops,1,0"), (199_999, "1.0,1")] {
        let mut lines = lines.clone();
        lines[at] = wrong;
        let text = lines.join("\n");
        let expected = parse_on(1, &text).expect_err("a wrong line");
        assert_eq!(expected.place, Place::Line(at as u64 + 1));
        for cores in 2..=5 {
            let found = parse_on(cores, &text).expect_err("a wrong line");
            assert_eq!(found.place, expected.place);
            assert_eq!(found.problem.to_string(), expected.problem.to_string());
        }
    }
}

#[test]
fn a_block_that_starts_earlier_than_the_last_ended_is_an_error() {
    let early = long_capture(90_000);
    let text = format!("{early}{}", early.split_once('\n').unwrap().1);
    for cores in 1..=3 {
        let at = parse_on(cores, &text).expect_err("time goes back");
        assert_eq!(at.place, Place::Line(90_002));
        assert!(matches!(at.problem, Problem::NotMonotonic { .. }));
    }
}
