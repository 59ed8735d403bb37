use super::*;

fn parse_with(text: &str, options: &TableOptions) -> Result<LatencyTable, At> {
    read(text.as_bytes(), options)
}

fn parse(text: &str) -> Result<LatencyTable, At> {
    parse_with(text, &TableOptions::default())
}

fn message(text: &str) -> String {
    let at = parse(text).expect_err("bad input");
    format!("{}{}", at.place, at.problem)
}

fn column(name: &str) -> TableOptions {
    TableOptions { column: Some(name.to_owned()), ..TableOptions::default() }
}

#[test]
fn one_number_a_line_is_seconds() {
    let table = parse("# 16 byte messages\n0.00063\n0.00128 # slow\n\n1e-6\n").unwrap();
    assert_eq!(table.latencies_ns, [630_000, 1_280_000, 1_000]);
    assert_eq!((table.name.as_str(), table.unit), ("latency", TableUnit::Seconds));
    let unit = Some(TableUnit::Milliseconds);
    let table = parse_with("0.5\r\n12", &TableOptions { unit, ..TableOptions::default() }).unwrap();
    assert_eq!(table.latencies_ns, [500_000, 12_000_000]);
}

#[test]
fn the_header_tells_the_unit() {
    for (header, ns) in [
        ("latency_ms", 2_500_000),
        ("Latency [us]", 2_500),
        ("rtt (ms)", 2_500_000),
        ("delay", 2_500_000_000),
        ("duration ns", 3),
        ("Latency (\u{b5}s)", 2_500),
        ("\"elapsed [msec]\"", 2_500_000),
    ] {
        let table = parse(&format!("{header}\n2.5\n")).unwrap();
        assert_eq!(table.latencies_ns, [ns], "{header}");
        assert_eq!(table.name, header.trim_matches('"'));
    }
    // The header takes precedence over the option.
    let unit = Some(TableUnit::Seconds);
    let table =
        parse_with("latency_ms\n1\n", &TableOptions { unit, ..TableOptions::default() }).unwrap();
    assert_eq!(table.latencies_ns, [1_000_000]);
}

#[test]
fn the_column_is_found_or_chosen() {
    let text = "seq,time,rtt_ms,node\n1,100.5,2.5,a\n2,101.5,3.5,b\n";
    assert_eq!(parse(text).unwrap().latencies_ns, [2_500_000, 3_500_000]);
    let seq = parse_with(text, &column("0")).unwrap();
    assert_eq!(
        (seq.name.as_str(), &seq.latencies_ns[..]),
        ("seq", &[1_000_000_000, 2_000_000_000][..])
    );
    assert_eq!(parse_with(text, &column("time")).unwrap().latencies_ns[0], 100_500_000_000);
    assert_eq!(parse("node;value\na;3\n").unwrap().latencies_ns, [3_000_000_000]);
    let message = parse_with(text, &column("jitter")).unwrap_err().problem.to_string();
    assert_eq!(message, "no channel \"jitter\"; the file has seq, time, rtt_ms, node");
}

#[test]
fn tabs_semicolons_and_decimal_commas_are_understood() {
    assert_eq!(parse("n;latency [ms]\n1;2,5\n").unwrap().latencies_ns, [2_500_000]);
    assert_eq!(parse("n\tlatency_us\n1\t2.5\n").unwrap().latencies_ns, [2_500]);
    assert_eq!(parse("0.1,0.2\n0.3,0.4\n").unwrap().latencies_ns, [100_000_000, 300_000_000]);
}

#[test]
fn what_is_no_latency_is_refused_with_its_line() {
    let cases = [
        ("0.1\n-0.1\n", "line 2: bad number \"-0.1\"; expected a latency, zero or more"),
        ("0.1\nNaN\n", "line 2: bad number \"NaN\""),
        ("0.1\ninf\n", "line 2: bad number \"inf\""),
        ("0.1\n# note\nfast\n", "line 3: bad number \"fast\""),
        ("latency,node\n1,a\n,b\n", "line 3: bad number \"\""),
        ("node,latency\na,1\nb\n", "line 3: 1 columns where the header names 2"),
        ("0.1\n1e30\n", "line 2: time 1e30 is outside"),
        ("0.1\n\u{0}\u{1}\n", "line 2: binary data where text is expected"),
        ("latency [V]\n1\n", "line 1: unit \"V\" is unknown; expected s, ms, us or ns"),
        ("latency\n", "the number of latencies is none; expected one latency per line"),
        ("# nothing\n", "the number of latencies is none"),
        ("", "the number of latencies is none"),
    ];
    for (text, expected) in cases {
        assert!(message(text).starts_with(expected), "{text:?}: {}", message(text));
    }
    assert_eq!(parse("-0.0\n").unwrap().latencies_ns, [0]);
    let binary = read(&b"0.1\n\xff\xfe\n"[..], &TableOptions::default()).unwrap_err();
    assert!(matches!(binary.problem, Problem::NotText { .. }));
}

#[test]
fn a_line_without_end_is_refused_in_bounded_memory() {
    let endless = std::io::repeat(b'7').take(4 << 30);
    let problem = read(b"0.1\n".chain(endless), &TableOptions::default()).unwrap_err().problem;
    assert!(matches!(problem, Problem::LineTooLong { .. }));
}

#[test]
fn captures_and_tables_are_told_apart() {
    for table in [
        "0.00063\n0.00128\n",
        "# comment\n1.5\n",
        "latency_ms\n2.5\n",
        "Time [s],latency [ms]\n0.5,2.5\n",
        "time,rtt\n1,2.5\n",
        "seq;Duration (us)\n1;2\n",
        "round-trip time\n3\n",
        "0.1,0.2\n",
    ] {
        assert!(looks_like(table.as_bytes()), "{table:?}");
    }
    for other in [
        "Time [s],Channel 0,Channel 1\n0.000000000,0,1\n",
        "Time [s],Channel 0\n2024-01-02T03:04:05.000000000+00:00,0\n",
        "Time [s],latency pin\n0.5,1\n",
        "Time [s],Channel 0\n0.5,3.31\n",
        "latency\n",
        "hello\nworld\n",
        "\u{0}\u{1}",
        "",
        "$timescale 1 ns $end\n",
    ] {
        assert!(!looks_like(other.as_bytes()), "{other:?}");
    }
}
