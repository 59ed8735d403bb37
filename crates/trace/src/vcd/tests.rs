use super::*;
use crate::error::Problem;
use crate::select::{Pick, Selection};
use crate::sink::Recorder;
use crate::trace::{Channel, Segment, Trace};

fn parse_with(text: &[u8], options: &ReadOptions) -> Result<Trace, At> {
    let mut recorder = Recorder::default();
    read(text, options, &mut recorder)?;
    Ok(recorder.into_trace())
}

fn parse(text: &str) -> Result<Trace, At> {
    parse_with(text.as_bytes(), &ReadOptions::default())
}

fn message(text: &str) -> String {
    let at = parse(text).expect_err("bad input");
    format!("{}{}", at.place, at.problem)
}

fn segment(begin_ns: i64, end_ns: i64, initial: bool, edges_ns: &[i64]) -> Segment {
    Segment { begin_ns, end_ns, initial, edges_ns: edges_ns.to_vec() }
}

fn channel(name: &str, segments: Vec<Segment>) -> Channel {
    Channel { name: name.to_owned(), segments }
}

const HEADER: &str = "$timescale 1 ns $end $scope module top $end \
    $var wire 1 ! a $end $var wire 1 \" b $end $upscope $end $enddefinitions $end ";

fn body(text: &str) -> Trace {
    parse(&format!("{HEADER}{text}")).unwrap()
}

#[test]
fn changes_of_one_instant_are_one_row() {
    let trace = body("\n#10\n$dumpvars\n0!\n1\"\n$end\n#250\n1!\n#300\n0!\n0\"\n#1000\n");
    assert_eq!(trace.channels[0], channel("a", vec![segment(10, 1000, false, &[250, 300])]));
    assert_eq!(trace.channels[1], channel("b", vec![segment(10, 1000, true, &[300])]));
    assert_eq!(trace.epoch_unix_ns, None);
}

#[test]
fn white_space_is_free_and_the_last_line_may_lack_its_end() {
    let expected = body("#10 0! 1\" #250 1! #300 0! 0\" #1000");
    assert_eq!(body("#10\r\n0!\r\n1\"\r\n#250\r\n1!\r\n#300\t0!\n\n0\"\n#1000\n"), expected);
    assert_eq!(
        body("$comment #7 1! $end #10 $dumpvars 0! 1\" $end #250 1! #300 0! 0\" #1000 "),
        expected
    );
}

#[test]
fn x_and_z_are_gaps_and_values_before_the_first_stamp_are_at_0() {
    let trace = body("0! x\" #5 1\" #7 z! 1\" #9 1! #12");
    let a = vec![segment(0, 7, false, &[]), segment(9, 12, true, &[])];
    assert_eq!(trace.channels[0].segments, a);
    assert_eq!(trace.channels[1].segments, [segment(5, 12, true, &[])]);
}

#[test]
fn time_scales_from_seconds_to_femtoseconds_round_to_nanoseconds() {
    let edge = |scale: &str, steps: u64| {
        let text = format!("{HEADER}#0 0! #{steps} 1! #{}", steps * 2);
        let trace = parse(&text.replace("1 ns", scale)).unwrap();
        trace.channels[0].segments[0].edges_ns[0]
    };
    assert_eq!(edge("1s", 3), 3_000_000_000);
    assert_eq!(edge("10 ms", 3), 30_000_000);
    assert_eq!(edge("100us", 3), 300_000);
    assert_eq!(edge("100 ns", 3), 300);
    assert_eq!(edge("1ps", 1_499), 1);
    assert_eq!(edge("1 ps", 1_500), 2);
    assert_eq!(edge("10ps", 149), 1);
    assert_eq!(edge("100 fs", 10_005_000), 1_001);
}

#[test]
fn a_pulse_within_one_nanosecond_is_not_seen() {
    let text = format!("{HEADER}#0 0! #600 1! #1200 0! #9000").replace("1 ns", "1 ps");
    assert_eq!(parse(&text).unwrap().channels[0].segments, [segment(0, 9, false, &[])]);
}

#[test]
fn vectors_reals_strings_and_events_are_passed_over() {
    let trace = parse(
        "$timescale 1 ns $end $var wire 8 !! bus [7:0] $end $var real 64 r volts $end \
         $var event 1 e tick $end $var string 1 s text $end $var reg 1 $ bit [3] $end \
         $enddefinitions $end #0 b10x1 !! r1.5e3 r b1 $ sidle s 1e #4 b0 $ bz !! r2 r #5 b00x $ #6",
    )
    .unwrap();
    let [bit] = &trace.channels[..] else { panic!("one channel") };
    assert_eq!(*bit, channel("bit[3]", vec![segment(0, 5, true, &[4])]));
}

#[test]
fn names_carry_the_scopes_that_tell_them_apart() {
    let trace = parse(
        "$timescale 1 ns $end $scope module top $end $scope module left $end $var wire 1 ! clk $end \
         $upscope $end $scope module right $end $var wire 1 \"x clk $end $var wire 1 #xyz d $end \
         $upscope $end $upscope $end $enddefinitions $end #0 0! 1\"x 1#xyz #3 1! 0#xyz #4",
    )
    .unwrap();
    let names: Vec<&str> = trace.channels.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["left.clk", "right.clk", "right.d"]);
    assert_eq!(trace.channels[2].segments, [segment(0, 4, true, &[3])]);
}

#[test]
fn one_code_may_have_two_names_and_channels_can_be_chosen_and_inverted() {
    let text = "$timescale 1 ns $end $var wire 1 ! a $end $var wire 1 ! b $end \
        $var wire 1 % c $end $enddefinitions $end #0 0! 1% #3 1! #5 x! #6 0% #9";
    let picks = vec![Pick::new("b"), Pick { channel: "a".into(), invert: true }];
    let options = ReadOptions { selection: Selection::Picks(picks), ..ReadOptions::default() };
    let trace = parse_with(text.as_bytes(), &options).unwrap();
    assert_eq!(trace.channels[0], channel("b", vec![segment(0, 5, false, &[3])]));
    assert_eq!(trace.channels[1], channel("a", vec![segment(0, 5, true, &[3])]));
    // The selected channels do not change later.
    assert_eq!(trace.end_ns(), 5);
}

#[test]
fn words_that_lie_across_the_buffer_are_whole() {
    let mut text = format!("{HEADER}#0 0! 0\"\n");
    for n in 1..100_000 {
        text += &format!("#{}\n{}!\n", n * 1_000, n % 2);
    }
    let trace = parse(&text).unwrap();
    let expected: Vec<i64> = (1..100_000).map(|n| n * 1_000).collect();
    assert_eq!(trace.channels[0].segments[0].edges_ns, expected);
}

#[test]
fn errors_name_the_line_and_what_would_be_right() {
    let head = "$timescale 1 ns $end\n$var wire 1 ! a $end\n$enddefinitions $end\n#5\n";
    let cases = [
        (format!("{head}2!\n"), "line 5: bad level \"\\\"2!\\\"\"; expected 0, 1 or X"),
        (format!("{head}1?\n"), "line 5: the identifier code is \"?\"; expected one that $var"),
        (format!("{head}1\n"), "line 5: the identifier code is \"\"; expected one that $var"),
        (format!("{head}1!\n#4\n"), "line 6: time goes back from 5 ns to 4 ns"),
        (format!("{head}1!\n#\n"), "line 6: bad number \"\"; expected a whole number"),
        (format!("{head}1!\n#-6\n"), "line 6: bad number \"-6\"; expected a whole number"),
        (format!("{head}1!\n#6.5\n"), "line 6: bad number \"6.5\"; expected a whole number"),
        (format!("{head}#18446744073709551616\n"), "line 5: time 18446744073709551616 is outside"),
        (format!("{head}#18446744073709551615\n"), "line 5: time 18446744073709551615 is outside"),
        (format!("{head}1!\n\u{1}\u{2}\n"), "line 6: binary data where text is expected"),
        (format!("{head}b12 !\n"), "line 5: bad level"),
        (format!("{head}$dumpvars 1!\n"), "line 6: the file ends inside a value or a section"),
        (format!("{head}$comment 1!\n"), "line 6: the file ends inside a value or a section"),
        (format!("{head}b1"), "line 5: the file ends inside a value or a section"),
        (head.replace("#5\n", ""), "line 4: the file ends inside the header: no value follows"),
        (head.to_owned(), "line 5: the file ends inside the header: no value follows"),
        (head.replace("1 ns", "1 minute"), "line 1: unit \"1minute\" is unknown"),
        (head.replace("1 ns", "5 ns"), "line 1: unit \"5ns\" is unknown; expected 1, 10"),
        (head.replace("$timescale 1 ns $end", ""), "line 3: bad header: no $timescale"),
        (head.replace("$enddefinitions $end", ""), "line 4: bad header: #5; expected a section"),
        (head.replace(" $end", ""), "line 5: the file ends inside a section of the header"),
        (head.replace("1 !", "one !"), "line 2: bad number \"one\""),
        (head.replace("wire 1 ! a", "wire 1"), "line 2: a $var section is wire 1; expected such"),
        (head.replace("wire 1", "real 64"), "line 3: the file contains reals or events only"),
        (head.replace("wire 1", "wire 8"), "line 3: 0 channel(s)"),
        ("$timescale 1 ns $end".to_owned(), "line 1: the file ends inside the header"),
    ];
    for (text, expected) in cases {
        assert!(message(&text).starts_with(expected), "{text:?}: {}", message(&text));
    }
}

#[test]
fn text_without_end_is_refused_in_bounded_memory() {
    let refused = |start: &[u8], unit: &'static [u8], bytes: u64| {
        let endless = Repeat { unit, at: 0 }.take(bytes);
        read(start.chain(endless), &ReadOptions::default(), &mut Recorder::default())
            .expect_err("refused")
            .problem
    };
    for start in ["$timescale 1 ns", "$comment ", HEADER, "$scope module "] {
        let problem = refused(start.as_bytes(), b"7", 4 << 30);
        assert!(matches!(problem, Problem::LineTooLong { .. }), "{start}: {problem}");
    }
    let words = b"a comment of rather long words, which are quicker to pass over than short ones, \
        andthiswordisthelongestofthemallbecausethetestisnottotakeminutestocometoitsendatlast ";
    let problem = refused(b"$comment ", words, 1 << 30);
    assert!(matches!(problem, Problem::HeaderTooLong { .. }), "{problem}");
    let problem = refused(b"", b"$scope module deep $end ", 1 << 30);
    assert!(matches!(problem, Problem::BadField { .. }), "{problem}");

    struct Repeat {
        unit: &'static [u8],
        at: usize,
    }
    impl Read for Repeat {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            for byte in into.iter_mut() {
                *byte = self.unit[self.at];
                self.at = (self.at + 1) % self.unit.len();
            }
            Ok(into.len())
        }
    }
}

#[test]
fn a_dump_cut_anywhere_is_an_error_or_ends_earlier() {
    let text = "$timescale 1 ns $end\n$var wire 1 !! a $end\n$enddefinitions $end\n\
        #5\n$dumpvars\n0!!\n$end\n#20\n1!!\n#30\n0!!\n#100\n";
    let whole = parse(text).unwrap();
    let header = text.find("#20").unwrap();
    for length in 0..text.len() - 1 {
        match parse(&text[..length]) {
            Ok(part) => {
                assert!(length > header - 9, "{length}");
                let (part, whole) = (&part.channels[0], &whole.channels[0]);
                if let [part] = &part.segments[..] {
                    assert!(whole.segments[0].edges_ns.starts_with(&part.edges_ns), "{length}");
                }
            }
            Err(at) => assert!(at.problem.to_string().len() > 10),
        }
    }
    // The part of a word after the cut is read as another word.
    for (cut, found) in [("#2\n", "goes back"), ("1!\n", "identifier code"), ("1\n", "identifier")]
    {
        let text = format!("{}{cut}", &text[..header]);
        assert!(message(&text).contains(found), "{text}");
    }
}

#[test]
fn what_is_written_is_what_viewers_expect() {
    let trace = Trace {
        epoch_unix_ns: Some(1_704_164_645_678_901_234),
        sample_rate_hz: Some(100e6),
        channels: vec![
            channel("trigger", vec![segment(0, 900, false, &[250, 300])]),
            channel("a b", vec![segment(0, 300, true, &[]), segment(400, 900, false, &[900])]),
        ],
        current: None,
    };
    let mut bytes = Vec::new();
    write(&mut bytes, &trace).unwrap();
    let version = concat!("$version airlag ", env!("CARGO_PKG_VERSION"), " $end\n");
    let expected = [
        "$date 2024-01-02T03:04:05.678901234+00:00 $end\n",
        "$comment airlag epoch 2024-01-02T03:04:05.678901234+00:00 $end\n",
        version,
        "$comment airlag sample_rate_hz 100000000 $end\n",
        "$comment airlag name \" a%20b $end\n",
        "$timescale 1 ns $end\n$scope module capture $end\n",
        "$var wire 1 ! trigger $end\n$var wire 1 \" a_b $end\n",
        "$upscope $end\n$enddefinitions $end\n",
        "#0\n$dumpvars\n0!\n1\"\n$end\n",
        "#250\n1!\n#300\n0!\nx\"\n#400\n0\"\n#900\n1\"\n",
    ];
    assert_eq!(String::from_utf8(bytes.clone()).unwrap(), expected.concat());
    assert_eq!(parse_with(&bytes, &ReadOptions::default()).unwrap(), trace);
}

#[test]
fn a_begin_before_0_and_strange_names_survive() {
    let names = ["", " ", "$end", "100 %", "ü", "a_b", "a b", "x\ny"];
    let channels = names.iter().map(|name| channel(name, vec![segment(-50, 10, true, &[-7, 3])]));
    let trace = Trace { channels: channels.collect(), ..Trace::default() };
    let mut bytes = Vec::new();
    write(&mut bytes, &trace).unwrap();
    assert_eq!(parse_with(&bytes, &ReadOptions::default()).unwrap(), trace);
}

#[test]
fn a_channel_that_was_never_observed_survives() {
    let trace = Trace { channels: vec![channel("a", Vec::new())], ..Trace::default() };
    let mut bytes = Vec::new();
    write(&mut bytes, &trace).unwrap();
    assert!(bytes.ends_with(b"#0\n$dumpvars\nx!\n$end\n"));
    assert_eq!(parse_with(&bytes, &ReadOptions::default()).unwrap(), trace);
}

#[test]
fn a_note_of_the_writer_that_is_none_is_refused() {
    let note = |text: &str| message(&format!("$comment airlag {text} $end {HEADER}"));
    assert!(note("epoch yesterday").contains("bad timestamp \"yesterday\""));
    assert!(note("sample_rate_hz -3").contains("the sample rate is -3"));
    assert!(note("origin_ns 1.5").contains("the origin is 1.5"));
    assert!(note("name ! %zz").contains("a name is !"));
    assert!(parse(&format!("$comment airlag hello $end {HEADER}#1 0!")).is_ok());
    assert!(matches!(
        parse(&format!("$comment airlag origin_ns {} $end {HEADER}#9 #1", i64::MAX)),
        Err(At { problem: Problem::TimeRange { .. }, .. })
    ));
}
