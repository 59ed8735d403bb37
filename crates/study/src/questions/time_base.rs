//! Conversion of captures to the time of a pulse-per-second (PPS) signal: properties of the pulses,
//! and captures of several sites joined into one.

mod join;
#[cfg(test)]
mod tests;

use airlag_stats::pps::{Quality, SECOND_NS, TimeBase};
use airlag_trace::Trace;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::question::{Answered, Evidence, Given};

/// Largest accepted error of the recorded start of a capture, ns. At half a second, a pulse could
/// belong to either of two seconds. This limit is a fifth lower.
const LARGEST_CLOCK_ERROR_NS: i64 = 400_000_000;

/// A capture with a pulse-per-second signal.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PpsCapture")]
pub struct Capture {
    /// The file that was read.
    pub source: String,
    /// Prefix of the names of its channels in a joined capture.
    pub site: String,
    /// Channel of the pulse-per-second signal, by name or by index from 0.
    pub pps: String,
}

/// Request to convert captures to the time of their pulses.
/// The edges are passed separately, in the same order.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "TimeBaseQuestion")]
pub struct Question {
    /// The captures. Several captures are joined into one capture with the channels of all.
    pub captures: Vec<Capture>,
    /// Whole seconds from the first pulse of the first capture to the first pulse of each further
    /// capture. Empty means that they follow from the recorded starts of the captures.
    #[serde(default)]
    pub seconds: Vec<i64>,
}

/// The pulse-per-second signal of a capture, and the clock of the capture.
/// `interpolation_ns`, `gap_ns` and `extrapolation_ns` are errors of the conversion to the time
/// base of the pulses. Each of these errors is the largest difference between the time of a pulse
/// and the time that the conversion computes for this pulse from the other pulses.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "PulsePerSecond")]
pub struct PulsePerSecond {
    /// The file that was read.
    pub source: String,
    /// Name of the channel.
    pub channel: String,
    /// Number of pulses.
    pub pulses: u64,
    /// Number of missing pulses between the first and the last one.
    pub missing: u64,
    /// Number of rising edges that are not pulses.
    pub spurious: u64,
    /// First missing pulse, seconds after the first pulse. Null if none is missing.
    pub first_missing_s: Option<i64>,
    /// Longest time between two pulses, s.
    pub longest_gap_s: i64,
    /// Mean frequency error of the clock of the capture, ppm. Positive if it runs fast.
    pub ppm: f64,
    /// Smallest and largest frequency error between two pulses, ppm.
    pub ppm_range: [f64; 2],
    /// Standard deviation of the pulses about the clock, ns, caused by the receiver and the
    /// sampling together. Null without three consecutive pulses.
    pub jitter_ns: Option<f64>,
    /// Largest error halfway between two pulses that are two seconds apart, ns. Null without three consecutive
    /// pulses.
    pub interpolation_ns: Option<f64>,
    /// Largest error in the middle of a gap as long as the longest one, ns. Null without a gap, or
    /// if the pulses are never uninterrupted for so long.
    pub gap_ns: Option<f64>,
    /// Largest error one second before the first or after the last pulse, ns. Null without three pulses.
    pub extrapolation_ns: Option<f64>,
    /// Second of the first pulse since 1970 in UTC, from the recorded start. Null if no start is recorded.
    pub first_pulse_unix_s: Option<i64>,
    /// Recorded start minus the nearest start that agrees with the pulses, ns. Null if no start is recorded.
    pub clock_error_ns: Option<i64>,
    /// Edges that are left out because they are more than a second before the first or after the last pulse.
    pub left_out: u64,
}

/// A capture with its time base.
struct Site<'a> {
    capture: &'a Capture,
    trace: &'a Trace,
    /// Index of the pulse channel.
    pps: usize,
    base: TimeBase,
    quality: Quality,
    /// Second of the first pulse since 1970, and the error of the recorded start, ns.
    recorded: Option<(i64, i64)>,
    /// Second of the first pulse on the common time.
    first_s: i64,
}

impl<'a> Site<'a> {
    fn of(capture: &'a Capture, trace: &'a Trace) -> Result<Self, Error> {
        let source = &capture.source;
        let names: Vec<&str> = trace.channels.iter().map(|channel| &channel.name[..]).collect();
        let pick = airlag_trace::Pick::new(&capture.pps);
        let selection = airlag_trace::Selection::Picks(vec![pick]);
        let pps = match selection.resolve(&names) {
            Ok(resolved) => resolved.positions[0],
            Err(problem) => return Err(refused(format!("{source}: {problem}"))),
        };
        let base = TimeBase::of(&trace.channels[pps].segments).map_err(|found| {
            let name = names[pps];
            refused(format!(
                "{source}: channel {name} has no pulse per second: {found}; choose the channel with --pps"
            ))
        })?;
        let quality = base.quality();
        let recorded = trace.epoch_unix_ns.map(|epoch_ns| {
            let (begin_ns, first_ns) = (trace.begin_ns(), base.pulses().at_ns[0]);
            // The time from the start to the first pulse is on the clock of the capture.
            let until_first = (first_ns - begin_ns) as f64 / (1.0 + quality.ppm / 1e6);
            let unix_ns = i128::from(epoch_ns) + i128::from(begin_ns) + until_first as i128;
            let second = (unix_ns + i128::from(SECOND_NS / 2)).div_euclid(i128::from(SECOND_NS));
            let error_ns = unix_ns - second * i128::from(SECOND_NS);
            (second as i64, error_ns as i64)
        });
        Ok(Self { capture, trace, pps, base, quality, recorded, first_s: 0 })
    }

    fn answer(&self, left_out: u64) -> PulsePerSecond {
        let (pulses, quality) = (self.base.pulses(), &self.quality);
        PulsePerSecond {
            source: self.capture.source.clone(),
            channel: self.trace.channels[self.pps].name.clone(),
            pulses: pulses.at_ns.len() as u64,
            missing: pulses.missing(),
            spurious: pulses.spurious_ns.len() as u64,
            first_missing_s: pulses.first_missing_s(),
            longest_gap_s: pulses.longest_gap_s(),
            ppm: quality.ppm,
            ppm_range: quality.ppm_range,
            jitter_ns: quality.jitter_ns,
            interpolation_ns: quality.interpolation_ns,
            gap_ns: quality.gap_ns,
            extrapolation_ns: quality.extrapolation_ns,
            first_pulse_unix_s: self.recorded.map(|(second, _)| second),
            clock_error_ns: self.recorded.map(|(_, error_ns)| error_ns),
            left_out,
        }
    }
}

/// Converts captures to the time base of their pulses, and joins them into one capture. The pulse channels
/// are left out, because each pulse is at a whole second of this time base. The joined capture is the trace of
/// the first [`Evidence`], and starts in the first second of the time base.
///
/// # Errors
///
/// [`Error::Capture`] if a channel has no pulse-per-second signal, if it is ambiguous which second
/// a pulse marks, or if the captures have no time in common.
pub fn answer(
    question: &Question,
    given: Vec<Given<'_>>,
) -> Result<Answered<Vec<PulsePerSecond>>, Error> {
    let traces: Vec<&Trace> = given
        .iter()
        .filter_map(|one| if let Given::Trace(trace) = one { Some(*trace) } else { None })
        .collect();
    if traces.is_empty() || traces.len() != question.captures.len() {
        return Err(Error::Question {
            cause: "the question needs the edges of each capture".into(),
        });
    }
    let sites = question.captures.iter().zip(traces);
    let mut sites =
        sites.map(|(capture, trace)| Site::of(capture, trace)).collect::<Result<Vec<_>, _>>()?;
    let is_dated = number_seconds(&mut sites, &question.seconds)?;
    let (trace, left_out) = join::joined(&sites, is_dated)?;
    let answers = sites.iter().zip(left_out).map(|(site, left_out)| site.answer(left_out));
    let answer = answers.collect();
    let evidence = Evidence { trace: Some(trace), ..Evidence::default() };
    Ok(Answered { answer, evidence: vec![evidence] })
}

/// Determines the second of the first pulse of each capture. Returns whether these are seconds since 1970.
fn number_seconds(sites: &mut [Site<'_>], stated: &[i64]) -> Result<bool, Error> {
    let many = sites.len();
    if !stated.is_empty() && stated.len() + 1 != many {
        let expected = many - 1;
        return Err(refused(format!(
            "--seconds is given {} times for {expected} joined captures; give it once for each",
            stated.len()
        )));
    }
    if many == 1 || !stated.is_empty() {
        let first = sites[0].recorded;
        let first_s = first.map_or(0, |(second, _)| second);
        for (site, seconds) in sites.iter_mut().zip([0].iter().chain(stated)) {
            site.first_s = first_s.saturating_add(*seconds);
        }
        return Ok(first.is_some());
    }
    for site in sites {
        let source = &site.capture.source;
        let remedy =
            "state with --seconds the whole seconds from the first pulse of the first capture";
        let Some((second, error_ns)) = site.recorded else {
            return Err(refused(format!("{source}: no start time is recorded; {remedy}")));
        };
        if error_ns.abs() > LARGEST_CLOCK_ERROR_NS {
            let error_s = error_ns as f64 / SECOND_NS as f64;
            return Err(refused(format!(
                "{source}: the recorded start is {error_s:+.2} s off the pulses, so that the second of a pulse \
                 is ambiguous; {remedy}"
            )));
        }
        site.first_s = second;
    }
    Ok(true)
}

fn refused(line: String) -> Error {
    Error::Capture { line }
}
