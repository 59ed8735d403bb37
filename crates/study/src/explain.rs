//! A run with its slices: where the time of every transfer went, and the floor below it.

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

/// What is known of a run whose slices were kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The run itself.
    pub run: Run,
    /// Its transfers.
    pub transfers: Transfers,
    /// Where each of those that completed spent its time, in trigger order.
    pub timelines: Vec<Timeline<Label>>,
    /// What they come to; none if nothing arrived.
    pub budget: Option<Budget<Label>>,
    /// What the link cannot do without.
    pub floor: Floor,
}

/// True of what belongs to the bench and not to the link.
#[must_use]
pub fn is_fixture(label: Label) -> bool {
    label.class == Class::Fixture
}

/// Runs a bench and accounts for every nanosecond. The run is the one [`run`] gives.
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

/// What a message of `size` bytes takes at least on the link of `profile`.
pub fn floor(profile: &Profile, size: usize) -> Result<Floor, Error> {
    Ok(profile.bind()?.floor(size)?)
}

/// The same of other traffic: of an exchange, its request and its answer as if both went the same way.
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

/// Where each transfer of a run spent its time.
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
