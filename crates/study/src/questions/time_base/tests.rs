//! Two sites, each with its own clock, and events at known times.

use airlag_stats::pps::SECOND_NS;
use airlag_trace::{Channel, Segment};
use proptest::prelude::*;

use super::*;

/// Start of the simulated time, s since 1970.
const START_S: i64 = 1_790_000_000;

/// A recording of one site: true times of its events, s, seen by a clock with an error.
#[derive(Clone, Debug)]
struct Recording {
    ppm: f64,
    /// Reading of the clock at the start of the simulated time, ns.
    begin_ns: i64,
    /// First second and number of seconds of the record.
    from_s: f64,
    lasting_s: f64,
    /// Error of the computer's clock, s.
    clock_error_s: f64,
}

impl Recording {
    fn reads(&self, at_s: f64) -> i64 {
        self.begin_ns + (at_s * 1e9 * (1.0 + self.ppm / 1e6)).round() as i64
    }

    /// Channels `event` and `pps`.
    fn trace(&self, events_s: &[f64]) -> Trace {
        let [begin_ns, end_ns] =
            [self.from_s, self.from_s + self.lasting_s].map(|at| self.reads(at));
        let channel = |name: &str, rises: Vec<i64>, width_ns: i64| {
            let edges = rises.into_iter().flat_map(|at| [at, at + width_ns]);
            let edges_ns = edges.filter(|at| (begin_ns..=end_ns).contains(at)).collect();
            let segments = vec![Segment { begin_ns, end_ns, initial: false, edges_ns }];
            Channel { name: name.to_owned(), segments }
        };
        let events = events_s.iter().map(|&at| self.reads(at)).collect();
        let from = self.from_s.ceil() as i64;
        let pulses =
            (0..self.lasting_s as i64).map(|nth| self.reads((from + nth) as f64)).collect();
        let channels = vec![channel("event", events, 2_000), channel("pps", pulses, 100_000)];
        // The computer records when it received the first data.
        let begins = (START_S as f64 % 1e6 + self.from_s + self.clock_error_s) * 1e9;
        let unix_ns = (START_S - START_S % 1_000_000) * SECOND_NS + begins as i64;
        let epoch_unix_ns = Some(unix_ns - begin_ns);
        Trace { epoch_unix_ns, sample_rate_hz: Some(62.5e6), channels, current: None }
    }
}

prop_compose! {
    fn recordings()(
        ppm in -100.0..100.0,
        begin_ns in 0_i64..1_000_000_000_000,
        from_s in 0.0..3.0,
        lasting_s in 20.0..60.0,
        clock_error_s in -0.35..0.35,
    ) -> Recording {
        Recording { ppm, begin_ns, from_s, lasting_s, clock_error_s }
    }
}

fn joined(traces: &[Trace], seconds: &[i64]) -> Result<(Trace, Vec<PulsePerSecond>), String> {
    let capture = |nth: usize| Capture {
        source: format!("{nth}.parquet"),
        site: nth.to_string(),
        pps: "pps".to_owned(),
    };
    let captures = (0..traces.len()).map(capture).collect();
    let question = Question { captures, seconds: seconds.to_vec() };
    let given = traces.iter().map(Given::Trace).collect();
    let mut found = super::answer(&question, given).map_err(|error| error.to_string())?;
    Ok((found.evidence.remove(0).trace.unwrap(), found.answer))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn one_way_latencies_between_two_sites_are_exact(
        first in recordings(),
        second in recordings(),
        latencies_us in prop::collection::vec(1.0..5_000.0, 10..40),
        states_seconds in any::<bool>(),
    ) {
        let sent: Vec<f64> = (0..latencies_us.len()).map(|nth| 4.3 + 0.357 * nth as f64).collect();
        let received: Vec<f64> =
            sent.iter().zip(&latencies_us).map(|(at, latency)| at + latency / 1e6).collect();
        let mut traces = [first.trace(&sent), second.trace(&received)];
        let seconds = [second.from_s.ceil() as i64 - first.from_s.ceil() as i64];
        if states_seconds {
            traces[1].epoch_unix_ns = None;
        }
        let (trace, found) = joined(&traces, if states_seconds { &seconds } else { &[] }).unwrap();
        let names: Vec<&str> = trace.channels.iter().map(|channel| &channel.name[..]).collect();
        prop_assert_eq!(names, ["0:event", "1:event"]);
        let rises = |nth: usize| trace.channels[nth].segments[0].edges_ns.iter().step_by(2);
        prop_assert_eq!(rises(0).count(), sent.len());
        for ((from, to), latency_us) in rises(0).zip(rises(1)).zip(&latencies_us) {
            let error_ns: f64 = (to - from) as f64 - latency_us * 1e3;
            prop_assert!(error_ns.abs() <= 4.0);
        }
        // The joined capture has the time of the pulses, not the time of either computer.
        let true_ns = trace.epoch_unix_ns.unwrap() - START_S * SECOND_NS + rises(0).next().unwrap();
        prop_assert!((true_ns as f64 - sent[0] * 1e9).abs() <= 4.0);
        for (one, of) in found.iter().zip([&first, &second]) {
            prop_assert!((one.ppm - of.ppm).abs() < 1e-3);
            prop_assert_eq!((one.missing, one.spurious, one.left_out), (0, 0, 0));
        }
        let error_ns = found[0].clock_error_ns.unwrap() as f64;
        prop_assert!((error_ns - first.clock_error_s * 1e9).abs() < 1e3);
    }
}

fn plain(from_s: f64, lasting_s: f64) -> Recording {
    Recording { ppm: 3.0, begin_ns: 11, from_s, lasting_s, clock_error_s: 0.0 }
}

#[test]
fn what_cannot_be_joined_is_refused_in_one_line() {
    let one = plain(0.5, 20.0).trace(&[5.0]);
    let undated = Trace { epoch_unix_ns: None, ..one.clone() };
    let ambiguous = Recording { clock_error_s: 0.45, ..plain(0.5, 20.0) }.trace(&[5.0]);
    let later = plain(30.5, 20.0).trace(&[35.0]);
    let silent = Trace {
        channels: vec![Channel { name: "pps".into(), ..one.channels[0].clone() }],
        ..one.clone()
    };
    for (traces, seconds, said) in [
        (
            [one.clone(), undated],
            &[][..],
            "1.parquet: no start time is recorded; state with --seconds",
        ),
        ([one.clone(), ambiguous], &[], "1.parquet: the recorded start is +0.45 s off the pulses"),
        ([one.clone(), later.clone()], &[], "one begins 10.0 s after another one ends"),
        ([one.clone(), later], &[100], "no time in common"),
        ([one.clone(), one.clone()], &[0, 1], "given 2 times for 1 joined captures"),
        (
            [one.clone(), silent],
            &[],
            "1.parquet: channel pps has no pulse per second: 0 of 1 rising edges",
        ),
    ] {
        let line = joined(&traces, seconds).unwrap_err();
        assert!(line.contains(said) && !line.contains('\n'), "{line}");
    }
    let nothing = Trace { channels: Vec::new(), ..one };
    assert!(joined(&[nothing], &[]).unwrap_err().starts_with("0.parquet: "));
}

#[test]
fn edges_far_from_the_pulses_are_left_out_and_counted() {
    // The receiver finds its position five seconds after the start.
    let mut trace = plain(0.0, 20.0).trace(&[1.0, 2.0, 4.5, 10.0]);
    trace.channels[1].segments[0].edges_ns.drain(..10);
    let (trace, found) = joined(&[trace], &[]).unwrap();
    assert_eq!((found[0].pulses, found[0].left_out), (15, 4));
    assert_eq!(trace.channels.len(), 1);
    let segment = &trace.channels[0].segments[0];
    assert_eq!((trace.channels[0].name.as_str(), segment.begin_ns), ("event", 0));
    assert_eq!(segment.edges_ns[..2], [500_000_000, 500_002_000]);
    assert_eq!(trace.epoch_unix_ns, Some((START_S + 4) * SECOND_NS));
}

#[test]
fn a_current_keeps_its_charge_and_is_not_joined_with_another() {
    use airlag_trace::current::{Current, Stretch};
    let mut trace = plain(0.0, 20.0).trace(&[10.0]);
    let at_ns: Vec<i64> = (0..20).map(|nth| 11 + nth * SECOND_NS).collect();
    let charge_fc = (0..20).map(|nth| nth * 7).collect();
    let stretches = vec![Stretch { at_ns, charge_fc }];
    trace.current = Some(Current { supply: "sender".to_owned(), peak_na: 9, stretches });
    let line = joined(&[trace.clone(), trace.clone()], &[]).unwrap_err();
    assert!(line.contains("join only one of them"), "{line}");
    let (joined, _) = joined(&[trace], &[]).unwrap();
    let current = joined.current.unwrap();
    assert_eq!(current.stretches[0].charge_fc[19], 133);
    // 19 s of the clock of the capture, which runs fast by 3 ppm.
    let [first, last] = [current.stretches[0].at_ns[0], current.stretches[0].at_ns[19]];
    assert_eq!(last - first, 19 * SECOND_NS - 57_000);
}
