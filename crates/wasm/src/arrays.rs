//! Arrays of a run as numbers of JavaScript.

use airlag_stats::pair::NONE;
use airlag_study::question::Evidence;
use serde_json::json;

/// Names of tracks and slices of a run, which the arrays `track` and `slice` refer to, and of the channels of its
/// capture, as a JSON object.
pub fn names(evidence: &Evidence) -> String {
    let tracks = evidence.slices.as_ref().map(|slices| slices.tracks.as_slice());
    let channels = evidence.trace.iter().flat_map(|trace| &trace.channels);
    let channels: Vec<&str> = channels.map(|one| one.name.as_str()).collect();
    let tracks = tracks.unwrap_or_default();
    json!({ "tracks": tracks, "slices": slices(evidence), "channels": channels }).to_string()
}

/// Returns the array called `name`. The arrays of transfers are `trigger_ns`, `completion_ns` and
/// `latency_ns`. The arrays of slices are `track`, `slice`, `begin_ns` and `end_ns`. The arrays of
/// channel N of a capture, counted from 0, are `change_ns N` and `level N`.
pub fn array(evidence: &Evidence, name: &str) -> Vec<f64> {
    let times = |all: &[i64]| all.iter().copied().map(number).collect();
    let spans = evidence.slices.as_ref().map_or(&[][..], |slices| &slices.spans);
    let transfers = evidence.transfers.as_ref();
    match name {
        "trigger_ns" => transfers.map_or_else(Vec::new, |found| times(&found.trigger_ns)),
        "completion_ns" => transfers.map_or_else(Vec::new, |found| times(&found.completion_ns)),
        "latency_ns" => times(&evidence.latencies_ns),
        "track" => spans.iter().map(|span| span.track as f64).collect(),
        "slice" => {
            let names = slices(evidence);
            let place = |name| names.iter().position(|known| *known == name).unwrap_or_default();
            spans.iter().map(|span| place(span.slice.name()) as f64).collect()
        }
        "begin_ns" => spans.iter().map(|span| number(span.begin_ns)).collect(),
        "end_ns" => spans.iter().map(|span| number(span.end_ns)).collect(),
        _ => channel(evidence, name).unwrap_or_default(),
    }
}

/// Instants of the level changes of a channel, or the level after each: 1, 0, or NaN where nothing
/// was recorded. It begins with the first level of the recording.
fn channel(evidence: &Evidence, name: &str) -> Option<Vec<f64>> {
    let (what, nth) = name.split_once(' ')?;
    let channel = evidence.trace.as_ref()?.channels.get(nth.parse::<usize>().ok()?)?;
    let mut all = Vec::with_capacity(channel.edge_count() + 2 * channel.segments.len());
    for segment in &channel.segments {
        let changes = [segment.begin_ns].into_iter().chain(segment.edges_ns.iter().copied());
        match what {
            "change_ns" => all.extend(changes.chain([segment.end_ns]).map(number)),
            "level" => {
                let level = |nth: usize| f64::from(segment.initial != (nth % 2 == 1));
                all.extend((0..=segment.edges_ns.len()).map(level).chain([f64::NAN]));
            }
            _ => return None,
        }
    }
    Some(all)
}

/// A time as a number of JavaScript, which is exact for whole nanoseconds up to a hundred days.
fn number(ns: i64) -> f64 {
    if ns == NONE { f64::NAN } else { ns as f64 }
}

/// Names of the slices that occur, each once.
fn slices(evidence: &Evidence) -> Vec<&'static str> {
    let spans = evidence.slices.as_ref().map_or(&[][..], |slices| &slices.spans);
    let mut names: Vec<&'static str> = Vec::new();
    for span in spans {
        if !names.contains(&span.slice.name()) {
            names.push(span.slice.name());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use airlag_trace::trace::{Channel, Segment, Trace};

    use super::*;

    #[test]
    fn a_channel_is_its_levels_and_its_gaps() {
        let segment = |begin_ns, end_ns, initial, edges_ns: &[i64]| Segment {
            begin_ns,
            end_ns,
            initial,
            edges_ns: edges_ns.to_vec(),
        };
        let segments = vec![segment(0, 50, false, &[10, 20]), segment(80, 90, true, &[85])];
        let channels = vec![Channel { name: "strobe".to_owned(), segments }];
        let trace = Trace { channels, ..Trace::default() };
        let evidence = Evidence { trace: Some(trace), ..Evidence::default() };
        let nan = f64::NAN;
        let changes = [0.0, 10.0, 20.0, 50.0, 80.0, 85.0, 90.0];
        let levels = [0.0, 1.0, 0.0, nan, 1.0, 0.0, nan];
        assert_eq!(array(&evidence, "change_ns 0"), changes);
        assert!(
            array(&evidence, "level 0")
                .iter()
                .zip(levels)
                .all(|(one, other)| { one.total_cmp(&other).is_eq() })
        );
        assert!(array(&evidence, "level 1").is_empty() && array(&evidence, "x 0").is_empty());
        assert!(names(&evidence).contains(r#""channels":["strobe"]"#));
    }
}
