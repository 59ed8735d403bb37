//! A run with the time budget of every transfer, and the lower bound of its latency.

use airlag_stats::Transfers;
use airlag_stats::budget::{Budget, Part, Timeline};

use crate::error::Error;
use crate::matched;
use crate::timeline::{self, Class, Label};
use airlag_rig::exchange::AnyExchange;
use airlag_rig::floor::{Floor, Term};
use airlag_rig::profile::Profile;
use airlag_rig::run::{Options, Run, Traffic, run};
use airlag_rig::stimulus::Stimulus;

/// Results of a run with recorded activities.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The run itself.
    pub run: Run,
    /// Its transfers.
    pub transfers: Transfers,
    /// Activities of each completed transfer, in trigger order.
    pub timelines: Vec<Timeline<Label>>,
    /// Summary of the timelines. `None` if no transfer completed.
    pub budget: Option<Budget<Label>>,
    /// Lower bound of the latency.
    pub floor: Floor,
}

/// Whether an activity belongs to the measurement setup and not to the link.
#[must_use]
pub fn is_fixture(label: Label) -> bool {
    label.class == Class::Fixture
}

/// Runs a bench and attributes every nanosecond of each transfer to an activity. The run is
/// identical to that of [`run`].
pub fn explain(
    profile: &Profile,
    size: usize,
    stimulus: &Stimulus,
    seed: u64,
    traffic: Traffic,
) -> Result<Explanation, Error> {
    let run = run(profile, size, stimulus, Options { seed, spans: true, traffic })?;
    let transfers = matched::transfers(&run);
    let timelines = timelines(&run, &transfers)?;
    let budget = Budget::of(&timelines);
    let floor = floor_of(profile, size, traffic)?;
    Ok(Explanation { run, transfers, timelines, budget, floor })
}

/// Lower bound of the latency for messages of `size` bytes on the link of `profile`.
pub fn floor(profile: &Profile, size: usize) -> Result<Floor, Error> {
    Ok(profile.bind()?.floor(size)?)
}

/// Like [`floor`], for other traffic. An exchange counts as a request and a response in the same
/// direction.
pub fn floor_of(profile: &Profile, size: usize, traffic: Traffic) -> Result<Floor, Error> {
    let Traffic::Exchange(AnyExchange(exchange)) = traffic else { return floor(profile, size) };
    let (request, answer) = exchange.lengths(size);
    let one = |name: &str, bytes: usize| -> Result<Floor, Error> {
        let floor = profile.bind()?.floor(bytes)?;
        let named = |sum: Floor, term: &Term| {
            sum.with(format!("{name}: {}", term.name), term.count, term.each_ns, term.source)
        };
        Ok(floor.terms().iter().fold(Floor::new(), named))
    };
    Ok(one("request", request)?.and(one("answer", answer)?))
}

/// Activities of each transfer of a run.
pub fn timelines(run: &Run, transfers: &Transfers) -> Result<Vec<Timeline<Label>>, Error> {
    let one = |parts: Vec<timeline::Part>| {
        let ends = parts.first().zip(parts.last());
        let latency_ns = ends.map_or(0, |(first, last)| last.end_ns - first.begin_ns);
        let part = |part: timeline::Part| Part {
            name: Label { name: part.name, class: part.class },
            ns: part.end_ns - part.begin_ns,
        };
        Ok(Timeline::new(latency_ns, parts.into_iter().map(part).collect())?)
    };
    timeline::timelines(run, transfers).into_iter().map(one).collect()
}
