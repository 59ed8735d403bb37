use std::io::Cursor;

use super::{Kept, NONE, Rows, SavedRun, layout, write};
use crate::current::{Current, Stretch};
use crate::error::{At, Problem};
use crate::memory::MemoryLimit;
use crate::trace::{Channel, Segment, Trace};

const OUTCOMES: [&str; 4] = ["delivered", "lost", "censored", "late"];
const MIB: u64 = 1 << 20;

fn segment(begin_ns: i64, end_ns: i64, edges_ns: Vec<i64>) -> Segment {
    Segment { begin_ns, end_ns, initial: false, edges_ns }
}

/// Two channels, one with a gap, with some common instants.
fn trace() -> Trace {
    let channel = |name: &str, segments| Channel { name: name.into(), segments };
    Trace {
        epoch_unix_ns: Some(1_700_000_000_000_000_000),
        sample_rate_hz: Some(125e6),
        channels: vec![
            channel("µ", vec![segment(-5, 100, vec![1, 9, 40, 50]), segment(200, 300, vec![250])]),
            channel("completion", vec![segment(-5, 300, vec![9, 30, 60, 250, 300])]),
            channel("never", vec![segment(-5, 300, vec![])]),
        ],
        current: None,
    }
}

/// The same trace with a measured current that has a gap of 10 ns.
fn metered() -> Trace {
    let stretch = |at_ns: &[i64], charge_fc: &[i64]| Stretch {
        at_ns: at_ns.to_vec(),
        charge_fc: charge_fc.to_vec(),
    };
    let stretches = vec![
        stretch(&[-5, 1, 9, 40, 60], &[0, 7, -2, 90, 100]),
        stretch(&[70, 250, 300], &[0, 4, i64::MAX]),
    ];
    Trace { current: Some(Current { supply: "sender".into(), peak_na: 12, stretches }), ..trace() }
}

/// Metadata of a run with these edges.
fn about(trace: Option<&Trace>) -> String {
    let layout = trace.map_or("null".into(), layout);
    format!(r#"{{"format": 1, "source": "made", "trace": {layout}}}"#)
}

fn saved(rows: &Rows<'_>, trace: Option<&Trace>, metadata: &str) -> Vec<u8> {
    let mut file = Vec::new();
    write(&mut file, rows, trace, metadata).unwrap();
    file
}

fn run(trace: &Trace) -> Vec<u8> {
    let (triggers, completions, outcome) = ([1, 40, 250], [9, NONE, 300], [0, 1, 0]);
    let rows = Rows {
        trigger_ns: Some(&triggers),
        completion_ns: &completions,
        outcome: &outcome,
        outcomes: &OUTCOMES,
    };
    saved(&rows, Some(trace), &about(Some(trace)))
}

fn table(latencies: &[i64]) -> Vec<u8> {
    let outcome = vec![0; latencies.len()];
    let rows =
        Rows { trigger_ns: None, completion_ns: latencies, outcome: &outcome, outcomes: &OUTCOMES };
    saved(&rows, None, &about(None))
}

fn read_within(file: &[u8], memory: u64) -> Result<Kept, At> {
    SavedRun::new(Cursor::new(file.to_vec()))?.read(MemoryLimit::of(memory))
}

fn read(file: &[u8]) -> Result<Kept, At> {
    read_within(file, 64 * MIB)
}

fn why(file: &[u8]) -> String {
    read(file).unwrap_err().problem.to_string()
}

#[test]
fn edges_gaps_names_and_the_clock_come_back() {
    let trace = trace();
    assert_eq!(read(&run(&trace)).unwrap(), Kept::Edges(trace));
}

#[test]
fn a_measured_current_comes_back() {
    let trace = metered();
    assert_eq!(read(&run(&trace)).unwrap(), Kept::Edges(trace.clone()));
    let rows =
        Rows { trigger_ns: Some(&[]), completion_ns: &[], outcome: &[], outcomes: &OUTCOMES };
    let file = saved(&rows, Some(&trace), &about(Some(&trace)));
    assert_eq!(read(&file).unwrap(), Kept::Edges(trace));
}

#[test]
fn a_current_that_the_metadata_do_not_describe_is_refused() {
    let (described, right) = (metered(), about(Some(&metered())));
    let rows =
        Rows { trigger_ns: Some(&[]), completion_ns: &[], outcome: &[], outcomes: &OUTCOMES };
    let with = |metadata: &str| read(&saved(&rows, Some(&described), metadata));
    assert!(with(&right).is_ok());
    for knots in ["[5,2]", "[5,4]", "[8,0,1]", "[18446744073709551615,1]"] {
        let error = with(&right.replace("[5,3]", knots)).unwrap_err();
        assert!(matches!(error.problem, Problem::BadRun { .. }), "{knots}");
    }
    let bare = saved(&rows, Some(&trace()), &right);
    assert!(matches!(read(&bare).unwrap_err().problem, Problem::RunColumn { .. }));
    let mut turned = metered();
    turned.current.as_mut().unwrap().stretches.reverse();
    assert!(read(&saved(&rows, Some(&turned), &about(Some(&turned)))).is_err());
}

#[test]
fn latencies_come_back() {
    for latencies in [vec![], vec![5, 0, -3, 1 << 62], (0..10_000).collect()] {
        assert_eq!(read(&table(&latencies)).unwrap(), Kept::Latencies(latencies));
    }
}

#[test]
fn a_run_without_a_trigger_keeps_its_edges() {
    let trace = trace();
    let rows =
        Rows { trigger_ns: Some(&[]), completion_ns: &[], outcome: &[], outcomes: &OUTCOMES };
    let file = saved(&rows, Some(&trace), &about(Some(&trace)));
    assert_eq!(read(&file).unwrap(), Kept::Edges(trace));
}

#[test]
fn a_trace_without_an_edge_comes_back() {
    let mut trace = trace();
    trace.channels.iter_mut().for_each(|channel| {
        channel.segments.iter_mut().for_each(|segment| segment.edges_ns.clear());
    });
    assert_eq!(read(&run(&trace)).unwrap(), Kept::Edges(trace));
}

#[test]
fn rows_beyond_one_group_come_back() {
    let count = 600_000;
    let edges: Vec<i64> = (0..2 * count).map(|index| index * 500 + index % 7).collect();
    let triggers: Vec<i64> = edges.iter().copied().step_by(2).collect();
    let channel = Channel { name: "a".into(), segments: vec![segment(0, 1 << 40, edges)] };
    let trace = Trace { channels: vec![channel], ..Trace::default() };
    let rows = Rows {
        trigger_ns: Some(&triggers),
        completion_ns: &vec![NONE; triggers.len()],
        outcome: &vec![1; triggers.len()],
        outcomes: &OUTCOMES,
    };
    let file = saved(&rows, Some(&trace), &about(Some(&trace)));
    assert_eq!(read_within(&file, 128 * MIB).unwrap(), Kept::Edges(trace));
}

#[test]
fn the_same_run_has_the_same_bytes() {
    assert_eq!(run(&trace()), run(&trace()));
}

#[test]
fn columns_that_do_not_fit_each_other_are_not_written() {
    let short =
        Rows { trigger_ns: Some(&[1]), completion_ns: &[], outcome: &[], outcomes: &OUTCOMES };
    let nameless =
        Rows { trigger_ns: None, completion_ns: &[1], outcome: &[4], outcomes: &OUTCOMES };
    for rows in [short, nameless] {
        let error = write(Vec::new(), &rows, None, "{}").unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
    }
}

#[test]
fn a_disk_that_is_full_says_so() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::from_raw_os_error(28))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let rows = Rows { trigger_ns: None, completion_ns: &[1], outcome: &[0], outcomes: &OUTCOMES };
    let error = write(Full, &rows, None, &about(None)).unwrap_err();
    assert_eq!(error.raw_os_error(), Some(28));
}

#[test]
fn edges_that_the_metadata_does_not_describe_are_refused() {
    let trace = trace();
    let rows =
        Rows { trigger_ns: Some(&[1]), completion_ns: &[NONE], outcome: &[1], outcomes: &OUTCOMES };
    let spoilt: [fn(&mut Trace); 5] = [
        |trace| trace.channels[0].segments[0].edges_ns.truncate(3),
        |trace| trace.channels[1].segments[0].edges_ns.push(300),
        |trace| trace.channels[0].segments[0].end_ns = 45,
        |trace| trace.channels[1].segments[0].begin_ns = 10,
        |trace| drop(trace.channels[1].segments[0].edges_ns.drain(..)),
    ];
    for spoil in spoilt {
        let mut other = trace.clone();
        spoil(&mut other);
        let file = saved(&rows, Some(&trace), &about(Some(&other)));
        let found = why(&file);
        assert!(found.contains("does not describe the edges"), "{found}");
    }
}

#[test]
fn a_latency_that_is_missing_is_refused() {
    assert!(why(&table(&[1, NONE, 3])).contains("but a latency is missing"));
}

#[test]
fn metadata_that_is_not_a_runs_is_refused_with_its_entry() {
    let rows = Rows { trigger_ns: None, completion_ns: &[], outcome: &[], outcomes: &OUTCOMES };
    let nested = format!(r#"{{"format": 1, "trace": {}"#, "[".repeat(1 << 16));
    let stretch = |stretch: &str| {
        format!(
            r#"{{"format": 1, "trace": {{"channels":
                [{{"name": "a", "begin_end_initial_edges": [{stretch}]}}]}}}}"#
        )
    };
    for (metadata, entry) in [
        ("{", "not JSON as airlag writes it"),
        ("[1, null]", "not a JSON table"),
        (r#"{"trace": null}"#, "run format null is unknown; this version of airlag reads 1"),
        (r#"{"format": 99}"#, "run format 99 is unknown; this version of airlag reads 1"),
        (r#"{"format": 1}"#, "`trace` is missing"),
        (r#"{"format": 1, "trace": 7}"#, "`trace`"),
        (&nested, "not JSON as airlag writes it"),
        (r#"{"format": 1, "trace": {"channels": {}}}"#, "`trace`"),
        (r#"{"format": 1, "trace": {"channels": [], "sample_rate_hz": -1}}"#, "`sample_rate_hz`"),
        (r#"{"format": 1, "trace": {"channels": [], "epoch_unix_ns": 9e18}}"#, "`trace`"),
        (&stretch("[0, 1, false, -1]"), "`trace`"),
        (&stretch("[0, 1, false]"), "`trace`"),
        (&stretch("[5, 1, false, 0]"), "time order"),
        (&stretch("[0, 5, false, 0], [4, 9, false, 0]"), "time order"),
        (&stretch("[0, 9000000000000000000, false, 0]"), "time order"),
    ] {
        let found = why(&saved(&rows, None, metadata));
        assert!(found.starts_with("metadata airlag: ") && found.contains(entry), "{found}");
        assert!(!found.contains('\n') && found.ends_with("save the run again"), "{found}");
    }
}

#[test]
fn many_edges_in_a_small_file_are_refused_before_they_are_unpacked() {
    let edges = vec![0; 1_000_000];
    let channel = Channel { name: "a".into(), segments: vec![segment(0, 0, edges)] };
    let trace = Trace { channels: vec![channel], ..Trace::default() };
    let rows =
        Rows { trigger_ns: Some(&[0]), completion_ns: &[NONE], outcome: &[1], outcomes: &OUTCOMES };
    let file = saved(&rows, Some(&trace), &about(Some(&trace)));
    assert!(file.len() < 50_000, "{}", file.len());
    match read_within(&file, 60 * MIB).unwrap_err().problem {
        Problem::RunTooLarge { values: 2_000_000, needed_bytes, .. } => {
            assert!(needed_bytes > 60 * MIB);
        }
        other => panic!("{other}"),
    }
    assert_eq!(read_within(&file, 62 * MIB).unwrap(), Kept::Edges(trace));
}

#[test]
fn metadata_out_of_proportion_to_the_limit_is_refused() {
    let rows = Rows { trigger_ns: None, completion_ns: &[], outcome: &[], outcomes: &OUTCOMES };
    let metadata = format!(r#"{{"format": 1, "trace": null, "note": "{}"}}"#, "a".repeat(1 << 20));
    let file = saved(&rows, None, &metadata);
    assert!(matches!(read_within(&file, 64 * MIB).unwrap_err().problem, Problem::TooLarge { .. }));
    assert!(read_within(&file, 256 * MIB).is_ok());
}

#[test]
fn a_file_that_is_cut_short_is_refused_wherever_it_ends() {
    let file = run(&trace());
    for end in 0..file.len() {
        let problem = read(&file[..end]).unwrap_err().problem;
        match end {
            0..4 => assert!(matches!(problem, Problem::NotParquet), "{end}: {problem}"),
            _ => assert!(matches!(problem, Problem::DamagedRun), "{end}: {problem}"),
        }
    }
}

#[test]
fn damage_anywhere_does_no_worse_than_a_refusal() {
    for file in [run(&trace()), table(&[3, 1, 4, 1, 5])] {
        for at in 0..file.len() {
            for byte in [0, 1, 0x15, 0x7F, 0x80, 0xFF, !file[at]] {
                let mut damaged = file.clone();
                damaged[at] = byte;
                if let Err(At { problem, .. }) = read(&damaged) {
                    assert!(!problem.to_string().contains('\n'), "{problem}");
                }
            }
        }
    }
}
